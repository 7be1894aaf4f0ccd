import { type AccessTable, anyProgram, open, programs, sends } from '../rules.ts';

/** Operations of `POST /api`, by the root of the body. `/api/test` has the same rights. */
export const smsOperations: AccessTable = {
  sms: sends(programs('send'), 'plain'),
  bulk: sends(programs('send'), 'plain'),
  cancel: programs('send'),
  verify_phone: sends(programs('send')),
  dlr: programs('read'),
  dlrByDate: programs('read'),
  dlrbyDate: programs('read'),
  ttsDlr: programs('read'),
  incoming: programs('read'),
  getVerifiedPhones: programs('read', 'send'),
  blacklist: programs('contacts'),
  addNumBL: programs('contacts'),
  rmNumBL: programs('contacts'),
  newCL: programs('contacts'),
  removeCL: programs('contacts'),
  addNumCL: programs('contacts'),
  rmNumCL: programs('contacts'),
  getCL: programs('contacts'),
  getCLbyID: programs('contacts'),
  send_otp: sends(programs('codes')),
  validate_otp: programs('codes'),
  push_url: programs('webhooks'),
  balance: programs('billing', 'send', 'read'),
  addSub: sends(programs('billing')),
  updateAmountSub: sends(programs('billing')),
  getBlanceSubs: programs('billing'),
  // What it makes has at most the scopes of the token that asks, and is revoked with it.
  getApiToken: anyProgram,
};

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
