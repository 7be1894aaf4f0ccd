import { type AccessTable, programs, sends } from '../access/rules.ts';

/** Kannel's interface. */
export const kannelAccess: AccessTable = {
  'GET /cgi-bin/sendsms': sends(programs('send'), 'plain'),
  'POST /cgi-bin/sendsms': sends(programs('send'), 'plain'),
};
