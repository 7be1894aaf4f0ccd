import { type Chapter, inFile, row } from '../row.ts';

const imports = inFile('v1/imports');
const exported = inFile('v1/exports');
const lists = inFile('v1/contact-lists');
const links = inFile('v1/links');

/** The service's own JSON API: contact lists as CSV, clicks. */
export const v1: Chapter = {
  title: '`/v1`: lists as files, clicks',
  bothForms: false,
  rows: [
    row('lists', 'lists of the account, page by page', lists('lists of the account, page by page')),
    row(
      'token',
      'needs a token; a parent acts for its subscriber',
      lists('without a token, with a wrong one, and with one of another account'),
      lists('a parent acts for its subscriber, and not the other way round'),
    ),
    row(
      'import',
      'CSV as spreadsheets write it; further files find the columns by their names',
      imports('a file as spreadsheets write it: byte-order mark, semicolons, quotes, CRLF'),
      imports('further files find the columns of the list by their names, two of one name among them'),
    ),
    row(
      'import.rows',
      'bad rows are left out, each with its line and reason',
      imports('bad rows are left out and reported, each with its line and reason'),
      imports('thousands of bad rows are all in the report, the first hundred in the answer'),
    ),
    row(
      'import.progress',
      'progress is told, and it can be stopped',
      imports('under way it tells how far it is; stopped, it keeps what it has and counts it right'),
    ),
    row(
      'import.refused',
      'files that cannot be used, or are too large, leave nothing',
      imports('files that cannot be used are refused, and nothing is left of them'),
      imports('a file that says it is too large is refused before it is sent'),
      imports('a file that breaks off leaves nothing'),
    ),
    row(
      'export',
      'a list as a file, at once or in the background, which imports as the same list',
      exported('a list as a file, which imports as the same list'),
      exported('in the background: how far it is, the file when it is done, and nothing after a week'),
      exported('stopped in the middle it ends there, and what it had written is gone'),
    ),
    row(
      'restart',
      'imports and exports go on after a restart where they stood',
      inFile('v1/imports-restart')(
        'imports and exports go on after kill -9 where they stood: nothing is left out, done twice or miscounted',
      ),
    ),
    row(
      'clicks',
      'clicks by link and by recipient, people, previews and bots apart',
      links('every link of a shipment has its clicks and recipients by kind of visitor'),
      links('each recipient has a row for each link followed, with counts and times'),
      links('another account sees nothing of a shipment; a parent sees those of its subscribers'),
    ),
  ],
};
