import { SignJWT } from 'jose';
import { jsonOf } from '../support.ts';
import { basic, json, type ProviderCase, REPORTS, sha256, status } from './case.ts';

export const vonage: ProviderCase = {
  secrets: { key: 'abcd1234', secret: 'pw', signature: 'signature secret' },
  reads: (request) => {
    const { ttl, ...rest } = jsonOf(request);
    return [request.path, basic(request), typeof ttl, rest];
  },
  request: [
    '/v1/messages',
    'abcd1234:pw',
    'number',
    {
      ...{ channel: 'sms', message_type: 'text', to: '972501234567', from: 'Shop', text: 'Hello' },
      ...{ client_ref: '7001', webhook_url: REPORTS, webhook_version: 'v1' },
    },
  ],
  answers: [
    [
      status(202, { message_uuid: 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab' }),
      ['aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab'],
    ],
    [status(429, { title: 'Rate Limit Hit' }), 'throttled'],
    [status(401, { title: 'Unauthorized' }), 'down'],
    [status(402, { title: 'Low balance' }), 'down'],
    [status(422, { title: 'Invalid params', type: 'https://x.example/errors' }), 'Invalid params'],
  ],
  reports: [
    [
      json({ message_uuid: 'u1', to: '972501234567', status: 'submitted', channel: 'sms' }),
      'u1',
      -1,
      'submitted',
    ],
    [json({ message_uuid: 'u1', to: '972501234567', status: 'delivered' }), 'u1', 102, 'delivered'],
    [json({ message_uuid: 'u1', status: 'rejected', error: { title: 1_340 } }), 'u1', 101, 'rejected/1340'],
  ],
  incoming: json({
    ...{ channel: 'sms', message_type: 'text', message_uuid: 'u2' },
    ...{ from: '972501234567', to: '97237654321', text: 'Hi ש' },
  }),
  sign: async (_url, body, now) => {
    const token = new SignJWT({ payload_hash: sha256(body).toString('hex'), api_key: 'abcd1234' });
    const signed = token
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('Vonage')
      .setIssuedAt(Math.floor(now / 1_000));
    return { authorization: `Bearer ${await signed.sign(Buffer.from('signature secret'))}` };
  },
};
