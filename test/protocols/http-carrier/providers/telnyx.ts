import { generateKeyPairSync, sign } from 'node:crypto';
import { jsonOf } from '../support.ts';
import { json, type ProviderCase, REPORTS, status } from './case.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

export const telnyx: ProviderCase = {
  secrets: {
    key: 'KEY0123',
    profile: 'profile-1',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/v2/messages',
    'Bearer KEY0123',
    {
      ...{ from: 'Shop', to: '+972501234567', text: 'Hello' },
      ...{ messaging_profile_id: 'profile-1', webhook_url: REPORTS },
    },
  ],
  answers: [
    [
      status(200, { data: { id: 'm1', record_type: 'message', parts: 1, cost: { amount: '0.0051' } } }),
      ['m1'],
    ],
    [status(429, { errors: [{ code: '10011', title: 'Too many requests' }] }), 'throttled'],
    [status(401, { errors: [{ code: '10009' }] }), 'down'],
    [status(403, { errors: [{ code: '20100' }] }), 'down'],
    [status(422, { errors: [{ code: '40310' }] }), '40310'],
  ],
  reports: [
    [
      json({
        data: {
          event_type: 'message.finalized',
          payload: { id: 'm1', to: [{ phone_number: '+972501234567', status: 'delivered' }], errors: [] },
        },
      }),
      ...(['m1', 102, 'delivered'] as const),
    ],
    [
      json({
        data: {
          event_type: 'message.finalized',
          payload: { id: 'm1', to: [{ status: 'delivery_failed' }], errors: [{ code: '40008' }] },
        },
      }),
      ...(['m1', 101, 'delivery_failed/40008'] as const),
    ],
  ],
  incoming: json({
    data: {
      event_type: 'message.received',
      payload: {
        id: 'm2',
        from: { phone_number: '+972501234567' },
        to: [{ phone_number: '+97237654321' }],
        text: 'Hi ש',
      },
    },
  }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${time}|${body}`), privateKey).toString('base64'),
      'telnyx-timestamp': time,
    };
  },
};
