import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import type { Events, Pending } from '../events/events.ts';
import { idFloor } from '../ids.ts';
import { PAUSED_AT } from './batch-cutter.ts';
import { progressOf } from './campaign-report.ts';
import { type CampaignState, type CampaignTable, lockShipment } from './campaign-state.ts';
import { type Lane, lanes } from './lanes.ts';

const DAY_MS = 86_400_000;
const channelOf = { chat_campaigns: 'chat', mail_campaigns: 'mail' } as const;

export interface CampaignFinisherParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly events: Events;
  /** Called for an account that has work that is due. A hint; nothing rests on it. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

interface Open {
  readonly account_id: number;
  readonly id: number;
  readonly state: CampaignState;
  readonly expanded: boolean;
}

/**
 * Looks after campaigns of a channel whose messages are with the dispatchers: ends those of which nothing waits any more, with their
 * event, and brings batches in line that a dispatcher stored just when the campaign was paused or went on.
 */
export class CampaignFinisher {
  readonly #parts: CampaignFinisherParts;
  readonly #table: CampaignTable;

  constructor(parts: CampaignFinisherParts, table: CampaignTable) {
    this.#parts = parts;
    this.#table = table;
  }

  /** Looks at every campaign that is begun and not over. Run every second, in as many processes as there are. */
  async run(): Promise<void> {
    const open = await this.#parts.sql<Open[]>`
      SELECT account_id, id, state, expanded FROM ${this.#parts.sql(this.#table)}
      WHERE state IN ('running', 'paused')`;
    for (const campaign of open) {
      await this.#align(campaign);
      if (campaign.expanded && campaign.state === 'running') await this.#finish(campaign);
    }
  }

  /** Forgets campaigns that ended and whose messages were dropped with time. */
  async cleanUp(keepDays: number): Promise<void> {
    const { sql, clock } = this.#parts;
    await sql`
      DELETE FROM ${sql(this.#table)}
      WHERE id < ${idFloor(clock.now() - keepDays * DAY_MS)} AND state IN ('cancelled', 'finished')`;
  }

  /** Batches of a paused campaign are due when it goes on, and those of a running one are not kept back. */
  async #align({ account_id: accountId, id, state }: Open): Promise<void> {
    const { sql, clock, wake } = this.#parts;
    const isPaused = state === 'paused';
    const wrong = await sql`
      SELECT 1 FROM dispatch_batches
      WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
        AND (due_at = ${PAUSED_AT}) <> ${isPaused} LIMIT 1`;
    if (wrong.length === 0) return;
    await sql.begin(async (tx) => {
      await lockShipment(tx, accountId, id);
      await tx`
        UPDATE dispatch_batches SET due_at = ${isPaused ? PAUSED_AT : clock.now()}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
          AND (due_at = ${PAUSED_AT}) <> ${isPaused} AND EXISTS (
            SELECT 1 FROM ${tx(this.#table)} WHERE account_id = ${accountId} AND id = ${id} AND state = ${state})`;
    });
    if (!isPaused) wake(accountId, lanes.bulk);
  }

  /** Ends a campaign when nothing of it waits. The event is recorded by the one process that changes the state. */
  async #finish({ account_id: accountId, id }: Open): Promise<void> {
    const { sql, clock, events } = this.#parts;
    const [busy] = await sql`
      SELECT 1 FROM dispatch_batches
      WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id} LIMIT 1`;
    if (busy) return;
    const pending = await sql.begin(async (tx): Promise<Pending | undefined> => {
      const shipment = await lockShipment(tx, accountId, id);
      const now = clock.now();
      const ended = await tx`
        UPDATE ${tx(this.#table)} SET state = 'finished', finished_at = ${now}
        WHERE account_id = ${accountId} AND id = ${id} AND state = 'running' AND expanded AND NOT EXISTS (
          SELECT 1 FROM messages
          WHERE account_id = ${accountId} AND id >= ${id} AND id <= ${shipment?.last_id ?? id}
            AND shipment_id = ${id} AND final_at IS NULL AND handed_at IS NULL)
        RETURNING id`;
      if (ended.length === 0) return undefined;
      const { made, failed, cancelled } = await progressOf(tx, accountId, id);
      const lost = Object.values(failed).reduce((sum, count) => sum + count, cancelled);
      const data = {
        campaign_id: id,
        campaign_name: shipment?.campaign_name ?? null,
        channel: channelOf[this.#table],
        total: made,
        sent: made - lost,
        failed: lost,
      };
      return events.record(tx, accountId, [{ type: 'campaign.finished', at: now, data }]);
    });
    pending?.committed();
  }
}
