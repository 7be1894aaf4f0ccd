import { type AccessTable, programs, sends, sendsNothing } from '../access/rules.ts';

/** Jasmin's interface. */
export const jasminAccess: AccessTable = {
  'GET /jasmin/send': sends(programs('send'), 'plain'),
  'POST /jasmin/send': sends(programs('send'), 'plain'),
  'GET /jasmin/rate': programs('send'),
  'POST /jasmin/rate': sendsNothing(programs('send')),
  'GET /jasmin/balance': programs('billing'),
  'POST /jasmin/balance': sendsNothing(programs('billing')),
};
