import { jsonOf } from '../support.ts';
import { json, type ProviderCase, REPORTS, status } from './case.ts';

const result = (messageId: string, groupName: string, name: string) => ({
  ...{ messageId, destination: '972501234567', status: { groupName, name } },
  details: { messageCount: 1 },
});
const infobipAnswer = (groupName: string, name: string) =>
  status(200, { bulkId: 'b1', messages: [result('7001', groupName, name)] });
const pending = result('7001', 'PENDING', 'PENDING_ACCEPTED');

export const infobip: ProviderCase = {
  secrets: { host: 'x1.api.infobip.com', key: 'k3y' },
  reads: (request) => {
    const [{ options, ...message }] = jsonOf(request).messages;
    return [request.path, request.headers.authorization, options.validityPeriod.timeUnit, message];
  },
  request: [
    '/sms/3/messages',
    'App k3y',
    'SECONDS',
    {
      sender: 'Shop',
      destinations: [{ to: '972501234567', messageId: '7001' }],
      content: { text: 'Hello' },
      webhooks: { delivery: { url: REPORTS }, contentType: 'application/json' },
    },
  ],
  answers: [
    [infobipAnswer('PENDING', 'PENDING_ACCEPTED'), ['7001']],
    [infobipAnswer('REJECTED', 'REJECTED_SENDER'), 'REJECTED_SENDER'],
    [infobipAnswer('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'), 'down'],
    [status(429, { errorCode: 'E429' }), 'throttled'],
    [status(401, { requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } }), 'down'],
    [status(400, { requestError: { serviceException: { messageId: 'BAD_REQUEST' } } }), 'BAD_REQUEST'],
  ],
  batch: {
    reply: status(200, {
      bulkId: 'b1',
      messages: [result('7002', 'REJECTED', 'REJECTED_DESTINATION'), pending],
    }),
    refused: 'REJECTED_DESTINATION',
    incomplete: status(200, { bulkId: 'b1', messages: [pending] }),
  },
  reports: [
    [
      json({
        results: [
          {
            messageId: '7001',
            to: '972501234567',
            status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' },
            error: { name: 'NO_ERROR' },
          },
        ],
      }),
      ...(['7001', 102, 'DELIVERED/NO_ERROR'] as const),
    ],
    [
      json({
        results: [
          {
            messageId: '7001',
            status: { groupName: 'UNDELIVERABLE' },
            error: { name: 'EC_ABSENT_SUBSCRIBER' },
          },
        ],
      }),
      ...(['7001', 101, 'UNDELIVERABLE/EC_ABSENT_SUBSCRIBER'] as const),
    ],
  ],
  incoming: json({
    results: [
      {
        messageId: 'i1',
        from: '972501234567',
        to: '97237654321',
        text: 'Hi ש',
        receivedAt: '2026-11-29T10:00:00Z',
      },
    ],
  }),
};
