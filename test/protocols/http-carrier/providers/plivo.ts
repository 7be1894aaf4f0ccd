import { jsonOf } from '../support.ts';
import { basic, form, hmac, type ProviderCase, REPORTS, status } from './case.ts';

export const plivo: ProviderCase = {
  secrets: { account: 'MA0123', token: 'auth-token' },
  reads: (request) => [request.path, basic(request), jsonOf(request)],
  request: [
    '/v1/Account/MA0123/Message/',
    'MA0123:auth-token',
    { src: 'Shop', dst: '972501234567', text: 'Hello', url: REPORTS, method: 'POST' },
  ],
  answers: [
    [status(202, { message: 'message(s) queued', message_uuid: ['u1'], api_id: 'a1' }), ['u1']],
    [status(429, { error: 'rate limit' }), 'throttled'],
    [status(401, 'Could not verify your access level for that URL.'), 'down'],
    [status(400, { error: 'dst parameter is invalid', api_id: 'a1' }), 'dst parameter is invalid'],
  ],
  reports: [
    [
      form({ MessageUUID: 'u1', Status: 'delivered', ErrorCode: '000', To: '972501234567' }),
      'u1',
      102,
      'delivered',
    ],
    [
      form({ MessageUUID: 'u1', Status: 'undelivered', ErrorCode: '300', To: '972501234567' }),
      'u1',
      101,
      'undelivered/300',
    ],
  ],
  incoming: form({ MessageUUID: 'u2', From: '972501234567', To: '97237654321', Text: 'Hi ש', Type: 'sms' }),
  sign: async (url) => ({
    'x-plivo-signature-v2': hmac('auth-token', `${url.split('?')[0]}n0nce`),
    'x-plivo-signature-v2-nonce': 'n0nce',
  }),
};
