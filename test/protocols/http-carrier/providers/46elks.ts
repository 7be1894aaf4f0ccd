import { formOf } from '../support.ts';
import { basic, form, type ProviderCase, REPORTS, status } from './case.ts';

export const elks: ProviderCase = {
  secrets: { username: 'u0123', password: 'pw' },
  reads: (request) => [request.path, basic(request), formOf(request)],
  request: [
    '/a1/sms',
    'u0123:pw',
    { from: 'Shop', to: '+972501234567', message: 'Hello', whendelivered: REPORTS },
  ],
  answers: [
    [status(200, { id: 's70df59', status: 'created', parts: 1, cost: 3_500 }), ['s70df59']],
    [status(401, 'API access requires Basic HTTP authentication.'), 'down'],
    [status(403, 'Not enough credits'), 'down'],
    [status(400, 'Invalid to number'), 'Invalid to number'],
    [status(429), 'throttled'],
  ],
  reports: [
    [
      form({ id: 's70df59', status: 'delivered', delivered: '2026-11-29T10:00:00' }),
      's70df59',
      102,
      'delivered',
    ],
    [form({ id: 's70df59', status: 'failed' }), 's70df59', 101, 'failed'],
  ],
  incoming: form({
    id: 's2',
    direction: 'incoming',
    from: '+972501234567',
    to: '+97237654321',
    message: 'Hi ש',
  }),
};
