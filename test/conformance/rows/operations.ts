import { chapter, row } from '../row.ts';

/** Decisions: the operations beyond the interface's, and the dry run. The other single operations are in B1 to B11. */
export const operations = chapter({
  key: 'operations',
  title: '`balance`, `getApiToken`, `push_url`, `/api/test`',
  bothForms: true,
  rows: [
    row('balance', '`balance`: `status`, `message`, `balance`; a parent asks for its subscriber'),
    row(
      'getApiToken',
      '`getApiToken`: `token`, `expiration_date`; `new` makes one, `current` tells the one that calls',
    ),
    row(
      'getApiToken.refused',
      'another `action`: 502; unknown or not under the account: 503; none: 504; missing: 2',
    ),
    row('getApiToken.subscribers', 'a parent makes tokens for its subscribers, not the other way round'),
    row('push_url', '`push_url`: `type` `dlr`, `incoming` or `blacklist`, `url`'),
    row(
      'push_url.refused',
      'other types, no address, private addresses: 2; registered already: 517; more than ten: 511',
    ),
    row('dry run', '`/api/test` takes every operation, makes the same checks, and leaves nothing behind'),
  ],
});
