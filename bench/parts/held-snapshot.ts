import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { type Compared, KINDS, measureRounds, Traffic } from '../support/compared.ts';
import { type Field, flow } from '../support/field.ts';
import { startCarillon } from '../systems/carillon.ts';

const DAY = 86_400_000;
const STATISTICS_MS = 2_000;

export interface HeldSnapshotOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages per measurement, one per request; `bulk` has twice as many. */
  readonly messages: number;
  /** Messages of each kind sent after the transaction has begun and before its measurement. */
  readonly held: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface HeldSnapshot {
  readonly rows: readonly Compared[];
  /** Messages sent while the transaction was open, before the first measurement with it. */
  readonly held: number;
  /** Age of the transaction at the first measurement with it and at the end of the last one, in seconds. */
  readonly openFrom: number;
  readonly openTo: number;
  /** Dead rows of `dispatch_batches` that vacuum cannot remove, at the end; and its pages of 8 KiB. */
  readonly deadBatches: number;
  readonly batchPages: number;
  /** Index entries read per message, without and with the transaction; the largest differences. */
  readonly entries: readonly { readonly index: string; readonly without: number; readonly with: number }[];
}

/** Number of `entries` to show. */
const SHOWN_INDEXES = 6;

/** Measures with and without a transaction whose snapshot is older than many messages. */
export async function heldSnapshot(options: HeldSnapshotOptions): Promise<HeldSnapshot> {
  const { field, held, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const folder = join(options.folder, 'held-snapshot');
  const carillon = await startCarillon({ smscPort, callbackPort, folder, profile });
  const database = await attachEmbedded(folder);
  const sql = connect(database.target, { max: 2 });
  const traffic = new Traffic();
  const rows = KINDS.flatMap((kind): Compared[] => [
    { kind, label: 'no other transaction', isBase: true, flows: [] },
    { kind, label: 'a transaction open', isBase: false, flows: [] },
  ]);
  const measure = (isBase: boolean) =>
    measureRounds(
      options,
      carillon,
      traffic,
      rows.filter((one) => one.isBase === isBase),
    );
  try {
    progress('warming up');
    for (const kind of KINDS) await flow(field, carillon, traffic.plan(kind, Math.min(held, 50_000)));
    const usual = await entriesRead(sql, rows, () => measure(true));
    const forgotten = await sql.reserve({ deadlineMs: DAY });
    await forgotten`SET idle_in_transaction_session_timeout = 0`;
    await forgotten`BEGIN ISOLATION LEVEL REPEATABLE READ`;
    // A snapshot and a transaction id: vacuum keeps the rows that either may see.
    await forgotten`SELECT pg_current_xact_id(), (SELECT count(*) FROM accounts)`;
    const begunAt = performance.now();
    const seconds = () => (performance.now() - begunAt) / 1_000;
    progress(`a transaction is open; ${2 * held} messages`);
    for (const kind of KINDS) await flow(field, carillon, traffic.plan(kind, held));
    const openFrom = seconds();
    const slowed = await entriesRead(sql, rows, () => measure(false));
    const openTo = seconds();
    await forgotten`COMMIT`;
    forgotten.release();
    const [found] = await sql<{ dead: number; pages: number }[]>`
      SELECT n_dead_tup::int AS dead, (pg_relation_size(relid) / 8192)::int AS pages
      FROM pg_stat_user_tables WHERE relname = 'dispatch_batches'`;
    const entries = [...slowed]
      .map(([index, count]) => ({ index, without: usual.get(index) ?? 0, with: count }))
      .sort((a, b) => b.with - b.without - (a.with - a.without))
      .slice(0, SHOWN_INDEXES);
    const [openFor, dead] = [
      { openFrom, openTo },
      { deadBatches: found!.dead, batchPages: found!.pages },
    ];
    return { rows, held: 2 * held, ...openFor, ...dead, entries };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

/**
 * Returns the entries that scans of each index read per message while `work` ran, keyed by index; partitions count as
 * one.
 */
async function entriesRead(
  sql: Sql,
  rows: readonly Compared[],
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const read = async () =>
    new Map(
      (
        await sql<{ name: string; entries: number }[]>`
          SELECT regexp_replace(indexrelname, '_[0-9]{4}_.*?_', '_') AS name, sum(idx_tup_read)::float8 AS entries
          FROM pg_stat_user_indexes GROUP BY 1`
      ).map(({ name, entries }) => [name, entries]),
    );
  const count = () => rows.flatMap(({ flows }) => flows).reduce((sum, { messages }) => sum + messages, 0);
  const [before, messages] = [await read(), count()];
  await work();
  // Backends report their reads every second, and when they become idle.
  await pause(STATISTICS_MS);
  const sent = count() - messages;
  return new Map(
    [...(await read())].map(([name, entries]) => [name, (entries - (before.get(name) ?? 0)) / sent]),
  );
}
