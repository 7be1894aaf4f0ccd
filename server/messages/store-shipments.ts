import { toNumeric } from '../accounts/money.ts';
import { type LedgerEntry, moveWallet } from '../accounts/wallets.ts';
import { numbers, texts } from '../database/arrays.ts';
import type { TransactionSql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import type { Plan } from './plan.ts';

/**
 * Writes a plan: debit, ledger, shipments, messages and batches, in the caller's transaction. The statements go out
 * together without waiting for one another; the first that fails fails the transaction. Each selects from the wallet's
 * row, so that a distributed PostgreSQL sends it to the one node that has the account (docs/architecture.md).
 */
export async function storePlan(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  plan: Plan,
  now: number,
  validityMs: number,
): Promise<void> {
  const { shipments, batches } = plan;
  const messages =
    shipments.length === 1 ? shipments[0]!.messages : shipments.flatMap((shipment) => shipment.messages);
  const entries = shipments
    .filter((shipment) => shipment.cost > 0)
    .map(
      (shipment): LedgerEntry => ({
        kind: shipment.scheduled ? 'hold' : 'charge',
        amount: -shipment.cost,
        shipmentId: shipment.id,
      }),
    );
  await Promise.all([
    entries.length > 0 ? moveWallet(tx, ids, now, accountId, entries) : undefined,
    tx`
      INSERT INTO shipments (account_id, id, lane, state, campaign_name, text, message_count, cost, first_id,
        last_id, due_at, valid_until)
      SELECT w.account_id, u.id, u.lane, u.state, u.campaign_name, u.text, u.message_count, u.cost, u.first_id,
        u.last_id, u.due_at, u.due_at + ${validityMs}
      FROM wallets w, unnest(
        ${numbers(shipments.map((s) => s.id))}::bigint[],
        ${numbers(shipments.map((s) => s.request.lane))}::smallint[],
        ${numbers(shipments.map((s) => (s.scheduled ? 0 : 1)))}::smallint[],
        ${texts(shipments.map((s) => s.request.campaignName))}::text[],
        ${texts(shipments.map((s) => (s.messages.length > 1 ? s.request.text : null)))}::text[],
        ${numbers(shipments.map((s) => s.messages.length))}::integer[],
        ${texts(shipments.map((s) => toNumeric(s.cost)))}::numeric[],
        ${numbers(shipments.map((s) => s.messages[0]!.id))}::bigint[],
        ${numbers(shipments.map((s) => s.messages.at(-1)!.id))}::bigint[],
        ${numbers(shipments.map((s) => s.dueAt))}::bigint[]
      ) AS u (id, lane, state, campaign_name, text, message_count, cost, first_id, last_id, due_at)
      WHERE w.account_id = ${accountId}`,
    tx`
      INSERT INTO messages (account_id, id, shipment_id, batch_id, phone, source, text, external_id, parts, price, status,
        final_at)
      SELECT w.account_id, u.id, u.shipment_id, u.batch_id, u.phone, u.source, u.text, u.external_id, u.parts, u.price,
        u.status, u.final_at
      FROM wallets w, unnest(
        ${numbers(messages.map((m) => m.id))}::bigint[],
        ${numbers(messages.map((m) => m.shipmentId))}::bigint[],
        ${numbers(messages.map((m) => m.batchId))}::bigint[],
        ${texts(messages.map((m) => m.item.phone))}::text[],
        ${texts(shipments.flatMap((s) => s.messages.map((m) => m.item.source ?? s.request.source)))}::text[],
        ${texts(textsOf(plan))}::text[],
        ${texts(messages.map((m) => m.item.externalId))}::text[],
        ${numbers(messages.map((m) => m.parts))}::smallint[],
        ${texts(messages.map((m) => toNumeric(m.price)))}::numeric[],
        ${numbers(messages.map((m) => m.status))}::smallint[],
        ${numbers(messages.map((m) => (m.batchId === 0 ? now : null)))}::bigint[]
      ) AS u (id, shipment_id, batch_id, phone, source, text, external_id, parts, price, status, final_at)
      WHERE w.account_id = ${accountId}`,
    batches.length > 0
      ? tx`
      INSERT INTO dispatch_batches (account_id, id, lane, route, due_at, first_id, last_id, count, held_shipment_id)
      SELECT w.account_id, u.id, u.lane, u.route, u.due_at, u.first_id, u.last_id, u.count, u.held_shipment_id
      FROM wallets w, unnest(
        ${numbers(batches.map((b) => b.id))}::bigint[],
        ${numbers(batches.map((b) => b.lane))}::smallint[],
        ${texts(batches.map((b) => b.route))}::text[],
        ${numbers(batches.map((b) => b.dueAt))}::bigint[],
        ${numbers(batches.map((b) => b.firstId))}::bigint[],
        ${numbers(batches.map((b) => b.lastId))}::bigint[],
        ${numbers(batches.map((b) => b.count))}::integer[],
        ${numbers(batches.map((b) => b.heldShipmentId))}::bigint[]
      ) AS u (id, lane, route, due_at, first_id, last_id, count, held_shipment_id)
      WHERE w.account_id = ${accountId}`
      : undefined,
  ]);
}

/** A message's own text; that of a lone message always, so that dispatching it reads one table. */
function textsOf(plan: Plan): (string | null)[] {
  return plan.shipments.flatMap(({ request, messages }) =>
    messages.length === 1 ? [messages[0]!.item.text ?? request.text] : messages.map(({ item }) => item.text),
  );
}
