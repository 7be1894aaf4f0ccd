import type { Queryable } from '../../../server/database/connection.ts';
import type { Context } from '../../../server/kit/context.ts';
import { partOf } from '../../../server/modules/personal-data/table-parts.ts';

const DAY_MS = 86_400_000;

/** Devices of accounts: when they got a notification, and whether the app is gone. */
export class PushDevices {
  readonly #deps: Pick<Context, 'sql' | 'clock' | 'config'>;

  constructor(deps: Pick<Context, 'sql' | 'clock' | 'config'>) {
    this.#deps = deps;
  }

  /** Whether the app is gone from a device. */
  async isGone(accountId: number, device: string): Promise<boolean> {
    const rows = await this.#deps.sql`
      SELECT 1 FROM push_devices WHERE account_id = ${accountId} AND device = ${device} AND gone_at IS NOT NULL`;
    return rows.length > 0;
  }

  /** Notes that a device gets a notification, in the transaction that stores it. */
  async note(tx: Queryable, accountId: number, device: string, now: number): Promise<void> {
    await tx`
      INSERT INTO push_devices (account_id, device, last_at) VALUES (${accountId}, ${device}, ${now})
      ON CONFLICT ON CONSTRAINT push_devices_pkey DO UPDATE SET last_at = excluded.last_at`;
  }

  /** Notes that the app is gone from a device. */
  async gone(device: string): Promise<void> {
    await this.#deps
      .sql`UPDATE push_devices SET gone_at = ${this.#deps.clock.now()} WHERE device = ${device}`;
  }

  /** Deletes devices that got nothing for KEEP_DAYS. */
  async cleanUp(): Promise<void> {
    const { sql, clock, config } = this.#deps;
    await sql`DELETE FROM push_devices WHERE last_at < ${clock.now() - config.KEEP_DAYS * DAY_MS}`;
  }
}

/** Devices, for exports and erasures. */
export const pushPart = partOf([
  {
    table: 'push_devices',
    kind: 'messages',
    by: { device: ['chatIds'] },
    key: ['device'],
    shown: ['device', 'last_at', 'gone_at'],
    times: ['last_at', 'gone_at'],
  },
]);
