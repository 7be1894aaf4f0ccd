import type { Channels } from '../../channels/contract/channels.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isWithin } from '../../database/rows-by-key.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import { parseAmount } from '../../modules/accounts/money.ts';
import { moveWallet } from '../../modules/accounts/wallets.ts';
import type { Event } from '../events/types.ts';
import { statusEvent } from './status-event.ts';

interface Started {
  id: number;
  cost: string;
  first_id: number;
  last_id: number;
}

interface Blocked {
  id: number;
  shipment_id: number;
  phone: string;
  source: string;
  external_id: string | null;
  channel: number;
  price: string;
}

/**
 * Marks scheduled shipments as running when their first message is due, and converts the reservation of their messages
 * to a charge: for each a `release` and a `charge`. Messages to phones that were blacklisted after the acceptance are
 * not sent and cost nothing. Does nothing for running shipments. Reservations for contact lists stay. Returns the
 * events of blocked messages, to be stored in the same transaction.
 */
export async function startShipments(
  tx: TransactionSql,
  { ids, channels }: Pick<Context, 'ids' | 'channels'>,
  now: number,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<Event[]> {
  const started = await tx<Started[]>`
    UPDATE shipments SET state = 1
    WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[]) AND state = 0
    RETURNING id, cost, first_id, last_id`;
  const events: Event[] = [];
  for (const { id, cost, first_id, last_id } of started) {
    const blocked = await tx<Blocked[]>`
      UPDATE messages m SET status = ${status.blockedOnRequest}, final_at = ${now}, secret_text = NULL FROM blacklist b
      WHERE m.account_id = ${accountId} AND ${isWithin(tx, tx`m.id`, { first: first_id, last: last_id })} AND m.shipment_id = ${id}
        AND m.final_at IS NULL AND b.account_id = ${accountId} AND b.phone = m.recipient
      RETURNING m.id, m.shipment_id, m.recipient AS phone, m.source, m.external_id, m.channel, m.price`;
    const held = parseAmount(cost);
    const due = blocked.reduce((left, { price }) => left - parseAmount(price), held);
    const entries = [
      { kind: 'release' as const, amount: held, shipmentId: id },
      { kind: 'charge' as const, amount: -due, shipmentId: id },
    ].filter(({ amount }) => amount !== 0);
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
    events.push(...blocked.map((message) => blockedEvent(channels, message, now)));
  }
  return events;
}

function blockedEvent(
  channels: Channels,
  { id, shipment_id, phone, source, external_id, channel }: Blocked,
  at: number,
): Event {
  const data = { message_id: id, external_id, shipment_id, phone, source, code: null };
  return statusEvent(channels.of(channel), { ...data, status: status.blockedOnRequest }, at);
}
