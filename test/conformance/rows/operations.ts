import { type Chapter, inBothForms, row } from '../row.ts';

const tokens = inBothForms('sms-api/tokens-and-balance');
const push = inBothForms('sms-api/push-url');
const names = tokens("getApiToken: action, unknown names, other people's accounts");

/** Decisions: the operations beyond the interface's, and the dry run. The other single operations are in B1 to B11. */
export const operations: Chapter = {
  title: '`balance`, `getApiToken`, `push_url`, `/api/test`',
  bothForms: true,
  rows: [
    row(
      'balance',
      '`balance`: `status`, `message`, `balance`; a parent asks for its subscriber',
      tokens('balance is exact to four places'),
      tokens('a parent asks for the balance of its subscriber'),
    ),
    row(
      'getApiToken',
      '`getApiToken`: `token`, `expiration_date`; `new` makes one, `current` tells the one that calls',
      tokens('getApiToken makes tokens that work, and tells the caller its own, in both fields'),
      tokens('getApiToken tells when a token expires, 365 days after it was made'),
    ),
    row(
      'getApiToken.refused',
      'another `action`: 502; unknown or not under the account: 503; none: 504; missing: 2',
      names,
    ),
    row(
      'getApiToken.subscribers',
      'a parent makes tokens for its subscribers, not the other way round',
      names,
    ),
    row(
      'push_url',
      '`push_url`: `type` `dlr`, `incoming` or `blacklist`, `url`',
      push('each type of push comes to the address that was registered for it'),
      push('a parent registers for its subscriber'),
    ),
    row(
      'push_url.refused',
      'other types, no address, private addresses: 2; registered already: 517; more than ten: 511',
      push('what cannot be used is status 2 and names the field'),
      push('private addresses are refused outside of the sandbox, however they are spelled'),
      push('an address that is registered already is 517, for its type and its account'),
      push('a dry run registers nothing; an account has ten addresses of a type at most'),
    ),
    row(
      'dry run',
      '`/api/test` takes every operation, makes the same checks, and leaves nothing behind',
      inBothForms('sms-api/isolation')("every operation leaves what is another's alone"),
      inBothForms('sms-api/bad-input')('wrong types in every field'),
    ),
  ],
};
