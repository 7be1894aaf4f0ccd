import { type AccessTable, open } from '../../api/access/rules.ts';

/** Requests of providers with an HTTP interface: reports and incoming messages. */
export const smsAccess: AccessTable = {
  'GET /carrier-requests/:connector/:secret/reports': open('signature'),
  'POST /carrier-requests/:connector/:secret/reports': open('signature'),
  'GET /carrier-requests/:connector/:secret/incoming': open('signature'),
  'POST /carrier-requests/:connector/:secret/incoming': open('signature'),
};
