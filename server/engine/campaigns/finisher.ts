import type { DueRows } from '../../database/due-look.ts';
import type { Context } from '../../kit/context.ts';
import type { Events } from '../events/events.ts';
import { lanes } from '../messages/lanes.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { lockShipment } from './lock.ts';
import { progressOf } from './report.ts';
import type { CampaignSources } from './source.ts';

interface CampaignFinisherDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly events: Events;
  readonly sources: CampaignSources;
}

interface Open {
  readonly account_id: number;
  readonly id: number;
  readonly channel: number;
}

/** Finishes campaigns without waiting messages, and records their event. */
export class CampaignFinisher {
  readonly #deps: CampaignFinisherDeps;

  constructor(deps: CampaignFinisherDeps) {
    this.#deps = deps;
  }

  /** Selects the campaigns that `run` examines, and also paused or cancelled ones. */
  due(): DueRows {
    return this.#deps.sql`FROM campaigns WHERE finished_at IS NULL AND next_at IS NULL`;
  }

  /**
   * Examines every unfinished campaign whose messages are all created. Runs every second, in any number of processes.
   */
  async run(): Promise<void> {
    const open = await this.#deps.sql<Open[]>`
      SELECT c.account_id, c.id, c.channel FROM campaigns c
      JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id
      WHERE c.finished_at IS NULL AND c.next_at IS NULL AND s.state = ${shipmentStates.running}
        AND s.paused_at IS NULL`;
    for (const campaign of open) await this.#finish(campaign);
  }

  /** Finishes a campaign when none of its messages waits. The one process that changes the row records the event. */
  async #finish({ account_id: accountId, id, channel }: Open): Promise<void> {
    const { sql, clock, events, sources } = this.#deps;
    const [busy] = await sql`
      SELECT 1 FROM dispatch_batches
      WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id} LIMIT 1`;
    if (busy) return;
    await sql.begin(async (tx) => {
      const shipment = await lockShipment(tx, accountId, id);
      if (shipment?.state !== shipmentStates.running || shipment.paused_at !== null) return;
      const now = clock.now();
      const ended = await tx`
        UPDATE campaigns SET finished_at = ${now}
        WHERE account_id = ${accountId} AND id = ${id} AND next_at IS NULL AND finished_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM messages
          WHERE account_id = ${accountId} AND id >= ${id} AND id <= ${shipment.last_id} AND shipment_id = ${id}
            AND final_at IS NULL AND handed_at IS NULL)
        RETURNING id`;
      const finishedAs = sources.get(channel)?.finishedAs ?? null;
      if (ended.length === 0 || finishedAs === null) return undefined;
      const { made, failed, cancelled } = await progressOf(tx, accountId, id);
      const lost = Object.values(failed).reduce((sum, count) => sum + count, cancelled);
      const data = {
        campaign_id: id,
        campaign_name: shipment.campaign_name,
        channel: finishedAs,
        total: made,
        sent: made - lost,
        failed: lost,
      };
      await events.record(tx, accountId, [{ type: 'campaign.finished', at: now, data }]);
    });
  }
}
