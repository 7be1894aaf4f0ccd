import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import {
  oneOf,
  page,
  pageAnswer,
  pageOf,
  queryText,
  readPage,
  timeSpan,
  yesNo,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { apiNames, type LoggedRequest } from '../../requests/request-log.ts';

const MAX_ROWS = 500;

const query = z.object({
  ...page(MAX_ROWS),
  ...timeSpan,
  door: oneOf(apiNames)
    .optional()
    .describe(
      '`sms` is `POST /api`, `chat` the chat API, `mail` the mailing-list API, `v1` what is under /v1.',
    ),
  operation: queryText(100).optional().describe('Only this operation.'),
  status: queryText(50).optional().describe('Only this status.'),
  refused: yesNo.describe('`true`: only refused requests; `false`: only those that were done.'),
  request_id: queryText(50).optional().describe('The request with this id.'),
});

const rowAnswer = z.object({
  id: out.id('Its id.', '1774337460000002'),
  at: out.time('When it was answered'),
  door: out.oneOf(apiNames, 'Where it came to.', 'sms'),
  operation: out.text(
    'The root of the SMS family (`test/` before it for `/api/test`), the last segment of the path of the chat API and of the mailing-list API, the name of the operation of /v1.',
    'sms',
  ),
  status: out.text(
    'What the answer says: the status of the SMS family, otherwise `ok` or why it was refused, in a word.',
    '0',
  ),
  refused: out.flag('Whether it was refused.', false),
  repeated: out.flag(
    'Whether it got the answer of an earlier request with the same send key, and nothing was done.',
    false,
  ),
  http_status: out.count('The status of HTTP.', 200),
  duration_ms: out.number('How long it took, in milliseconds, the answer included.', 4.211),
  address: out.text("The client's address.", '192.0.2.7'),
  request_id: out.text('What to quote when something went wrong.', '0b8f8a6e-5c1d-4b52-9f0e-5a0d7f0f9c11'),
});

const show = serializer(rowAnswer, ({ api, duration }: LoggedRequest) => ({
  door: api,
  duration_ms: duration / 1_000,
}));

type RequestLogDeps = Pick<CoreContext, 'requestLog'>;

const route = resource<RequestLogDeps>('account');

/** What was asked of the service with the tokens of an account. */
export const requestLogRoutes = [
  route('GET /v1/request-log', {
    operationId: 'listRequests',
    title: 'List the request log',
    description:
      'What was asked of the service with the tokens of the account, also for its subscribers, the newest first, a second behind. Bodies, texts and tokens are not kept.',
    query,
    answer: pageAnswer('requests', rowAnswer),
    handler: async ({ accountId, query: { after, limit, door, request_id, ...filter } }, { requestLog }) => {
      const wanted = { ...filter, accountId, api: door, before: after, requestId: request_id };
      return pageOf(
        'requests',
        show,
        readPage(limit, (most) => requestLog.find({ ...wanted, limit: most })),
      );
    },
  }),
];
