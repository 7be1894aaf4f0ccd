import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import * as deliveries from './deliveries.ts';
import { type Endpoint, EndpointRefused, EndpointUnknown } from './endpoints.ts';
import { batchesBetween } from './outbox.ts';
import { type Item, itemsOf } from './types.ts';
import { wantsEvent } from './wanted.ts';

/**
 * Sends one event again to an endpoint, whether it was accepted or not; one that waits for its next attempt is sent now.
 * Returns the number of deliveries: 0 for an event that the endpoint does not receive, or that is on its way. Throws
 * EndpointRefused for a disabled endpoint.
 */
export async function replayEvent(
  tools: ReplayTools,
  endpoint: Endpoint,
  { key, event }: Item,
): Promise<number> {
  const { sql, ids, clock } = tools;
  const { account_id: accountId, id: endpointId } = endpoint;
  const stored = (await deliveries.deliveriesOfEvents(sql, accountId, [key], 0)).findLast(
    (row) => row.endpoint_id === endpointId,
  );
  if (stored) return replay(tools, [endpoint], { accountId, endpointId, deliveryId: stored.id });
  if (endpoint.state === 'off')
    throw new EndpointRefused('the endpoint is switched off: enable it first', 'endpoint-off');
  if (!wantsEvent(endpoint, event)) return 0;
  const now = clock.now();
  const again = [{ item: { key, event }, failure: null, giveUpAt: now + deliveries.GIVE_UP_AFTER }];
  await sql.begin((tx) => deliveries.storeDeliveries(tx, ids, accountId, endpointId, again, now));
  return 1;
}

/** Deliveries to send again. Times are milliseconds since the epoch, `from` inclusive, `to` exclusive. */
export interface ReplaySelection extends deliveries.FailedSelection {
  /** Also delivered events, from the stored events (kept 30 days); needs `from` and `to`. */
  readonly delivered?: boolean;
}

interface ReplayTools {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/**
 * Repeats deliveries: one by its id (also one that is done, or waits for its next attempt), the failed ones of an
 * endpoint or of the whole account, or with `delivered` every event between two times. Disabled endpoints are skipped.
 * The receiver gets the same event ids as before. Returns the number of deliveries. Throws EndpointUnknown, and
 * EndpointRefused for a disabled endpoint or an invalid selection.
 */
export async function replay(
  { sql, ids, clock }: ReplayTools,
  endpoints: readonly Endpoint[],
  selection: ReplaySelection,
): Promise<number> {
  const { accountId, endpointId, from, to } = selection;
  const named = endpoints.find((endpoint) => endpoint.id === endpointId);
  if (endpointId !== undefined && !named) throw new EndpointUnknown(endpointId);
  if (named?.state === 'off')
    throw new EndpointRefused('the endpoint is switched off: enable it first', 'endpoint-off');
  const active = (named ? [named] : endpoints).filter((endpoint) => endpoint.state === 'active');
  let count = 0;

  if (selection.delivered) {
    if (from === undefined || to === undefined) {
      throw new EndpointRefused(
        'replaying what was delivered needs a time to begin and a time to end',
        'needs-span',
      );
    }
    for (let after = 0; ; ) {
      const batches = await batchesBetween(sql, accountId, from, to, after);
      if (batches.length === 0) return count;
      after = batches.at(-1)!.id;
      const items = batches.flatMap(({ id, events }) => itemsOf(id, events));
      const now = clock.now();
      for (const endpoint of active) {
        const again = items
          .filter((item) => wantsEvent(endpoint, item.event))
          .map((item) => ({ item, failure: null, giveUpAt: now + deliveries.GIVE_UP_AFTER }));
        if (again.length === 0) continue;
        await sql.begin((tx) => deliveries.storeDeliveries(tx, ids, accountId, endpoint.id, again, now));
        count += again.length;
      }
    }
  }

  const usable = new Set(active.map((endpoint) => endpoint.id));
  for (let after = 0; ; ) {
    const page = await deliveries.replayable(sql, selection, after, clock.now());
    if (page.length === 0) return count;
    after = page.at(-1)!.id;
    for (const [endpoint, rows] of Map.groupBy(page, (row) => row.endpoint_id)) {
      if (!usable.has(endpoint)) continue;
      const chosen = rows.map((row) => row.id);
      await sql.begin((tx) => deliveries.restart(tx, accountId, endpoint, chosen, clock.now()));
      count += rows.length;
    }
  }
}
