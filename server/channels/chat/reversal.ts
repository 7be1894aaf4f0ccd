import { numbers } from '../../database/arrays.ts';
import type { Query, Row, TransactionSql } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';
import type { DeliveryHooks } from '../../engine/dispatch/hooks.ts';
import type { CancelledMessages } from '../../engine/messages/cancel.ts';
import { lanes } from '../../engine/messages/lanes.ts';
import { EPOCH, PER_MILLISECOND } from '../../kit/ids.ts';
import { CANCELLED } from '../../kit/statuses.ts';
import { CHAT_ROUTES, chatChannel } from './channel.ts';
import { chatCodec, isTemplate } from './content.ts';
import { chatStatus } from './statuses.ts';
import { ANSWERED_WITHIN_MS, DAY_MS } from './windows.ts';

/**
 * Milliseconds: the message of a campaign and the conversation that it opened have the same time, except for the
 * duration of a step.
 */
const STEP_MS = 60_000;

/** Delivery hooks of chat. */
export const chatDelivery: DeliveryHooks = {
  eventType: 'chat.status',

  submitted: ({ messageId, shipmentId, connector, phone, handedAt }) => ({
    type: 'chat.status',
    at: handedAt,
    data: {
      message_id: messageId,
      shipment_id: shipmentId,
      from: connector.slice(CHAT_ROUTES.length),
      to: phone,
      status: 'sent',
      reason: null,
    },
  }),

  final({ id: message_id, shipment_id, phone, source, code, status, final_at }) {
    const isDelivered = status === chatStatus.delivered;
    const what = {
      status: isDelivered ? ('delivered' as const) : ('failed' as const),
      reason: isDelivered ? null : code,
    };
    return {
      type: 'chat.status',
      at: final_at,
      data: { message_id, shipment_id, from: source, to: phone, ...what },
    };
  },

  async adjust(tx, accountId, { reversed, reinstated }) {
    const idsOf = (messages: readonly { readonly id: number }[]) => messages.map(({ id }) => id);
    await reverse(tx, accountId, idsOf(reversed), idsOf(reinstated));
  },
};

/**
 * Undoes the effects on windows of messages that were never sent and are refunded: an undelivered template is not
 * unanswered, and an unpaid conversation is not open. Runs in the transaction of the refund, before the wallet is
 * locked. The used messaging limit and free message of the month are not restored: they affect at most a day, and one
 * message. Works in SQL without reading the messages, however many there are.
 */
export async function reverseCancelled(
  tx: TransactionSql,
  accountId: number,
  { shipmentIds, firstId, lastId, at }: CancelledMessages,
): Promise<void> {
  const mine = tx`m.id >= ${firstId} AND m.id <= ${lastId} AND m.shipment_id = ANY(${numbers(shipmentIds)}::bigint[])
    AND m.code = ${CANCELLED} AND m.final_at = ${at}`;
  await lock(tx, accountId, mine);
  await reverseAll(tx, accountId, mine);
}

/**
 * As `reverseCancelled`, for the messages `reversed`, which the platform refused or which were never submitted; and the
 * opposite for `reinstated`, which were cancelled at the moment when the platform accepted them.
 */
async function reverse(
  tx: TransactionSql,
  accountId: number,
  reversed: readonly number[],
  reinstated: readonly number[] = [],
): Promise<void> {
  const these = (ids: readonly number[]) => tx`m.id = ANY(${numbers(ids)}::bigint[])`;
  if (reversed.length + reinstated.length === 0) return;
  await lock(tx, accountId, these([...reversed, ...reinstated]));
  if (reinstated.length > 0) await reinstateAll(tx, accountId, these(reinstated));
  if (reversed.length > 0) await reverseAll(tx, accountId, these(reversed));
}

/** A condition on the messages `m`. */
type Which = Query<Row[]>;

/** Locks the windows of these messages in the order of all transactions (docs/chat.md). */
async function lock(tx: TransactionSql, accountId: number, mine: Which): Promise<void> {
  // A plan cached for a few messages would be too slow for a campaign.
  await tx`SET LOCAL plan_cache_mode = force_custom_plan`;
  await tx`
    SELECT count(*) FROM (
      SELECT 1 FROM chat_windows w
      WHERE w.account_id = ${accountId} AND (w.number, w.client) IN (
        SELECT m.source, m.recipient FROM messages m
        WHERE m.account_id = ${accountId} AND m.channel = ${chatChannel.id} AND ${mine})
      ORDER BY w.number, w.client FOR UPDATE
    ) locked`;
}

/**
 * By window: the times of its templates, and of the messages that may have opened its conversation, with the possible
 * difference from its beginning.
 */
const traces = (tx: TransactionSql, accountId: number, mine: Which, sealedTemplates: string) => tx`
  SELECT source, recipient, array_agg(at) FILTER (WHERE is_template) AS templates,
    array_agg(opened_at) FILTER (WHERE price > 0) AS opened, array_agg(slack) FILTER (WHERE price > 0) AS slacks
  FROM (
    SELECT m.source, m.recipient, m.price, m.id / ${PER_MILLISECOND}::bigint + ${EPOCH}::bigint AS at,
      ${isTemplate(tx, tx`coalesce(m.payload, s.payload)`, tx`m.id`, sealedTemplates)} AS is_template,
      -- A single one opens its conversation at the very time that its shipment has.
      CASE WHEN s.lane = ${lanes.bulk} THEN m.id / ${PER_MILLISECOND}::bigint + ${EPOCH}::bigint ELSE s.due_at END
        AS opened_at,
      CASE WHEN s.lane = ${lanes.bulk} THEN ${STEP_MS}::bigint ELSE 0 END AS slack
    FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
    WHERE m.account_id = ${accountId} AND m.channel = ${chatChannel.id} AND ${mine}
  ) each_message
  GROUP BY source, recipient`;

/** Returns the ids of the encrypted templates among the messages, as an array. */
async function sealedTemplates(tx: TransactionSql, accountId: number, mine: Which): Promise<string> {
  const rows = await tx<{ id: number; content: string }[]>`
    SELECT m.id, coalesce(m.payload, s.payload) AS content
    FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
    WHERE m.account_id = ${accountId} AND m.channel = ${chatChannel.id} AND ${mine}
      AND ${isSealed(tx, tx`coalesce(m.payload, s.payload)`)}`;
  return numbers(
    rows.flatMap(({ id, content }) => {
      // Empty if its key is lost.
      if (content === '') return [];
      return chatCodec.decode({ own: content, shared: null, call: null }).kind === 'template' ? [id] : [];
    }),
  );
}

/** Counts those of the templates of `u` that the client has not answered. */
const unansweredOf = (tx: TransactionSql) => tx`(
  SELECT count(*) FROM unnest(u.templates) AS t (at)
  WHERE w.client_at IS NULL OR t.at >= w.client_at + ${ANSWERED_WITHIN_MS}::bigint)::smallint`;

async function reverseAll(tx: TransactionSql, accountId: number, mine: Which): Promise<void> {
  const templates = await sealedTemplates(tx, accountId, mine);
  await tx`
    UPDATE chat_windows w SET unanswered = greatest(0, w.unanswered - ${unansweredOf(tx)}),
      conversation_at = CASE
        WHEN EXISTS (
          SELECT 1 FROM unnest(u.opened, u.slacks) AS o (at, slack) WHERE abs(o.at - w.conversation_at) <= o.slack)
        THEN NULL ELSE w.conversation_at END
    FROM (${traces(tx, accountId, mine, templates)}) u
    WHERE w.account_id = ${accountId} AND w.number = u.source AND w.client = u.recipient`;
}

async function reinstateAll(tx: TransactionSql, accountId: number, mine: Which): Promise<void> {
  const templates = await sealedTemplates(tx, accountId, mine);
  await tx`
    UPDATE chat_windows w SET unanswered = w.unanswered + ${unansweredOf(tx)},
      conversation_at = CASE
        WHEN w.conversation_at IS NULL OR w.conversation_at + ${DAY_MS}::bigint <= u.opened[1]
        THEN u.opened[1] ELSE w.conversation_at END
    FROM (${traces(tx, accountId, mine, templates)}) u
    WHERE w.account_id = ${accountId} AND w.number = u.source AND w.client = u.recipient`;
}
