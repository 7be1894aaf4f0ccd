import { join } from 'node:path';
import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { addAccounts } from '../support/accounts.ts';
import { type Compared, Traffic, told } from '../support/compared.ts';
import type { ComparedServicesOptions } from '../support/compared-services.ts';
import { flow, quiet } from '../support/field.ts';
import { median, show } from '../support/statistics.ts';
import { storeAround, storeMessages } from '../support/stored-messages.ts';
import { until } from '../support/wait.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

const ACCOUNTS = 1_000;
/** Retention of texts in days; three quarters of the 28 days of stored messages are older. */
const TEXT_DAYS = 7;
const HOUR = 3_600_000;
const REMOVED = 'carillon_retention_rows_total{kind="texts"}';
const DUE = 'carillon_retention_accounts_due';
const RUN_SECONDS = 'carillon_retention_run_seconds';
const LAST_RUN = 'carillon_retention_last_run_seconds';

export interface RetentionOptions extends ComparedServicesOptions {
  /** Number of messages in the table. */
  readonly stored: number;
}

/** One run of the job. */
interface Run {
  /** Duration of the whole run, including the search for accounts with texts to remove. */
  readonly seconds: number;
  readonly texts: number;
  /** CPU seconds of the removal. */
  readonly server: number;
  readonly postgres: number;
}

export interface RetentionBench {
  readonly stored: number;
  /** Duration of a run without texts to remove, in seconds. */
  readonly nothingSeconds: number;
  /** Removal of some accounts' texts while nothing is sent. */
  readonly alone: Run;
  /** Messages sent without a removal and while texts are removed. */
  readonly rows: readonly Compared[];
  /** Median duration of the runs during which messages were sent, in seconds. */
  readonly besideSeconds: number;
}

/**
 * Stores messages of 1,000 accounts, sets a retention of seven days for one group of accounts after the other, and
 * measures the cost of the removal, alone and during single messages. The job runs half a minute after the start of a
 * process, so each measurement starts one.
 */
export async function retention(options: RetentionOptions): Promise<RetentionBench> {
  const { field, rounds, messages, stored, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const folder = join(options.folder, 'retention');
  const surroundings = { smscPort, callbackPort, folder, profile };
  let carillon = await startCarillon(surroundings);
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  const restart = async (prepare: (sql: Sql) => Promise<unknown>) => {
    await inDatabase(folder, prepare);
    await carillon.end();
    carillon = await startCarillon({ ...surroundings, target });
  };
  const groupSize = Math.floor(ACCOUNTS / (rounds + 1));
  let shortened = 0;
  /** Shortens the retention of the next group of accounts. */
  const shorten = async (sql: Sql) => {
    const first = shortened + 1;
    shortened += groupSize;
    await sql`
      INSERT INTO retention (account_id, asked) SELECT number, ${JSON.stringify({ texts: TEXT_DAYS })}::text::jsonb
      FROM generate_series(${first}::bigint, ${shortened}::bigint) AS number`;
  };

  await addAccounts((await attachEmbedded(folder)).target, target, ACCOUNTS);
  await restart(async (sql) => {
    // The ids of the accounts begin with 1.
    await storeMessages(sql, 1, stored, progress, ACCOUNTS);
    await storeAround(sql, progress);
  });
  await ended(carillon);
  const nothingSeconds = await carillon.metric(RUN_SECONDS);
  await restart(shorten);
  const alone = await removal(carillon);
  progress(`${show(alone.texts)} texts removed in ${show(alone.seconds, 1)} s`);

  const traffic = new Traffic();
  const rows = ['no removal', 'while texts are removed'].map(
    (label, index): Compared => ({ kind: 'single', label, isBase: index === 0, flows: [] }),
  );
  const beside: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await restart(shorten);
    // Before the job starts.
    await flow(field, carillon, traffic.plan('single', Math.ceil(messages / 4)));
    await begun(carillon);
    rows[1]!.flows.push(await flow(field, carillon, traffic.plan('single', messages)));
    await ended(carillon);
    beside.push(await carillon.metric(RUN_SECONDS));
    await quiet(field, [carillon]);
    rows[0]!.flows.push(await flow(field, carillon, traffic.plan('single', messages)));
    for (const row of rows) progress(`round ${round}, ${told(row)}`);
  }
  await carillon.stop();
  return { stored, nothingSeconds, alone, rows, besideSeconds: median(beside) };
}

/** Waits until the job has found accounts with texts to remove. */
const begun = (carillon: Carillon) =>
  until(async () => (await carillon.metric(DUE)) > 0, 'the removal has begun', {
    withinMs: HOUR,
    everyMs: 20,
  });

const ended = (carillon: Carillon) =>
  until(async () => (await carillon.metric(LAST_RUN)) > 0, 'the run of retention has ended', {
    withinMs: HOUR,
    everyMs: 20,
  });

async function removal(carillon: Carillon): Promise<Run> {
  await begun(carillon);
  const before = carillon.cpu();
  await ended(carillon);
  const after = carillon.cpu();
  return {
    seconds: await carillon.metric(RUN_SECONDS),
    texts: await carillon.metric(REMOVED),
    server: after.server! - before.server!,
    postgres: after.postgres! - before.postgres!,
  };
}

async function inDatabase(folder: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const { target } = await attachEmbedded(folder);
  const sql = connect(target, { max: 1, statementMs: HOUR });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
