import { join } from 'node:path';
import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { type Compared, KINDS, Traffic, told } from '../support/compared.ts';
import { type Field, flow, quiet } from '../support/field.ts';
import { startCarillon } from '../systems/carillon.ts';

const DAY = 86_400_000;

export interface HeldSnapshotOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages of one measurement, one a request; `bulk` has twice as many. */
  readonly messages: number;
  /** Messages of each kind that are sent after the transaction has begun and before its measurement. */
  readonly held: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface HeldSnapshot {
  readonly rows: readonly Compared[];
  /** Messages that were sent while the transaction was open, before the first measurement with it. */
  readonly held: number;
  /** How long the transaction had been open at the first and at the end of the last measurement with it, in seconds. */
  readonly openFrom: number;
  readonly openTo: number;
  /** Rows of `dispatch_batches` that nobody needs and vacuum may not remove, at the end; and its pages of 8 KiB. */
  readonly deadBatches: number;
  readonly batchPages: number;
}

/** Measures with and without a transaction whose snapshot has been open since before many messages. */
export async function heldSnapshot(options: HeldSnapshotOptions): Promise<HeldSnapshot> {
  const { field, rounds, messages, held, profile, progress } = options;
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
  const measure = async (isBase: boolean) => {
    for (let round = 1; round <= rounds; round++) {
      for (const row of rows.filter((one) => one.isBase === isBase)) {
        await quiet(field, [carillon]);
        const count = row.kind === 'single' ? messages : 2 * messages;
        row.flows.push(await flow(field, carillon, traffic.plan(row.kind, count)));
        progress(`round ${round}, ${told(row)}`);
      }
    }
  };
  try {
    progress('warming up');
    for (const kind of KINDS) await flow(field, carillon, traffic.plan(kind, Math.min(held, 50_000)));
    await measure(true);
    const forgotten = await sql.reserve({ deadlineMs: DAY });
    await forgotten`SET idle_in_transaction_session_timeout = 0`;
    await forgotten`BEGIN ISOLATION LEVEL REPEATABLE READ`;
    // A snapshot and an id of its own: vacuum keeps what either may see.
    await forgotten`SELECT pg_current_xact_id(), (SELECT count(*) FROM accounts)`;
    const begunAt = performance.now();
    const seconds = () => (performance.now() - begunAt) / 1_000;
    progress(`a transaction is open; ${2 * held} messages`);
    for (const kind of KINDS) await flow(field, carillon, traffic.plan(kind, held));
    const openFrom = seconds();
    await measure(false);
    const openTo = seconds();
    await forgotten`COMMIT`;
    forgotten.release();
    const [found] = await sql<{ dead: number; pages: number }[]>`
      SELECT n_dead_tup::int AS dead, (pg_relation_size(relid) / 8192)::int AS pages
      FROM pg_stat_user_tables WHERE relname = 'dispatch_batches'`;
    return { rows, held: 2 * held, openFrom, openTo, deadBatches: found!.dead, batchPages: found!.pages };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}
