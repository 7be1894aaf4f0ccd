import { toNumeric } from '../accounts/money.ts';
import { smsChannel } from '../channels/sms/channel.ts';
import { numbers, ROWS_A_STATEMENT, texts } from '../database/arrays.ts';
import type { Queryable } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import { insertSendKeys } from '../send-keys/store.ts';
import { insertShipments, type NewShipment } from './insert-shipments.ts';
import type { Plan, PlannedMessage } from './plan.ts';
import { insertBatches, insertMessages } from './store-messages.ts';

/** Whether `storePlan` writes a plan in one statement, which needs no transaction around it. */
export function isOneStatement({ shipments }: Plan): boolean {
  return shipments.reduce((sum, { messages }) => sum + messages.length, 0) <= ROWS_A_STATEMENT;
}

/**
 * Writes a plan: debit, ledger, shipments, messages and batches, in ONE statement, which is a transaction by itself. Of
 * more than some thousand messages the others follow in statements of their own, in the caller's transaction.
 * Seven statements between BEGIN and COMMIT took 6 ms for 25 messages on a busy machine, most of it the waking of two
 * processes by each other; this takes 2. Every part selects from the wallet's row, so that a distributed PostgreSQL
 * sends it to the one node that has the account (docs/architecture.md). Rejects with a violation of
 * `wallets_balance_check` when the wallet has too little, and of `send_keys_pkey` when one of the requests was done
 * before; then nothing is stored.
 */
export async function storePlan(
  sql: Queryable,
  ids: IdSource,
  accountId: number,
  plan: Plan,
  now: number,
  validityMs: number,
): Promise<void> {
  const { shipments, batches } = plan;
  const statements = messagesOf(plan);
  const write = ({ messages, sources, own }: MessageRows) =>
    insertMessages(sql, accountId, messages, sources, own, now);
  const { value: first = noRows } = statements.next();
  const keys = shipments.flatMap(({ id, request: { sendKey } }) => (sendKey ? [sendKey.row(id)] : []));
  const paid = shipments.filter((shipment) => shipment.cost > 0);
  const cost = paid.reduce((sum, shipment) => sum + shipment.cost, 0);
  const [row] = await sql<{ stored: number }[]>`
    WITH debit AS (
      UPDATE wallets SET balance = balance - ${toNumeric(cost)}::numeric WHERE account_id = ${accountId}
    ), entries AS (
      INSERT INTO ledger (account_id, id, kind, amount, shipment_id, at)
      SELECT w.account_id, u.id, u.kind, -u.amount, u.shipment_id, ${now}::bigint
      FROM wallets w, unnest(
        ${numbers(paid.map(() => ids.next()))}::bigint[],
        ${texts(paid.map((s) => (s.scheduled ? 'hold' : 'charge')))}::text[],
        ${texts(paid.map((s) => toNumeric(s.cost)))}::numeric[],
        ${numbers(paid.map((s) => s.id))}::bigint[]
      ) AS u (id, kind, amount, shipment_id)
      WHERE w.account_id = ${accountId}
    ), sent AS (${insertShipments(
      sql,
      accountId,
      shipments.map((shipment) => newShipment(shipment, validityMs)),
    )}
    ), written AS (${write(first)}
    ), queued AS (${insertBatches(sql, accountId, batches)}
    )${keys.length > 0 ? sql`, keyed AS (${insertSendKeys(sql, accountId, keys)})` : sql``}
    SELECT count(*)::int AS stored FROM sent`;
  if (row!.stored !== shipments.length) throw new Error(`account ${accountId} has no wallet`);
  for (const rows of statements) await write(rows);
}

function newShipment(shipment: Plan['shipments'][number], validityMs: number): NewShipment {
  const { id, request, scheduled: isScheduled, messages, cost, dueAt } = shipment;
  const { lane, campaignName: name, call } = request;
  const payload = isLone(shipment) ? null : request.text;
  const [first] = messages;
  const last = messages.at(-1);
  return {
    ...{
      id,
      lane,
      channel: smsChannel.id,
      isScheduled,
      name,
      payload,
      dueAt,
      validUntil: dueAt + validityMs,
      call,
    },
    ...(first && last && { messages: { count: messages.length, firstId: first.id, lastId: last.id, cost } }),
  };
}

/** Whether a shipment is one SMS and stays so. */
function isLone({ messages, listSends, request }: Plan['shipments'][number]): boolean {
  return messages.length === 1 && listSends.length === 0 && !request.call;
}

/** What one statement writes of messages, by message. */
interface MessageRows {
  readonly messages: PlannedMessage[];
  readonly sources: string[];
  /** Their own texts; that of a lone message always, so that dispatching it reads one table. */
  readonly own: (string | null)[];
}

const noRows: MessageRows = { messages: [], sources: [], own: [] };

/** The messages of a plan as each statement writes them: made when it is their turn, since there may be 100,000. */
function* messagesOf({ shipments }: Plan): Generator<MessageRows, undefined> {
  let rows: MessageRows = { messages: [], sources: [], own: [] };
  for (const shipment of shipments) {
    const { request } = shipment;
    const shared = isLone(shipment) ? request.text : null;
    for (const message of shipment.messages) {
      rows.messages.push(message);
      rows.sources.push(message.callerId ?? message.item.source ?? request.source);
      rows.own.push(message.text ?? shared);
      if (rows.messages.length < ROWS_A_STATEMENT) continue;
      yield rows;
      rows = { messages: [], sources: [], own: [] };
    }
  }
  if (rows.messages.length > 0) yield rows;
  return undefined;
}
