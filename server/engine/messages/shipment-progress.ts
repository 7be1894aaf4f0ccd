import { numbers } from '../../database/arrays.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { supervise } from '../../kit/owners.ts';
import { type MessageState, stateSql } from './states.ts';

/** Shipments with up to this many messages are counted at every request. */
const SMALL = 2_000;
/**
 * Time after which the count of a larger shipment is stale: STALE_MS while messages wait. Otherwise it is the
 * shipment's age at the count divided by STALE_SHARE, between STALE_MS and MAX_STALE_MS.
 */
const STALE_MS = 2_000;
const MAX_STALE_MS = 3_600_000;
const STALE_SHARE = 100;
/** Milliseconds that a request for one shipment waits for its first count. */
const WAIT_MS = 2_000;
const DAY = 86_400_000;

/** Messages of a shipment with one outcome. The fields after the state are set for failures and null otherwise. */
interface Outcome {
  readonly state: MessageState;
  readonly channel: number | null;
  readonly status: number | null;
  readonly code: string | null;
  /** Whether they were submitted to a carrier. */
  readonly submitted: boolean | null;
  readonly count: number;
}

/** An outcome as stored in `shipment_counts`: with the names of version 0.2.0, which may run at the same time. */
interface StoredOutcome extends Omit<Outcome, 'state' | 'submitted'> {
  readonly state: Exclude<MessageState, 'submitted'> | 'handed_over';
  readonly handed_over: boolean | null;
}

const toStored = ({ state, submitted, ...rest }: Outcome): StoredOutcome => ({
  ...rest,
  state: state === 'submitted' ? 'handed_over' : state,
  handed_over: submitted,
});

const fromStored = ({ state, handed_over, ...rest }: StoredOutcome): Outcome => ({
  ...rest,
  state: state === 'handed_over' ? 'submitted' : state,
  submitted: handed_over,
});

/** Counts of a shipment's messages by outcome. */
export interface Counted {
  readonly outcomes: readonly Outcome[];
  /** Milliseconds since the epoch. */
  readonly countedAt: number;
}

/** The properties of a shipment that are needed to count its messages. */
export interface CountedShipment {
  readonly id: number;
  readonly first_id: number;
  readonly last_id: number;
  readonly message_count: number;
  readonly due_at: number;
}

type ShipmentProgressDeps = Pick<Context, 'sql' | 'clock' | 'log'>;

/**
 * Progress of shipments. Counting a million messages takes a third of a second, so large shipments are counted one at a
 * time in the background; until then the last count is returned, with its time.
 */
export class ShipmentProgress {
  readonly #deps: ShipmentProgressDeps;
  readonly #counting = new Map<string, Promise<Counted | null>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: ShipmentProgressDeps) {
    this.#deps = deps;
  }

  /** Returns the counts of shipments of an account, keyed by id; a large shipment that was never counted is absent. */
  async of(accountId: number, shipments: readonly CountedShipment[]): Promise<Map<number, Counted>> {
    const [large, small] = split(shipments);
    const [known, counted] = await Promise.all([
      this.#known(accountId, large),
      this.#count(accountId, small),
    ]);
    for (const shipment of large) {
      const last = known.get(shipment.id);
      if (last) counted.set(shipment.id, last);
      if (this.#isStale(shipment, last)) void this.#countLater(accountId, shipment);
    }
    return counted;
  }

  /** Returns the counts of one shipment, and waits up to WAIT_MS for the first. Null when it takes longer. */
  async ofOne(accountId: number, shipment: CountedShipment): Promise<Counted | null> {
    const known = (await this.of(accountId, [shipment])).get(shipment.id);
    if (known) return known;
    const limit = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), WAIT_MS).unref();
    });
    return Promise.race([this.#countLater(accountId, shipment), limit]);
  }

  /** Deletes counts of shipments whose messages have expired. Runs every hour. */
  async cleanUp(keepDays: number): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM shipment_counts WHERE shipment_id < ${idFloor(clock.now() - keepDays * DAY)}`;
  }

  #isStale({ id, due_at }: CountedShipment, known: Counted | undefined): boolean {
    if (!known) return true;
    const waits = known.outcomes.some(({ state }) => state === 'waiting');
    const age = known.countedAt - Math.max(due_at, timeOfId(id));
    const pause = waits ? STALE_MS : Math.min(Math.max(age / STALE_SHARE, STALE_MS), MAX_STALE_MS);
    return this.#deps.clock.now() - known.countedAt > pause;
  }

  async #known(accountId: number, shipments: readonly CountedShipment[]): Promise<Map<number, Counted>> {
    if (shipments.length === 0) return new Map();
    const rows = await this.#deps.sql<{ shipment_id: number; counts: StoredOutcome[]; counted_at: number }[]>`
      SELECT shipment_id, counts, counted_at FROM shipment_counts
      WHERE account_id = ${accountId} AND shipment_id = ANY(${numbers(shipments.map(({ id }) => id))}::bigint[])`;
    return new Map(
      rows.map((row) => [
        row.shipment_id,
        { outcomes: row.counts.map(fromStored), countedAt: row.counted_at },
      ]),
    );
  }

  /** Counts a large shipment after those requested earlier. */
  #countLater(accountId: number, shipment: CountedShipment): Promise<Counted | null> {
    const key = `${accountId}/${shipment.id}`;
    const running = this.#counting.get(key);
    if (running) return running;
    const counting = this.#last.then(async () => {
      try {
        return await supervise('shipment counts', () => this.#countLarge(accountId, shipment));
      } catch (error) {
        this.#deps.log.warn({ err: error, shipmentId: shipment.id }, 'a shipment could not be counted');
        return null;
      } finally {
        this.#counting.delete(key);
      }
    });
    this.#counting.set(key, counting);
    this.#last = counting;
    return counting;
  }

  async #countLarge(accountId: number, shipment: CountedShipment): Promise<Counted> {
    const { sql } = this.#deps;
    const counted = (await this.#count(accountId, [shipment])).get(shipment.id)!;
    await sql`
      INSERT INTO shipment_counts (account_id, shipment_id, counts, counted_at)
      VALUES (${accountId}, ${shipment.id}, ${sql.json(counted.outcomes.map(toStored) as never)}, ${counted.countedAt})
      ON CONFLICT (account_id, shipment_id) DO UPDATE SET counts = excluded.counts, counted_at = excluded.counted_at`;
    return counted;
  }

  async #count(accountId: number, shipments: readonly CountedShipment[]): Promise<Map<number, Counted>> {
    const { sql, clock } = this.#deps;
    const countedAt = clock.now();
    const counted = new Map<number, { outcomes: Outcome[]; countedAt: number }>(
      shipments.map(({ id }) => [id, { outcomes: [], countedAt }]),
    );
    if (shipments.length === 0) return counted;
    const rows = await sql<(Outcome & { shipment_id: number })[]>`
      SELECT shipment_id, state, CASE WHEN state = 'failed' THEN channel END AS channel,
        CASE WHEN state = 'failed' THEN status END AS status,
        CASE WHEN state = 'failed' THEN code END AS code,
        CASE WHEN state = 'failed' THEN handed END AS submitted, count(*)::int AS count
      FROM (
        SELECT s.id AS shipment_id, m.channel, m.status, m.code, m.handed_at IS NOT NULL AS handed, ${stateSql(sql)} AS state
        FROM unnest(
          ${numbers(shipments.map(({ id }) => id))}::bigint[],
          ${numbers(shipments.map(({ first_id }) => first_id))}::bigint[],
          ${numbers(shipments.map(({ last_id }) => last_id))}::bigint[]
        ) AS s (id, first_id, last_id)
        JOIN messages m ON m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id
          AND m.shipment_id = s.id
      ) AS each
      GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY count(*) DESC`;
    for (const { shipment_id, ...outcome } of rows) counted.get(shipment_id)!.outcomes.push(outcome);
    return counted;
  }
}

function split(shipments: readonly CountedShipment[]): [large: CountedShipment[], small: CountedShipment[]] {
  const large = shipments.filter(({ message_count }) => message_count > SMALL);
  return [large, shipments.filter(({ message_count }) => message_count <= SMALL)];
}
