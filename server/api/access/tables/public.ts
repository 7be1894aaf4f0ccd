import { type AccessTable, open } from '../rules.ts';

/** Routes without sign-in: health, API description, files of the console, and pages behind links. */
export const publicRoutes: AccessTable = {
  'GET /healthz': open('nothing'),
  'GET /readyz': open('nothing'),
  'GET /metrics': open('nothing'),

  'GET /docs': open('nothing'),
  'GET /docs/api/:chapter': open('nothing'),
  'GET /docs/page.css': open('nothing'),
  'GET /docs/page.js': open('nothing'),
  'GET /docs/try.js': open('nothing'),
  'GET /docs/openapi.json': open('nothing'),
  'GET /docs/guide': open('nothing'),
  'GET /docs/guide/*': open('nothing'),

  'GET /': open('nothing'),
  'GET /before.js': open('nothing'),
  'GET /icon.svg': open('nothing'),
  'GET /assets/*': open('nothing'),

  'GET /contact': open('nothing'),
  'GET /pictures/:code': open('link'),
  'GET /l/:code': open('link'),
  'GET /u/:code': open('link'),
  'POST /u/:code': open('link'),
  'GET /v/:token': open('link'),
  'POST /v/:token': open('link'),
  'GET /a/:token': open('link'),
  'POST /a/:token': open('link'),

  'POST /oidc/:slug/logout': open('signature'),
};
