import { jsonOf } from '../support.ts';
import { json, type ProviderCase, status } from './case.ts';

export const clickatell: ProviderCase = {
  secrets: { key: 'k3y' },
  reads: (request) => [request.path, request.headers.authorization, jsonOf(request)],
  request: [
    '/v1/message',
    'k3y',
    { messages: [{ channel: 'sms', to: '972501234567', content: 'Hello', clientMessageId: '7001' }] },
  ],
  answers: [
    [
      status(202, {
        messages: [{ apiMessageId: 'm1', accepted: true, to: '972501234567', error: null }],
        error: null,
      }),
      ['m1'],
    ],
    [
      status(207, {
        messages: [{ apiMessageId: null, accepted: false, error: { code: 9, description: 'bad' } }],
      }),
      '9',
    ],
    [status(401, { error: { code: 108 } }), 'down'],
    [status(402, { error: { code: 301 } }), 'down'],
    [status(429), 'throttled'],
  ],
  batch: {
    reply: status(207, {
      messages: [
        { apiMessageId: '7001', accepted: true, to: '972501234567', error: null },
        { apiMessageId: null, accepted: false, to: '972501234567', error: { code: 120, description: 'bad' } },
      ],
      error: null,
    }),
    refused: '120',
    // Its results are in order, so nothing tells which one is missing.
    incomplete: status(202, {
      messages: [{ apiMessageId: 'm1', accepted: true, to: '972501234567', error: null }],
      error: null,
    }),
  },
  reports: [
    [
      json({
        event: {
          messageStatusUpdate: [
            { messageId: 'm1', to: '972501234567', statusCode: 4, status: 'RECEIVED_BY_RECIPIENT' },
          ],
        },
      }),
      ...(['m1', 102, 'RECEIVED_BY_RECIPIENT/4'] as const),
    ],
    [
      json({ event: { messageStatusUpdate: [{ messageId: 'm1', statusCode: 10, status: 'EXPIRED' }] } }),
      ...(['m1', 103, 'EXPIRED/10'] as const),
    ],
  ],
  incoming: json({
    event: {
      moText: [{ channel: 'sms', messageId: 'i1', from: '972501234567', to: '97237654321', content: 'Hi ש' }],
    },
  }),
};
