import { jsonOf } from '../support.ts';
import { hmac, json, type ProviderCase, status } from './case.ts';

const webhookKey = Buffer.from('a key of a webhook endpoint in tests');

export const carillon: ProviderCase = {
  secrets: {
    ...{ host: 'sms.example', token: 't0ken', username: 'shop' },
    webhook: `whsec_${webhookKey.toString('base64')}`,
  },
  reads: (request) => [
    ...[request.path, request.headers.authorization, request.headers['idempotency-key']],
    jsonOf(request),
  ],
  request: [
    ...['/api', 'Bearer t0ken', '7001'],
    {
      sms: {
        user: { username: 'shop' },
        source: 'Shop',
        destinations: { phone: [{ $: { id: '7001' }, _: '+972501234567' }] },
        message: 'Hello',
        includes_international: '1',
      },
    },
  ],
  answers: [
    [status(200, { status: 0, message: 'SMS will be sent', shipment_id: 's1' }), ['7001']],
    [status(200, { status: 3, message: 'wrong token' }), 'down'],
    [status(200, { status: 4, message: 'no credit' }), 'down'],
    [status(200, { status: 9, message: 'bad destination' }), '9'],
    [status(200, { status: 6, message: 'try again' }), '6'],
    [status(429, { status: 6 }), 'throttled'],
  ],
  reports: [
    [
      json({
        type: 'message.status',
        data: { external_id: '7001', phone: '972501234567', status: 102, code: 'DELIVRD' },
      }),
      ...(['7001', 102, '102/DELIVRD'] as const),
    ],
    [
      json({ type: 'message.status', data: { external_id: '7001', status: 103, code: null } }),
      ...(['7001', 103, '103'] as const),
    ],
  ],
  incoming: json({
    type: 'sms.incoming',
    data: { source: '972501234567', destination: '97237654321', message: 'Hi ש' },
  }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${hmac(webhookKey, `evt_1.${time}.${body}`)}`,
    };
  },
};
