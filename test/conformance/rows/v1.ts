import { chapter, row } from '../row.ts';

/** The service's own JSON API: contact lists as CSV, clicks. */
export const v1 = chapter({
  key: 'v1',
  title: '`/v1`: lists as files, clicks',
  bothForms: false,
  rows: [
    row('lists', 'lists of the account, page by page'),
    row('token', 'needs a token; a parent acts for its subscriber'),
    row('import', 'CSV as spreadsheets write it; further files find the columns by their names'),
    row('import.rows', 'bad rows are left out, each with its line and reason'),
    row('import.progress', 'progress is told, and it can be stopped'),
    row('import.refused', 'files that cannot be used, or are too large, leave nothing'),
    row('export', 'a list as a file, at once or in the background, which imports as the same list'),
    row('restart', 'imports and exports go on after a restart where they stood'),
    row('clicks', 'clicks by link and by recipient, people, previews and bots apart'),
  ],
});
