import { jsonOf } from '../support.ts';
import { hmac, json, type ProviderCase, REPORTS, status } from './case.ts';

export const sinch: ProviderCase = {
  signature: { scheme: 'sinch', secret: 'webhook', maxAge: 300 },
  secrets: { region: 'eu', plan: 'plan1', token: 't0ken', webhook: 'webhook secret' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/xms/v1/plan1/batches',
    'Bearer t0ken',
    {
      ...{ from: 'Shop', to: ['972501234567'], body: 'Hello', delivery_report: 'per_recipient' },
      ...{ callback_url: REPORTS, client_reference: '7001' },
    },
  ],
  answers: [
    [status(201, { id: '01FC66621XXXXX119Z8PMV1QPQ', canceled: false }), ['01FC66621XXXXX119Z8PMV1QPQ']],
    [status(429), 'throttled'],
    [status(401, { code: 'unauthorized' }), 'down'],
    [
      status(400, { code: 'syntax_invalid_parameter_format', text: 'bad' }),
      'syntax_invalid_parameter_format',
    ],
    [status(403, { code: 'missing_callback_url' }), 'missing_callback_url'],
  ],
  reports: [
    [
      json({
        type: 'recipient_delivery_report_sms',
        batch_id: 'b1',
        recipient: '972501234567',
        code: 0,
        status: 'Delivered',
      }),
      ...(['b1', 102, 'Delivered'] as const),
    ],
    [
      json({
        type: 'recipient_delivery_report_sms',
        batch_id: 'b1',
        recipient: '972501234567',
        code: 406,
        status: 'Expired',
      }),
      ...(['b1', 103, 'Expired/406'] as const),
    ],
  ],
  incoming: json({ type: 'mo_text', id: 'm1', from: '972501234567', to: '97237654321', body: 'Hi ש' }),
  sign: async (_url, body, now) => {
    const time = String(Math.floor(now / 1_000));
    return {
      'x-sinch-webhook-signature': hmac('webhook secret', `${body}.n0nce.${time}`),
      'x-sinch-webhook-signature-nonce': 'n0nce',
      'x-sinch-webhook-signature-timestamp': time,
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
    };
  },
};
