import { type Chapter, inFile, row } from '../row.ts';

const openApi = inFile('docs/openapi');
const tables = inFile('docs/tables');

/** The description at /docs, and that docs/ says what the code does. */
export const docs: Chapter = {
  title: 'Description and docs',
  bothForms: false,
  rows: [
    row(
      'openapi',
      '`/docs/openapi.json` is OpenAPI 3.1, with an operation for each root element',
      openApi('the document is one of OpenAPI 3.1'),
    ),
    row(
      'v1',
      'what it says of `/v1` is what `/v1` does',
      inFile('docs/openapi-v1')('what is said of /v1 is what it does'),
    ),
    row('page', '`/docs` is a page with every operation and examples that work', openApi('the page')),
    row(
      'statuses',
      'every status has its meaning, in docs/ the same as at `/docs`',
      inFile('docs/sms-api-description')('every status has its meaning'),
      tables('every request status that the code gives is in the docs'),
      tables('a request status means in the docs what it means at /docs'),
      tables('the delivery statuses of the docs are those of the code, in both languages'),
    ),
    row(
      'settings',
      'every setting is in docs/',
      tables('docs/settings.md has every setting, with its default and meaning'),
    ),
  ],
};
