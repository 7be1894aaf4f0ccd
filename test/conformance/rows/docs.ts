import { chapter, row } from '../row.ts';

/** The description at /docs, and that docs/ says what the code does. */
export const docs = chapter({
  key: 'docs',
  title: 'Description and docs',
  bothForms: false,
  rows: [
    row('openapi', '`/docs/openapi.json` is OpenAPI 3.1, with an operation for each root element'),
    row('v1', 'what it says of `/v1` is what `/v1` does'),
    row('page', '`/docs` leads to every operation, on a page for each chapter, with examples that work'),
    row('statuses', 'every status has its meaning, in docs/ the same as at `/docs`'),
    row('settings', 'every setting is in docs/'),
  ],
});
