import { type AccessTable, open } from '../rules.ts';

/** Answers 405. */
const wrongMethod = open('nothing');

export const smsRoutes: AccessTable = {
  'POST /api': open('operation'),
  'GET /api': wrongMethod,
  'PUT /api': wrongMethod,
  'PATCH /api': wrongMethod,
  'DELETE /api': wrongMethod,
  'POST /api/test': open('operation'),
  'GET /api/test': wrongMethod,
  'PUT /api/test': wrongMethod,
  'PATCH /api/test': wrongMethod,
  'DELETE /api/test': wrongMethod,
};
