import { formOf } from '../support.ts';
import { basic, form, type ProviderCase, REPORTS, status } from './case.ts';
import { twilio } from './twilio.ts';

const report = (CallStatus: string, more: Record<string, string> = {}) =>
  form({ CallSid: 'CA1', AccountSid: 'AC0123', To: '+972501234567', CallStatus, ...more });

export const twilioCalls: ProviderCase = {
  callerId: '+97237654321',
  secrets: { account: 'AC0123', token: 'auth-token' },
  reads: (request) => [request.path, basic(request), formOf(request)],
  request: [
    '/2010-04-01/Accounts/AC0123/Calls.json',
    'AC0123:auth-token',
    {
      To: '+972501234567',
      From: '+97237654321',
      Twiml:
        '<Response><Say voice="Google.en-US-Standard-C" loop="2">Code four, eight, two, nine, &amp; more</Say></Response>',
      StatusCallback: REPORTS,
    },
  ],
  answers: [
    [status(201, { sid: 'CA1', status: 'queued', to: '+972501234567', price: null }), ['CA1']],
    [status(429, { code: 20429, message: 'Too Many Requests', status: 429 }), 'throttled'],
    [status(401, { code: 20003, message: 'Authenticate', status: 401 }), 'down'],
    [status(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }), 'NO_SUCH_NUMBER/21211'],
    [status(400, { code: 21212, message: "Invalid 'From' Phone Number", status: 400 }), 'REFUSED/21212'],
    [status(503), 'HTTP_503'],
  ],
  reports: [
    [report('ringing'), 'CA1', -1, 'ringing'],
    [report('completed', { CallDuration: '12', SipResponseCode: '200' }), 'CA1', 102, 'HEARD'],
    [report('busy', { SipResponseCode: '486' }), 'CA1', 101, 'BUSY/busy/486'],
    [report('no-answer'), 'CA1', 2, 'NO_ANSWER/no-answer'],
    [report('failed', { SipResponseCode: '404' }), 'CA1', 6, 'REFUSED/failed/404'],
    [report('canceled'), 'CA1', 6, 'REFUSED/canceled'],
  ],
  sign: twilio.sign!,
};
