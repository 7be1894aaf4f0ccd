import { type AccessTable, programs, sends, sendsNothing } from '../access/rules.ts';

/** Twilio's resources Messages and IncomingPhoneNumbers, and Verify. */
export const twilioAccess: AccessTable = {
  'POST /2010-04-01/Accounts/:account/Messages.json': sends(programs('send'), 'plain'),
  'GET /2010-04-01/Accounts/:account/Messages.json': programs('read'),
  'GET /2010-04-01/Accounts/:account/Messages/:message': programs('read'),
  'GET /2010-04-01/Accounts/:account/IncomingPhoneNumbers.json': programs('read'),
  // Always refused: operators assign numbers.
  'POST /2010-04-01/Accounts/:account/IncomingPhoneNumbers.json': sendsNothing(programs('send')),
  'GET /2010-04-01/Accounts/:account/IncomingPhoneNumbers/:number': programs('read'),
  // The answers of the address that it sets are sent.
  'POST /2010-04-01/Accounts/:account/IncomingPhoneNumbers/:number': sendsNothing(programs('send')),
  'DELETE /2010-04-01/Accounts/:account/IncomingPhoneNumbers/:number': programs('send'),
  'POST /v2/Services/:service/Verifications': sends(programs('codes'), 'plain'),
  'GET /v2/Services/:service/Verifications/:verification': programs('codes'),
  'POST /v2/Services/:service/Verifications/:verification': sendsNothing(programs('codes')),
  'POST /v2/Services/:service/VerificationCheck': sendsNothing(programs('codes')),
};
