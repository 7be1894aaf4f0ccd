import { z } from 'zod';
import type { CoreContext } from '../../run/services.ts';
import { reads } from '../access/rules.ts';
import { out } from '../openapi/out.ts';
import { oneOf, page, pageAnswer, pageOf, queryText, readPage, timeSpan, yesNo } from '../v1/kit/fields.ts';
import { resource } from '../v1/kit/route.ts';
import { serializer } from '../v1/kit/serializer.ts';
import { apiNames, type LoggedRequest } from './request-log.ts';

const MAX_ROWS = 500;

const query = z.object({
  ...page(MAX_ROWS),
  ...timeSpan,
  api: oneOf(apiNames)
    .optional()
    .describe(
      'Filters by API: `sms` is `POST /api`, `chat` the chat API, `mail` the mailing-list API, `v1` the paths under /v1.',
    ),
  operation: queryText(100).optional().describe('Filters by operation.'),
  status: queryText(50).optional().describe('Filters by status.'),
  refused: yesNo.describe('`true`: only refused requests; `false`: only successful ones.'),
  request_id: queryText(50).optional().describe('Filters by request id.'),
});

const rowAnswer = z.object({
  id: out.id('Id of the request.', '1774337460000002'),
  at: out.time('Time of the response'),
  api: out.oneOf(apiNames, 'API that received the request.', 'sms'),
  operation: out.text(
    'Root element for the SMS API (with `test/` before it for `/api/test`), last segment of the path for the chat API and the mailing-list API, name of the operation for /v1.',
    'sms',
  ),
  status: out.text('Result: the status for the SMS API, otherwise `ok` or the error code.', '0'),
  refused: out.flag('Whether the request was refused.', false),
  repeated: out.flag(
    'Whether the response of an earlier request with the same send key was repeated.',
    false,
  ),
  http_status: out.count('HTTP status.', 200),
  duration_ms: out.number('Duration in milliseconds, including the response.', 4.211),
  address: out.text('Address of the client.', '192.0.2.7'),
  request_id: out.text(
    'Id of the request, to quote in a fault report.',
    '0b8f8a6e-5c1d-4b52-9f0e-5a0d7f0f9c11',
  ),
  shipment_ids: out.texts('Ids of the shipments that the request made.', ['1774337460000001']),
});

const show = serializer(rowAnswer, ({ duration, shipments }: LoggedRequest) => ({
  duration_ms: duration / 1_000,
  shipment_ids: (shipments ?? []).map(String),
}));

type RequestLogDeps = Pick<CoreContext, 'requestLog'>;

const route = resource<RequestLogDeps>('account');

/** Requests with the tokens of an account. */
export const requestLogRoutes = [
  route('GET /v1/request-log', {
    access: reads('viewer', 'read'),
    operationId: 'listRequests',
    title: 'List the request log',
    description:
      'Lists the requests with the tokens of the account, also for its subscribers, newest first, with a delay of a second. Bodies, texts and tokens are not stored.',
    query,
    answer: pageAnswer('requests', rowAnswer),
    handler: async ({ accountId, query: { after, limit, request_id, ...filter } }, { requestLog }) => {
      const wanted = { ...filter, accountId, before: after, requestId: request_id };
      return pageOf(
        'requests',
        show,
        readPage(limit, (most) => requestLog.find({ ...wanted, limit: most })),
      );
    },
  }),
];
