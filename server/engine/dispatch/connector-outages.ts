import { texts } from '../../database/arrays.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isLeased } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { connectorColumn, connectorOfPart } from '../carriers/parts.ts';

/** Shorter outages are not kept, in milliseconds: a connector that is opened is down for a moment. */
const SHORTEST_MS = 5_000;
const DAY_MS = 86_400_000;

/**
 * Stores the times without a connection to a carrier, for the timelines of messages that waited. An outage is a row for each
 * connector, since messages wait where they are: none is written while their connector is down.
 */
export class ConnectorOutages {
  readonly #deps: Pick<Context, 'asyncCommitSql' | 'clock'>;
  /** Whether each connector was up when it was last stored. */
  readonly #wasUp = new Map<string, boolean>();

  constructor(deps: Pick<Context, 'asyncCommitSql' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Stores the outages that have begun or ended, after the states of these connectors. A connector whose parts several processes hold
   * is up while one part is. Rejects with errors of the database.
   */
  async note(connectors: readonly { readonly name: string; readonly up: boolean }[]): Promise<void> {
    const isUp = new Map<string, boolean>();
    for (const { name, up } of connectors) {
      const connector = connectorOfPart(name);
      isUp.set(connector, up || (isUp.get(connector) ?? false));
    }
    const changed = [...isUp].filter(([connector, up]) => this.#wasUp.get(connector) !== up);
    await this.#end(changed.flatMap(([connector, up]) => (up ? [connector] : [])));
    await this.#begin(changed.flatMap(([connector, up]) => (up ? [] : [connector])));
    for (const [connector, up] of changed) this.#wasUp.set(connector, up);
  }

  async #begin(connectors: readonly string[]): Promise<void> {
    if (connectors.length === 0) return;
    const { asyncCommitSql: sql, clock } = this.#deps;
    await sql`
      INSERT INTO connector_outages (connector, from_at)
      SELECT u.connector, ${clock.now()}::bigint FROM unnest(${texts(connectors)}::text[]) AS u (connector)
      WHERE NOT EXISTS (SELECT FROM connector_outages o WHERE o.connector = u.connector AND o.until_at IS NULL)
        AND NOT EXISTS (
          SELECT FROM links
          WHERE ${connectorColumn(sql)} = u.connector AND up AND ${isLeased(sql, leaseClock.now())})
      ON CONFLICT ON CONSTRAINT connector_outages_pkey DO NOTHING`;
  }

  async #end(connectors: readonly string[]): Promise<void> {
    if (connectors.length === 0) return;
    const { asyncCommitSql: sql, clock } = this.#deps;
    const now = clock.now();
    const names = texts(connectors);
    await sql`
      UPDATE connector_outages SET until_at = ${now}
      WHERE connector = ANY(${names}::text[]) AND until_at IS NULL AND from_at <= ${now - SHORTEST_MS}`;
    await sql`DELETE FROM connector_outages WHERE connector = ANY(${names}::text[]) AND until_at IS NULL`;
  }
}

/** Deletes outages that ended more than `keepDays` ago. */
export async function removeOldOutages(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  keepDays: number,
): Promise<void> {
  await sql`DELETE FROM connector_outages WHERE until_at < ${clock.now() - keepDays * DAY_MS}`;
}
