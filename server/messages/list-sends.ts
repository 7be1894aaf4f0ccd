import { parseAmount, toNumeric } from '../accounts/money.ts';
import type { PriceFinder } from '../accounts/prices.ts';
import { moveWallet } from '../accounts/wallets.ts';
import type { Contact, ContactLists } from '../audience/contact-lists.ts';
import type { Routing } from '../carriers/routing.ts';
import { voiceChannel } from '../channels/voice/channel.ts';
import { numbers, texts } from '../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import type { Links } from '../links/links.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import { countParts } from '../text/segmentation.ts';
import { legsOf } from './calls.ts';
import type { PlannedShipment, ShipmentRequest } from './plan.ts';
import { COMPOSED_MOST, Composer, writeExample } from './wording.ts';

/** Contacts by which the cost of a longer list is estimated. */
const SAMPLE = 500;

export interface EstimateParts {
  readonly sql: Sql;
  readonly contactLists: ContactLists;
  readonly links: Links;
  readonly numbers: NumberReader;
  readonly routing: Routing;
  readonly isKosher: (phone: string) => boolean;
}

/**
 * What sending to lists will cost, for each of the parts, in ten-thousandths of a credit: exact for lists of up to 500
 * contacts (but for those who will get nothing), and from the first 500 of longer ones. It is held when the send is
 * accepted; what is not needed comes back when the last contact has its message.
 */
export async function estimateCosts(
  { sql, contactLists, links, numbers: reader, routing, isKosher }: EstimateParts,
  accountId: number,
  { lists: parts = [], call }: Pick<ShipmentRequest, 'lists' | 'call'>,
  { priceOf, callPriceOf }: { readonly priceOf: PriceFinder; readonly callPriceOf: PriceFinder },
): Promise<number[]> {
  const samples = new Map<number, readonly Contact[]>();
  for (const id of new Set(parts.flatMap(({ lists }) => lists.map((list) => list.id)))) {
    samples.set(id, await contactLists.page(sql, accountId, id, '', SAMPLE));
  }
  return parts.map(({ wording, lists, international }) => {
    const composer = new Composer(wording);
    const partsFor = (contact: Contact) => {
      const text = writeExample(composer, links, contact.fields);
      return text.length > COMPOSED_MOST ? 0 : countParts(text);
    };
    const same = wording.dynamic ? 0 : partsFor({ phone: '', fields: [] });
    let total = 0;
    for (const { id, count } of lists) {
      const sample = samples.get(id)!;
      let cost = 0;
      for (const contact of sample) {
        if (!international && reader.isInternational(contact.phone)) continue;
        for (const channel of legsOf(call, contact.phone, isKosher)) {
          if (channel === voiceChannel.id)
            cost += routing.callRouteOf(contact.phone) ? callPriceOf(contact.phone) : 0;
          else cost += priceOf(contact.phone) * (wording.dynamic ? partsFor(contact) : same);
        }
      }
      total += sample.length < SAMPLE ? cost : Math.ceil((cost / sample.length) * count);
    }
    return total;
  });
}

/**
 * Stores what shipments still have to make of contact lists, and holds what it is expected to cost, in the transaction
 * that stores the shipments. Rejects with a violation of `wallets_balance_check` when the wallet has too little.
 */
export async function storeListSends(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  shipments: readonly PlannedShipment[],
  now: number,
): Promise<void> {
  const rows = shipments.flatMap((shipment) =>
    shipment.listSends.map((send, index) => ({ ...send, shipment, isFirst: index === 0 })),
  );
  const holds = shipments.flatMap(({ id, listSends }) => {
    const held = listSends.reduce((sum, send) => sum + send.held, 0);
    return held > 0 ? [{ kind: 'hold', amount: -held, shipmentId: id } as const] : [];
  });
  if (holds.length > 0) await moveWallet(tx, ids, now, accountId, holds);
  // One statement for each: arrays within arrays would have to be of one length. Bulk with lists is rare.
  await Promise.all(
    rows.map(
      ({ id, part, links, phonesFrom, phonesTo, held, shipment, isFirst }) => tx`
        INSERT INTO list_sends (account_id, id, shipment_id, source, text, is_shared, dynamic, removal, link_ids,
          link_keys, international, recent_days, list_ids, phones_from, phones_to, expected, held, due_at,
          started_id, call)
        VALUES (${accountId}, ${id}, ${shipment.id}, ${part.source}, ${part.wording.text},
          ${shipment.request.text === part.wording.text}, ${part.wording.dynamic}, ${part.wording.removal},
          ${numbers(links.map((link) => link.id))}::bigint[], ${texts(links.map((link) => link.key))}::text[],
          ${part.international}, ${shipment.request.recentDays},
          ${numbers(part.lists.map((list) => list.id))}::bigint[], ${phonesFrom}, ${phonesTo},
          ${part.lists.reduce((sum, list) => sum + list.count, 0)}, ${toNumeric(held)},
          ${isFirst ? shipment.dueAt : null}, ${isFirst ? id : null},
          ${shipment.request.call ? JSON.stringify(shipment.request.call) : null}::text::jsonb)`,
    ),
  );
}

/** What of a shipment waits in contact lists: contacts, and credit held for them in ten-thousandths. */
export interface Remaining {
  readonly contacts: number;
  readonly held: number;
}

/** What shipments have not made of their contact lists yet, by their ids; those that are through are left out. */
export async function remainingOf(
  sql: Queryable,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<Map<number, Remaining>> {
  const rows = await sql<{ shipment_id: number; contacts: number; held: string }[]>`
    SELECT shipment_id, coalesce(sum(expected), 0)::bigint AS contacts, coalesce(sum(held), 0) AS held
    FROM list_sends WHERE account_id = ${accountId} AND shipment_id = ANY(${numbers(shipmentIds)}::bigint[])
    GROUP BY shipment_id`;
  return new Map(
    rows.map(({ shipment_id, contacts, held }) => [shipment_id, { contacts, held: parseAmount(held) }]),
  );
}

/** Gives up what shipments have not made of their contact lists, under the lock of the shipments. */
export async function dropListSends(
  tx: TransactionSql,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<void> {
  await tx`
    DELETE FROM list_sends
    WHERE account_id = ${accountId} AND shipment_id = ANY(${numbers(shipmentIds)}::bigint[])`;
}
