import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const envelope = inBothForms('sms-api/envelope');
const wrapped = inFile('sms-api/envelope');
const bad = inFile('sms-api/bad-input');
const badInput = inBothForms('sms-api/bad-input');
const limited = inBothForms('sms-api/rate-limit');

/** Decisions, section 1, first table. Much of it is about one form, or about bodies that have none. */
export const requests: Chapter = {
  title: 'Requests and answers',
  bothForms: false,
  rows: [
    row(
      'form',
      'the first character decides between XML and JSON, whatever the content type; the answer has the form of the request',
      envelope('any content type, or none, and the answer in the form of the request'),
    ),
    row(
      'white space',
      'white space and a byte-order mark in front are accepted',
      envelope('a byte-order mark, white space before and after, UTF-16'),
    ),
    row(
      'declaration',
      'an XML declaration may be missing, or name another encoding',
      wrapped('XML: without a declaration, with one that names another encoding, with comments and CDATA'),
    ),
    row(
      'answer',
      "an XML answer has a declaration and the request's root; a JSON answer is one flat object",
      wrapped('the XML and the JSON of a request are one request: the same answer but for its form'),
    ),
    row(
      'mapping',
      'attributes `$`, text `_`, repeated elements and bare single entries; numbers and numeric texts alike',
      wrapped('the XML and the JSON of a request are one request: the same answer but for its form'),
      inFile(
        'sms-api/wire-properties',
        'properties of the wire form',
      )('XML and JSON of the same content decode to that content'),
    ),
    row(
      'trimmed',
      'texts are trimmed, and what is between is kept',
      wrapped('texts are trimmed, and everything between is kept'),
    ),
    row(
      'unsafe XML',
      'DOCTYPE, entities but the predefined: 1',
      bad('DOCTYPE, entities and what hides behind them'),
    ),
    row('nesting', '32 levels are read, 33 are 1', bad('deep nesting')),
    row(
      'unreadable',
      'what is neither XML nor JSON, cut off, or no text: 1',
      bad('bodies that are nothing'),
      bad('half a body, cut anywhere'),
      bad('bytes that are no text'),
      bad('JSON that is nearly JSON'),
      wrapped('no body at all is status 1'),
    ),
    row(
      'size',
      'a body of 10 MiB is read; over it HTTP 413 with status 1',
      envelope('a body of 10 MiB is read, one byte more is 413 with status 1'),
      envelope('a body that comes in chunks without a length'),
      bad('about 10 MiB of things that are wrong at the end'),
    ),
    row(
      'rate',
      'requests a second by account and by address: HTTP 429, `Retry-After`, status 6',
      limited("over an account's limit it is 429 with Retry-After and status 6, and passes again"),
      inFile('sms-api/rate-limit')(
        'over the limit of an address it is 429, whoever calls; another address is free',
      ),
      inFile('sms-api/rate-limit')('under /v1 the limits are the same, and told in its own form'),
    ),
    row(
      'HTTP 200',
      'what was understood is answered with HTTP 200, failures too',
      badInput('every required field: missing, it is refused and the field is named'),
    ),
    row(
      'required',
      'of every operation: a required field that is missing is refused, and named',
      badInput('every required field: missing, it is refused and the field is named'),
    ),
    row(
      'types',
      'of every operation: a value of any type in any field is a documented status, and nothing is stored',
      badInput('wrong types in every field'),
    ),
    row(
      'HTTP 500',
      'a fault of the service: HTTP 500, status 999, a request id to quote',
      inBothForms('sms-api/fault')(
        'a fault of the service is HTTP 500 with status 999 and a request id, and stores nothing',
      ),
    ),
    row('roots', 'an unknown root, or several: 997', envelope('unknown and several operations are 997')),
    row(
      'paths',
      '`/api/` and `/api/test/` work like `/api` and `/api/test`',
      envelope('/api and /api/test with and without a slash at the end, and a query'),
    ),
    row(
      'methods',
      'a `GET` gets 405, and so does every method but `POST`',
      wrapped('other methods are 405 and name the one that is allowed'),
    ),
    row(
      'version',
      'answers to callers who have signed in carry `X-Carillon-Version`; strangers are not told',
      wrapped('no stranger is told the version of the service; who has signed in is'),
    ),
    row(
      'nothing stored',
      'a request that fails stores, sends and charges nothing, however it is broken',
      inFile('sms-api/fuzz')(
        'fuzz: good requests that were broken never make a fault, and store something only when they say so',
      ),
      inFile('sms-api/fuzz')('fuzz: values of any kind in any field of a dry run'),
    ),
  ],
};
