import { signatureOf } from '../../../../server/protocols/http-carrier/twilio-signature.ts';
import { formOf } from '../support.ts';
import { basic, form, type ProviderCase, REPORTS, status } from './case.ts';

export const twilio: ProviderCase = {
  secrets: { account: 'AC0123', token: 'auth-token' },
  reads: (request) => [request.path, basic(request), formOf(request)],
  request: [
    '/2010-04-01/Accounts/AC0123/Messages.json',
    'AC0123:auth-token',
    { To: '+972501234567', From: 'Shop', Body: 'Hello', StatusCallback: REPORTS },
  ],
  answers: [
    [
      status(201, { sid: 'SM1', status: 'queued', num_segments: '1', price: null, error_code: null }),
      ['SM1'],
    ],
    [status(429, { code: 20429, message: 'Too Many Requests', status: 429 }), 'throttled'],
    [status(401, { code: 20003, message: 'Authenticate', status: 401 }), 'down'],
    [status(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }), '21211'],
    [status(400, { code: 21212, message: "Invalid 'From' Phone Number", status: 400 }), '21212'],
    [status(503), 'HTTP_503'],
  ],
  reports: [
    [form({ MessageSid: 'SM1', MessageStatus: 'sent', To: '+972501234567' }), 'SM1', -1, 'sent'],
    [form({ MessageSid: 'SM1', MessageStatus: 'delivered', To: '+972501234567' }), 'SM1', 102, 'delivered'],
    [
      form({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003', To: '+972501234567' }),
      ...(['SM1', 101, 'undelivered/30003'] as const),
    ],
  ],
  incoming: form({
    MessageSid: 'SM2',
    From: '+972501234567',
    To: '+97237654321',
    Body: 'Hi ש',
    NumMedia: '0',
  }),
  sign: async (url, body) => ({
    'x-twilio-signature': signatureOf('auth-token', url, Object.fromEntries(new URLSearchParams(body))),
  }),
};
