import { type RepeatedRequest, textRemoved } from '../../engine/campaigns/source.ts';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import { type CallInput, callTypes, openedCall } from '../../engine/messages/calls.ts';
import { findKeptRequest } from '../../engine/messages/kept-requests.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { displayRecipient, type NumberReader } from '../../kit/numbers/phone-numbers.ts';

const PAGE = 2_000;

interface Deps extends Pick<Context, 'sql'> {
  readonly numbers: Pick<NumberReader, 'isInternational'>;
}

interface ShipmentColumns {
  readonly campaign_name: string | null;
  readonly payload: string | null;
  readonly text_removed: boolean | null;
  readonly call: CallInput | null;
  readonly first_id: number;
  readonly last_id: number;
  readonly message_count: number;
  readonly options: CarrierOptions | null;
}

/** Returns the request that would send a shipment by SMS or calls again (`requestOf` of ChannelModule). */
export async function repeatedSms(
  deps: Deps,
  accountId: number,
  id: number,
): Promise<RepeatedRequest | undefined> {
  const { sql, numbers } = deps;
  const [shipment] = await sql<ShipmentColumns[]>`
    SELECT campaign_name, payload, text_removed, call, first_id, last_id, message_count, carrier_options AS options
    FROM shipments WHERE account_id = ${accountId} AND id = ${id}`;
  if (!shipment) return undefined;
  if (shipment.text_removed) throw textRemoved();
  const { campaign_name, payload, first_id, last_id, message_count, options } = shipment;
  const { template = null, entity = null } = options?.dlt ?? {};
  const call = openedCall(shipment.call);
  const kept = await findKeptRequest(sql, accountId, id);
  const { from, to } = kept?.phones ?? { from: first_id, to: last_id };
  const [first] = await sql<{ source: string; payload: string | null; text_removed: boolean | null }[]>`
    SELECT source, payload, text_removed FROM messages
    WHERE account_id = ${accountId} AND id >= ${first_id} AND id <= ${last_id} AND shipment_id = ${id} ORDER BY id LIMIT 1`;
  const [campaign] = await sql<{ sender: string }[]>`
    SELECT sender FROM campaigns WHERE account_id = ${accountId} AND id = ${id}`;
  if (first?.text_removed && !kept) throw textRemoved();
  const own = message_count === 1 ? first?.payload : undefined;
  const written = call?.type === callTypes.callOnly ? call.text : (kept?.text ?? payload ?? own);
  if (written === undefined || written === null || (campaign && !kept)) {
    throw new Refusal('not-now', 'recipients got texts of their own', undefined, {
      reason: 'own-texts',
      params: {},
    });
  }
  const phones = await phonesOf(deps, accountId, id, from, to);
  return {
    path: '/v1/sms',
    body: {
      source: campaign?.sender ?? first?.source ?? '',
      message: written,
      links: kept?.links.map(({ key, url }) => ({ id: key, url })) ?? [],
      dynamic: kept?.dynamic ?? false,
      removal: kept?.removal ? 'link' : null,
      tts: call && { type: call.type, voice: call.voice, rate: call.rate, repeat: call.repeat },
      phones: phones.map((phone) => displayRecipient(phone)),
      lists: kept?.lists.map(String) ?? [],
      includes_international: kept?.international || phones.some((phone) => numbers.isInternational(phone)),
      recent_days: kept?.recentDays ?? null,
      ...(campaign_name !== null && { campaign_name }),
      ...((template ?? entity) !== null && { dlt: { template_id: template, entity_id: entity } }),
    },
  };
}

/** Returns the recipients of a shipment's messages with these ids, without duplicates. */
async function phonesOf(
  { sql }: Deps,
  accountId: number,
  id: number,
  from: number,
  to: number,
): Promise<string[]> {
  const phones = new Set<string>();
  for (let after = from - 1; to > 0; ) {
    const rows = await sql<{ id: number; recipient: string }[]>`
      SELECT id, recipient FROM messages
      WHERE account_id = ${accountId} AND id > ${after} AND id <= ${to} AND shipment_id = ${id}
      ORDER BY id LIMIT ${PAGE}`;
    for (const { recipient } of rows) phones.add(recipient);
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.id;
  }
  return [...phones];
}
