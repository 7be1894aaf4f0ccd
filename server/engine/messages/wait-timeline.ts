import { CALL_CHANNEL } from '../../channels/contract/channels.ts';
import type { Sql } from '../../database/connection.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { ALL_WORK, batchReasons } from './waits.ts';

/** Minimum duration of a shown schedule, in milliseconds: the due time of other messages is a moment after their acceptance. */
const SOON_MS = 1_000;
/** Minimum duration of a shown wait without a stored reason, in milliseconds: handling a message and the carrier's answer take less. */
const TURN_MS = 5_000;
/** As `TURN_MS` for calls: a trunk reports a call when it has ended. */
const CALL_TURN_MS = 180_000;
/** Rows are stored in the process that postpones, whose clock may differ. */
const SKEW_MS = 60_000;
/** Maximum number of stored waits of one message. */
const MAX_WAITS = 200;

/** All reasons: those that are stored, and those that follow from the times of a message. */
export const waitReasons = ['scheduled', 'paused', 'suspended', ...batchReasons, 'turn'] as const;
export type WaitReason = (typeof waitReasons)[number];

/** Time in which a message waited for one reason. Times are milliseconds since the epoch. */
export interface WaitOfMessage {
  readonly reason: WaitReason;
  readonly from: number;
  /** Of a message that still waits, the time until which it waits; null if that is not known. */
  readonly until: number | null;
  /** Failed attempts; null for waits that follow none. */
  readonly attempts: number | null;
  readonly connector: string | null;
  readonly code: string | null;
}

/** A row of `waits`. */
interface StoredWait {
  readonly subject_id: number;
  readonly reason: WaitReason;
  readonly from_at: number;
  readonly until_at: number | null;
  readonly attempted_at: readonly number[] | null;
  readonly connector: string | null;
  readonly code: string | null;
}

/** Time without a connection. `until` is null while it lasts. */
export interface Outage {
  readonly from: number;
  readonly until: number | null;
}

/** Properties of a message that its waits depend on. */
interface WaitingMessage {
  readonly id: number;
  readonly shipment_id: number;
  readonly batch_id: number;
  readonly channel: number;
  readonly connector: string | null;
  readonly handed_at: number | null;
  readonly final_at: number | null;
}

/** Returns the waits of a message in order. `dueAt` is that of its shipment, and `now` the present time, in milliseconds. */
export async function readWaits(
  sql: Sql,
  accountId: number,
  message: WaitingMessage,
  dueAt: number | null,
  now: number,
): Promise<WaitOfMessage[]> {
  const { id, shipment_id: shipmentId, batch_id: batchId, connector } = message;
  const begun = timeOfId(Math.min(id, shipmentId || id));
  const end = message.handed_at ?? message.final_at;
  // Most messages are submitted within a second, and have no waits.
  if (end !== null && end - begun < SOON_MS) return [];
  const [rows, outages] = await Promise.all([
    sql<StoredWait[]>`
      SELECT subject_id, reason, from_at, until_at, attempted_at, connector, code FROM waits
      WHERE account_id = ${accountId} AND subject_id IN (${ALL_WORK}, ${shipmentId}, ${batchId})
        AND id >= ${idFloor(begun - SKEW_MS)} AND id < ${idFloor((end ?? now) + SKEW_MS)}
        AND (message_ids IS NULL OR ${id}::bigint = ANY(message_ids))
      ORDER BY id LIMIT ${MAX_WAITS}`,
    connector === null ? [] : readOutages(sql, connector, begun, end ?? now),
  ]);
  return waitsOfMessage({ ...message, end }, rows, { begun, dueAt: dueAt ?? begun, outages, now });
}

async function readOutages(sql: Sql, connector: string, from: number, until: number): Promise<Outage[]> {
  return sql<Outage[]>`
    SELECT from_at AS from, until_at AS until FROM connector_outages
    WHERE connector = ${connector} AND from_at < ${until} AND (until_at IS NULL OR until_at > ${from})
    ORDER BY from_at LIMIT ${MAX_WAITS}`;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

interface Times {
  /** Time of the request, the due time of the shipment, and the present time, in milliseconds since the epoch. */
  readonly begun: number;
  readonly dueAt: number;
  readonly now: number;
  /** Outages of the connector that took the message. */
  readonly outages: readonly Outage[];
}

/**
 * Returns the waits of a message in order, without overlaps. A wait of its batch ends with the next one. Waits of its shipment and
 * its account fill gaps after the requested time. The remaining gaps are `scheduled` before the requested time and `turn` after it.
 * `end` is the time at which the message was submitted or became final, in milliseconds since the epoch; null while it waits.
 */
export function waitsOfMessage(
  {
    id,
    batch_id,
    channel,
    connector,
    end,
  }: Omit<WaitingMessage, 'shipment_id' | 'handed_at' | 'final_at'> & {
    readonly end: number | null;
  },
  rows: readonly StoredWait[],
  { begun, dueAt, now, outages }: Times,
): WaitOfMessage[] {
  const limit = end ?? Number.POSITIVE_INFINITY;
  const own = rows.filter(({ subject_id }) => subject_id === batch_id).sort((a, b) => a.from_at - b.from_at);
  const waits: Shown[] = own.flatMap((row, at) => {
    const until = Math.min(row.until_at ?? limit, own[at + 1]?.from_at ?? limit, limit);
    return shown(row, { from: row.from_at, until });
  });
  const others = rows
    .filter(({ subject_id }) => subject_id !== batch_id)
    .sort((a, b) => a.from_at - b.from_at);
  for (const row of others) {
    // A pause that ended before the scheduled time delayed nothing.
    const from = row.reason === 'sending-hours' ? row.from_at : Math.max(row.from_at, Math.min(dueAt, limit));
    for (const span of without({ from, until: Math.min(row.until_at ?? limit, limit) }, waits))
      waits.push(...shown(row, span));
  }
  const turnMs = channel === CALL_CHANNEL ? CALL_TURN_MS : TURN_MS;
  const accepted = timeOfId(id);
  const rest = without({ from: begun, until: end ?? Math.max(now, dueAt) }, waits);
  for (const { from, until } of rest) {
    const scheduled = Math.min(until, dueAt);
    if (scheduled - from >= SOON_MS) waits.push({ ...plain('scheduled'), from, until: scheduled });
    // Until a step of a campaign creates the message, there is nothing that could be sent.
    const turn = { from: Math.max(from, dueAt, accepted), until };
    if (turn.until - turn.from < turnMs) continue;
    waits.push(...turnsOf(turn, connector, outages, turnMs));
  }
  return waits
    .sort((a, b) => a.from - b.from)
    .map((wait) => ({ ...wait, until: isOpen(wait, end, now) ? null : wait.until }));
}

type Shown = Omit<WaitOfMessage, 'until'> & { readonly until: number };

/** Whether nobody knows when a wait of a message that still waits ends. */
const isOpen = ({ reason, until }: Shown, end: number | null, now: number): boolean =>
  end === null &&
  (until === Number.POSITIVE_INFINITY ||
    ((reason === 'turn' || reason === 'no-connection') && until === now));

const plain = (reason: WaitReason) => ({ reason, attempts: null, connector: null, code: null });

/** Returns a stored wait; none for one without duration. */
function shown({ reason, attempted_at, connector, code }: StoredWait, { from, until }: Span): Shown[] {
  if (until <= from) return [];
  const attempts = attempted_at?.filter((at) => at < until).length ?? null;
  return [{ reason, from, until, attempts, connector, code }];
}

/** Returns the parts of a span that no wait covers. */
function without(span: Span, waits: readonly Span[]): Span[] {
  let parts = [span];
  for (const { from, until } of waits)
    parts = parts
      .flatMap((part) => [
        { from: part.from, until: Math.min(part.until, from) },
        { from: Math.max(part.from, until), until: part.until },
      ])
      .filter((part) => part.until > part.from);
  return parts.filter((part) => part.until > part.from);
}

/** Divides the time that a message waited for its turn into the one without a connection to the carrier, and the rest. */
function turnsOf(turn: Span, connector: string | null, outages: readonly Outage[], turnMs: number): Shown[] {
  const down = outages.flatMap(({ from, until }): Shown[] => {
    const span = { from: Math.max(from, turn.from), until: Math.min(until ?? turn.until, turn.until) };
    return span.until - span.from < turnMs ? [] : [{ ...plain('no-connection'), connector, ...span }];
  });
  const rest = without(turn, down).filter(({ from, until }) => until - from >= turnMs);
  return [...down, ...rest.map((span) => ({ ...plain('turn'), ...span }))];
}
