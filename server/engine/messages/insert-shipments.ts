import { texts } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { type RowAccounts, rowsOf } from '../../database/row-accounts.ts';
import type { SealedText } from '../../database/sealed-text.ts';
import { toNumeric } from '../../modules/accounts/money.ts';
import type { CarrierOptions } from '../carriers/carrier.ts';
import type { Pass } from '../gate/gate.ts';
import type { CallInput } from './calls.ts';
import { type Lane, lanes } from './lanes.ts';
import { shipmentStates } from './shipment-states.ts';

/** A new shipment. */
export interface NewShipment {
  readonly id: number;
  readonly lane: Lane;
  /** Id of the channel. */
  readonly channel: number;
  readonly isScheduled: boolean;
  readonly name: string | null;
  /** Payload shared by its messages; null if each has its own. */
  readonly payload: string | SealedText | null;
  /** Its initial messages, if any. */
  readonly messages?: {
    readonly count: number;
    readonly firstId: number;
    readonly lastId: number;
    /** In ten-thousandths of a credit. */
    readonly cost: number;
  };
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly validUntil: number;
  readonly call?: CallInput | undefined;
  readonly carrierOptions?: CarrierOptions | undefined;
  /** The shipment whose messages it replaces (engine/fallback). */
  readonly fallbackOf?: number | undefined;
  /** The gate's pass, which contains the sending rule of the request. */
  readonly pass: Pass;
}

/** Returns a shipment of single messages that are sent immediately and have separate payloads. */
export function single({
  id,
  channel,
  dueAt,
  validityMs,
  pass,
  fallbackOf,
}: Pick<NewShipment, 'id' | 'channel' | 'dueAt' | 'pass' | 'fallbackOf'> & {
  readonly validityMs: number;
}): NewShipment {
  const payload = { isScheduled: false, name: null, payload: null };
  const validUntil = dueAt + validityMs;
  return { ...payload, id, lane: lanes.single, channel, dueAt, validUntil, pass, fallbackOf };
}

/** Inserts shipments, as a complete statement or as part of one; returns their ids. */
export function insertShipments(
  sql: Queryable,
  accounts: number | RowAccounts,
  shipments: readonly NewShipment[],
) {
  const { scheduled, running } = shipmentStates;
  // Most sends do not have these values, so their statement omits the columns.
  const hasRules = shipments.some(({ pass }) => pass.rule);
  const hasOptions = shipments.some(({ carrierOptions }) => carrierOptions);
  const hasFallbacks = shipments.some(({ fallbackOf }) => fallbackOf !== undefined);
  const { account, from, named, where } = rowsOf(sql, accounts);
  return sql<{ id: number }[]>`
    INSERT INTO shipments (account_id, id, lane, state, campaign_name, payload, message_count, cost, first_id, last_id,
      due_at, valid_until, call, channel${hasRules ? sql`, sending_rule` : sql``}${hasOptions ? sql`, carrier_options` : sql``}${hasFallbacks ? sql`, fallback_of` : sql``})
    SELECT ${account}, u.id, u.lane, u.state, u.campaign_name, u.payload, u.message_count, u.cost, u.first_id,
      u.last_id, u.due_at, u.valid_until, u.call::jsonb, u.channel${hasRules ? sql`, u.sending_rule::jsonb` : sql``}${hasOptions ? sql`, u.carrier_options::jsonb` : sql``}${hasFallbacks ? sql`, u.fallback_of` : sql``}
    FROM ${from}
      ${bigints(shipments.map((s) => s.id))}::bigint[],
      ${smallints(shipments.map((s) => s.lane))}::smallint[],
      ${smallints(shipments.map((s) => (s.isScheduled ? scheduled : running)))}::smallint[],
      ${textArray(shipments.map((s) => s.name))}::text[],
      ${textArray(shipments.map((s) => s.payload))}::text[],
      ${ints(shipments.map((s) => s.messages?.count ?? 0))}::integer[],
      ${texts(shipments.map((s) => toNumeric(s.messages?.cost ?? 0)))}::numeric[],
      ${bigints(shipments.map((s) => s.messages?.firstId ?? s.id))}::bigint[],
      ${bigints(shipments.map((s) => s.messages?.lastId ?? s.id))}::bigint[],
      ${bigints(shipments.map((s) => s.dueAt))}::bigint[],
      ${bigints(shipments.map((s) => s.validUntil))}::bigint[],
      ${textArray(shipments.map(({ call }) => (call ? JSON.stringify(call) : null)))}::text[],
      ${smallints(shipments.map((s) => s.channel))}::smallint[]
      ${hasRules ? sql`, ${textArray(shipments.map(({ pass }) => (pass.rule ? JSON.stringify(pass.rule) : null)))}::text[]` : sql``}
      ${hasOptions ? sql`, ${textArray(shipments.map((s) => (s.carrierOptions ? JSON.stringify(s.carrierOptions) : null)))}::text[]` : sql``}
      ${hasFallbacks ? sql`, ${bigints(shipments.map((s) => s.fallbackOf ?? null))}::bigint[]` : sql``}
    ) AS u (${named} id, lane, state, campaign_name, payload, message_count, cost, first_id, last_id, due_at, valid_until, call,
      channel${hasRules ? sql`, sending_rule` : sql``}${hasOptions ? sql`, carrier_options` : sql``}${hasFallbacks ? sql`, fallback_of` : sql``})
    ${where}
    RETURNING id`;
}
