import { jsonOf } from '../support.ts';
import { hmac, json, type ProviderCase, sha256, status } from './case.ts';

export const bird: ProviderCase = {
  secrets: { workspace: 'w1', channel: 'c1', key: 'k3y', signing: 'signing key' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/workspaces/w1/channels/c1/messages',
    'AccessKey k3y',
    {
      receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: '+972501234567' }] },
      body: { type: 'text', text: { text: 'Hello' } },
      reference: '7001',
    },
  ],
  answers: [
    [status(202, { id: 'm1', status: 'accepted' }), ['m1']],
    [status(429, { code: 'RateLimitExceeded' }), 'throttled'],
    [status(401, { code: 'Unauthorized' }), 'down'],
    [status(422, { code: 'InvalidPayload' }), 'InvalidPayload'],
  ],
  reports: [
    [
      json({ service: 'channels', event: 'sms.outbound', payload: { id: 'm1', status: 'delivered' } }),
      ...(['m1', 102, 'delivered'] as const),
    ],
    [
      json({
        service: 'channels',
        event: 'sms.outbound',
        payload: { id: 'm1', status: 'delivery_failed', failure: { code: 5_104 } },
      }),
      ...(['m1', 101, 'delivery_failed/5104'] as const),
    ],
  ],
  incoming: json({
    service: 'channels',
    event: 'sms.inbound',
    payload: {
      id: 'm2',
      sender: { contact: { identifierKey: 'phonenumber', identifierValue: '+972501234567' } },
      receiver: { connector: { id: 'x', identifierValue: '+97237654321' } },
      body: { type: 'text', text: { text: 'Hi ש' } },
    },
  }),
  sign: async (url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    const signed = Buffer.concat([Buffer.from(`${time}\n${url}\n`), sha256(body)]);
    return { 'messagebird-signature': hmac('signing key', signed), 'messagebird-request-timestamp': time };
  },
};
