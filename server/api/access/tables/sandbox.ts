import { type AccessTable, sandboxChanges, sandboxReads } from '../rules.ts';

/** The simulated phones, mailboxes and clock of the sandbox. */
export const sandboxRoutes: AccessTable = {
  // Shows only that the sandbox runs, and its business number.
  'GET /v1/sandbox': { ...sandboxReads, roles: ['viewer'] },
  'GET /v1/sandbox/phones/:number': sandboxReads,
  'POST /v1/sandbox/phones/:number/sms': sandboxChanges,
  'POST /v1/sandbox/phones/:number/chat': sandboxChanges,
  'POST /v1/sandbox/phones/:number/files': sandboxChanges,
  'GET /v1/sandbox/files/:id': sandboxReads,
  'POST /v1/sandbox/phones/:number/call': sandboxChanges,
  'GET /v1/sandbox/phones/:number/calls/:file': sandboxReads,
  'GET /v1/sandbox/handsets/:number': sandboxReads,
  'GET /v1/sandbox/mailboxes/:address': sandboxReads,
  'GET /v1/sandbox/mailboxes/:address/:file': sandboxReads,
  'POST /v1/sandbox/mailboxes/:address/:id/answers': sandboxChanges,
  'GET /v1/sandbox/arrivals': sandboxReads,
  'GET /v1/sandbox/endings': sandboxReads,
  'POST /v1/sandbox/endings': sandboxChanges,
  'POST /v1/sandbox/clock': sandboxChanges,
};
