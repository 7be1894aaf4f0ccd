import { z } from 'zod';
import { doorNames, type LoggedRequest, type RequestLog } from '../../requests/request-log.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { afterId, cut, iso, isoTime, next, timeSpan, yesNo } from './fields.ts';

const ROWS_MOST = 500;

const query = z.object({
  after: afterId,
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  ...timeSpan,
  door: z
    .enum(doorNames, `must be one of ${doorNames.join(', ')}`)
    .optional()
    .describe('`sms` is `POST /api`, `chat` the chat API, `v1` what is under /v1.'),
  operation: z.string().max(100, 'over 100 characters').optional().describe('The operation alone.'),
  status: z.string().max(50, 'over 50 characters').optional().describe('The status alone.'),
  refused: yesNo.describe('`true`: what was refused alone; `false`: what was done alone.'),
  request_id: z.string().max(50, 'over 50 characters').optional().describe('The request with this id.'),
});

const rowAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000002'),
  at: isoTime('When it was answered'),
  door: answered(z.enum(doorNames), 'Where it came to.', 'sms'),
  operation: answered(
    z.string(),
    'The root of the SMS family (`test/` before it for `/api/test`), the path of the chat API, the name of the operation of /v1.',
    'sms',
  ),
  status: answered(
    z.string(),
    'What the answer says: the status of the SMS family, otherwise `ok` or why it was refused, in a word.',
    '0',
  ),
  refused: answered(z.boolean(), 'Whether it was refused.', false),
  repeated: answered(
    z.boolean(),
    'Whether it got the answer of an earlier request with the same send key, and nothing was done.',
    false,
  ),
  http_status: answered(z.int(), 'The status of HTTP.', 200),
  duration_ms: answered(z.number(), 'How long it took, in milliseconds, the answer included.', 4.211),
  address: answered(z.string(), "The client's address.", '192.0.2.7'),
  request_id: answered(
    z.string(),
    'What to quote when something went wrong.',
    '0b8f8a6e-5c1d-4b52-9f0e-5a0d7f0f9c11',
  ),
});

/**
 * The request log under /v1, a part of the door:
 * - `GET /request-log?after=&limit=&from=&to=&door=&operation=&status=&refused=&request_id=`: what was asked of the
 *   service with the account's tokens, the newest first
 */
export function requestLogPart({ requestLog }: { readonly requestLog: Pick<RequestLog, 'find'> }): V1Part {
  return (app, accountOf) => {
    app.get(
      '/request-log',
      described({
        chapter: 'account',
        id: 'listRequests',
        title: 'Requests of the last days',
        description:
          'What was asked of the service with the tokens of the account, also for its subscribers, the newest first, a second behind. Bodies, texts and tokens are not kept.',
        query,
        answer: z.object({ requests: z.array(rowAnswer), next }),
      }),
      async (request) => {
        const { after, limit, from, to, door, operation, status, refused, request_id } = read(
          query,
          request.query,
        );
        const found = await requestLog.find({
          accountId: accountOf(request).id,
          before: after,
          limit: limit + 1,
          from,
          to,
          door,
          operation,
          status,
          refused,
          requestId: request_id,
        });
        const page = cut(found, limit);
        return { requests: page.rows.map(show), next: page.next };
      },
    );
  };
}

function show(row: LoggedRequest): z.output<typeof rowAnswer> {
  return {
    id: String(row.id),
    at: iso(row.at),
    door: row.door,
    operation: row.operation,
    status: row.status,
    refused: row.refused,
    repeated: row.repeated,
    http_status: row.httpStatus,
    duration_ms: row.duration / 1_000,
    address: row.address,
    request_id: row.requestId,
  };
}
