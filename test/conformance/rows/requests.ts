import { chapter, row } from '../row.ts';

/** Decisions, section 1, first table. Much of it is about one form, or about bodies that have none. */
export const requests = chapter({
  key: 'requests',
  title: 'Requests and answers',
  bothForms: false,
  rows: [
    row(
      'form',
      'the first character decides between XML and JSON, whatever the content type; the answer has the form of the request',
    ),
    row('white space', 'white space and a byte-order mark in front are accepted'),
    row('declaration', 'an XML declaration may be missing, or name another encoding'),
    row('answer', "an XML answer has a declaration and the request's root; a JSON answer is one flat object"),
    row(
      'mapping',
      'attributes `$`, text `_`, repeated elements and bare single entries; numbers and numeric texts alike',
    ),
    row('trimmed', 'texts are trimmed, and what is between is kept'),
    row('unsafe XML', 'DOCTYPE, entities but the predefined: 1'),
    row('nesting', '32 levels are read, 33 are 1'),
    row('unreadable', 'what is neither XML nor JSON, cut off, or no text: 1'),
    row('size', 'a body of 10 MiB is read; over it HTTP 413 with status 1'),
    row('rate', 'requests a second by account and by address: HTTP 429, `Retry-After`, status 6'),
    row('HTTP 200', 'what was understood is answered with HTTP 200, failures too'),
    row('required', 'of every operation: a required field that is missing is refused, and named'),
    row(
      'types',
      'of every operation: a value of any type in any field is a documented status, and nothing is stored',
    ),
    row('HTTP 500', 'a fault of the service: HTTP 500, status 999, a request id to quote'),
    row('roots', 'an unknown root, or several: 997'),
    row('paths', '`/api/` and `/api/test/` work like `/api` and `/api/test`'),
    row('methods', 'a `GET` gets 405, and so does every method but `POST`'),
    row(
      'version',
      'answers to callers who have signed in carry `X-Carillon-Version`; strangers are not told',
    ),
    row('nothing stored', 'a request that fails stores, sends and charges nothing, however it is broken'),
  ],
});
