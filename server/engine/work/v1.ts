import { z } from 'zod';
import { operatorChanges, operatorReads, sendsNothing, withoutProof } from '../../api/access/rules.ts';
import { out } from '../../api/openapi/out.ts';
import { field, idText, notFound, oneOf, queryText, rowsAnswer, text } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../run/services.ts';
import { listItems, listWork, workStates } from './list.ts';

/** Characters of a kind. */
const MAX_KIND = 40;

const kind = out.text('Kind of work.', 'media-fetch');
const accountId = out.id('Account that the work is for; 0: the operator.', '1774337460000003');
const username = out.maybeText('User name of that account; null: the operator.', 'shop');

const groupAnswer = z.object({
  kind,
  account_id: accountId,
  username,
  waiting: out.count('Items that wait for their first attempt or their next turn.', 12),
  running: out.count('Items that a process works on.', 2),
  retrying: out.count('Items whose last attempt failed, and that are tried again.', 3),
  failed: out.count('Abandoned items.', 1),
  oldest_at: out.maybeTime('Time of the earliest next attempt'),
  last_error: out.maybeText('Error of one of the failed attempts.', 'HTTP 503'),
});
const itemAnswer = z.object({
  kind,
  account_id: accountId,
  username,
  key: out.id('Id of the file, job, request or message that needs the work.', '1774337460000002'),
  state: out.oneOf(
    workStates,
    '`waiting`, `running`, `retrying` after a failed attempt, or `failed`: abandoned.',
    'retrying',
  ),
  attempts: out.count('Attempts since the last success.', 3),
  due_at: out.time('Time of the next attempt; of a failed item the time of its end'),
  created_at: out.time('Time of the request that caused the work'),
  last_error: out.maybeText('Error of the last attempt.', 'HTTP 503'),
  can_retry: out.flag('Whether it can be retried now.', true),
  can_discard: out.flag('Whether it can be discarded now.', true),
});
const showGroup = serializer(groupAnswer);
const showItem = serializer(itemAnswer);

const query = z.object({
  kind: queryText(MAX_KIND).optional().describe('Only this kind.'),
  account: idText('an account').optional().describe('Only work for this account; 0: the operator.'),
  state: oneOf(workStates).optional().describe('Only items in this state.'),
});

const item = z.object({
  kind: field(text.max(MAX_KIND), 'Kind of work.', 'media-fetch'),
  account_id: field(
    idText('an account'),
    'Account that the work is for; 0: the operator.',
    '1774337460000003',
  ),
  key: field(idText('an item'), '`key` of the item.', '1774337460000002'),
});

type Deps = Pick<CoreContext, 'sql' | 'work'>;

const route = resource<Deps>('operator');

/** Background work of all accounts. For operators. */
export const operatorWorkRoutes = [
  route('GET /v1/operator/work', {
    access: operatorReads,
    operationId: 'listWork',
    title: 'List background work',
    description:
      'Counts background work by kind and account, groups with failed items first. Returns 500 groups at most.',
    answer: rowsAnswer('work', groupAnswer),
    handler: async (_call, { sql }) => ({
      work: (await listWork(sql)).map((group) =>
        showGroup({
          ...group,
          account_id: group.accountId,
          username: group.username ?? null,
          oldest_at: group.oldestAt,
          last_error: group.error || null,
        }),
      ),
    }),
  }),
  route('GET /v1/operator/work/items', {
    access: operatorReads,
    operationId: 'listWorkItems',
    title: 'List items of background work',
    description: 'Lists items, those that are due first. Returns 200 at most.',
    query,
    answer: rowsAnswer('items', itemAnswer),
    handler: async ({ query: given }, { sql, work }) => {
      const filter = {
        kind: given.kind,
        state: given.state,
        accountId: given.account === undefined ? undefined : Number(given.account),
      };
      return {
        items: (await listItems(sql, filter)).map((one) => {
          const { retry, discard } = work.permits(one.kind, one.state);
          return showItem({
            ...one,
            account_id: one.accountId,
            username: one.username ?? null,
            due_at: one.dueAt,
            created_at: one.createdAt,
            last_error: one.error || null,
            can_retry: retry,
            can_discard: discard,
          });
        }),
      };
    },
  }),
  route('POST /v1/operator/work/retry', {
    access: sendsNothing(withoutProof(operatorChanges, 'repeats work that its account has asked for')),
    operationId: 'retryWork',
    title: 'Retry an item of background work',
    description:
      'Makes the next attempt due now, even for an abandoned item. Returns `not-now` for an item that a process works on, and for one that cannot be repeated.',
    refusals: ['not-found', 'not-now'],
    body: item,
    handler: async ({ body, audit }, { work }) => {
      if (!(await work.retry(keyOf(body)))) throw notFound('item');
      audit({ after: body });
    },
  }),
  route('POST /v1/operator/work/discard', {
    access: sendsNothing(
      withoutProof(operatorChanges, 'ends an attempt; exports and erasures of people cannot be discarded'),
    ),
    operationId: 'discardWork',
    title: 'Discard an item of background work',
    description:
      'Deletes the item without further attempts. The file, alert or job that needed it counts as failed. Returns `not-now` for an item that a process works on, and for kinds that must not be discarded while they wait.',
    refusals: ['not-found', 'not-now'],
    body: item,
    handler: async ({ body, audit }, { work }) => {
      if (!(await work.discard(keyOf(body)))) throw notFound('item');
      audit({ before: body });
    },
  }),
];

const keyOf = (body: z.output<typeof item>) => ({
  kind: body.kind,
  accountId: Number(body.account_id),
  key: Number(body.key),
});
