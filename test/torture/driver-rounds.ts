import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type DatabaseTarget, type Sql } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { listen } from '../../server/database/listener.ts';
import { isDatabaseTrouble } from '../../server/database/trouble.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { random } from './random.ts';

/*
 * The driver under faults: a pool under load whose server and network fail round after round. Every statement must get a
 * response, and every response must be true: a statement that succeeded is in the database completely, and a result belongs
 * to its own statement.
 */

type Target = Exclude<DatabaseTarget, { url: string }>;

export interface RoundsOptions {
  readonly rounds: number;
  /** Number of other programs, each using one CPU. */
  readonly contention: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

export interface RoundsResult {
  readonly rounds: Readonly<Record<string, number>>;
  readonly statements: number;
  readonly answered: number;
  readonly failed: Readonly<Record<string, number>>;
  /** Statements without an answer within UNANSWERED_MS, and rounds after which the pool did not work again. */
  readonly unanswered: readonly string[];
  /** Answers that were not true. */
  readonly untrue: readonly string[];
  readonly longestMs: number;
  readonly minutes: number;
}

const WORKERS = 10;
const CONNECTIONS = 5;
const STATEMENT_MS = 1_500;
const ACQUIRE_MS = 4_000;
/** Longer than every deadline together, on a machine that is busy. */
const UNANSWERED_MS = 40_000;
/** After a round each worker has to succeed this often. */
const SUCCESSES = 2;

class Undone extends Error {}

/** Record of the statements and their results. */
class Tally {
  statements = 0;
  answered = 0;
  longestMs = 0;
  readonly failed: { [code: string]: number } = {};
  readonly unanswered: string[] = [];
  readonly untrue: string[] = [];
  /** `stored` has the ids of successful inserts by table, `undone` those of rolled-back ones. */
  readonly stored = { singles: new Set<number>(), pairs: new Set<number>() };
  readonly undone = new Set<number>();
  readonly successes = new Array<number>(WORKERS).fill(0);

  /** Waits for one piece of work and notes how it went; true when it succeeded. */
  async note(worker: number, what: string, work: Promise<unknown>): Promise<boolean> {
    this.statements++;
    const began = performance.now();
    const timer = setTimeout(() => this.unanswered.push(what), UNANSWERED_MS);
    try {
      await work;
      this.answered++;
      this.successes[worker]!++;
      return true;
    } catch (error) {
      if (error instanceof Undone) return false;
      const code = String((error as { code?: unknown }).code ?? (error as Error).message);
      this.failed[code] = (this.failed[code] ?? 0) + 1;
      if (!isDatabaseTrouble(error)) this.untrue.push(`${what}: ${(error as Error).stack}`);
      return false;
    } finally {
      clearTimeout(timer);
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
    }
  }
}

/** One worker: runs statements of every kind, one after the other, until it is stopped. */
async function work(sql: Sql, worker: number, record: Tally, next: () => number, isOver: () => boolean) {
  let counted = 0;
  const expect = (what: string, holds: boolean) => {
    if (!holds) record.untrue.push(what);
  };
  while (!isOver()) {
    const id = next();
    switch (id % 6) {
      case 0:
        await record.note(
          worker,
          'select',
          (async () => {
            const rows = await sql<{ id: number }[]>`SELECT ${id}::bigint AS id`;
            expect('a result of another statement', rows.length === 1 && rows[0]!.id === id);
          })(),
        );
        break;
      case 1:
        if (await record.note(worker, 'insert', sql`INSERT INTO singles VALUES (${id})`))
          record.stored.singles.add(id);
        break;
      case 2:
        if (
          await record.note(
            worker,
            'transaction',
            sql.begin(async (tx) => {
              await tx`SELECT ${id}::bigint`;
              await Promise.all([
                tx`INSERT INTO pairs VALUES (${id}, 1)`,
                tx`INSERT INTO pairs VALUES (${id}, 2)`,
              ]);
            }),
          )
        )
          record.stored.pairs.add(id);
        break;
      case 3:
        // Rolled back by its author.
        record.undone.add(id);
        await record.note(
          worker,
          'rollback',
          sql.begin(async (tx) => {
            await tx`INSERT INTO pairs VALUES (${id}, 1)`;
            throw new Undone();
          }),
        );
        break;
      case 4:
        await record.note(
          worker,
          'update',
          (async () => {
            const rows = await sql<{ n: number }[]>`
            UPDATE counters SET n = n + 1 WHERE worker = ${worker} RETURNING n`;
            expect('an update of nothing', rows.count === 1 && rows[0]!.n > counted);
            counted = rows[0]?.n ?? counted;
          })(),
        );
        break;
      default:
        await record.note(
          worker,
          'many rows',
          (async () => {
            const rows = await sql<
              { n: number }[]
            >`SELECT n + ${id}::bigint AS n FROM generate_series(1, 300) n`;
            expect('rows of another statement', rows.length === 300 && rows[299]!.n === id + 300);
          })(),
        );
    }
    await pause(1 + (id % 7));
  }
}

interface Field {
  readonly folder: string;
  readonly target: Target;
  readonly proxy: DatabaseProxy;
  readonly admin: Sql;
  server: Awaited<ReturnType<typeof startEmbedded>>;
  readonly chance: () => number;
}

const postmaster = (field: Field) =>
  Number(readFileSync(join(field.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Process ids of the pool's sessions; empty while the server does not answer. */
async function backends({ admin }: Field): Promise<number[]> {
  const rows = await admin<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE application_name = 'driver-rounds'`.catch(() => []);
  return rows.map(({ pid }) => pid);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended in the meantime.
    }
  }
}

/** Causes a fault and resolves when the fault is over. */
type Disturbance = (field: Field) => Promise<void>;

const disturbances: Readonly<{ [kind: string]: Disturbance }> = {
  async restart(field) {
    await field.server.stop();
    field.server = await startEmbedded(field.folder, { fsync: false });
  },
  /** The postmaster is killed; its sessions end when they notice. */
  async crash(field) {
    const pid = postmaster(field);
    process.kill(pid, 'SIGKILL');
    for (const until = Date.now() + 30_000; Date.now() < until; await pause(50)) {
      try {
        if (postmaster(field) !== pid && (await backends(field))) break;
      } catch {
        // The new postmaster has not written its process id yet.
      }
    }
  },
  /** Kills a session: the server ends all sessions and recovers. */
  async 'backend killed'(field) {
    const pids = await backends(field);
    signal(pids.slice(0, 1), 'SIGKILL');
  },
  async terminate(field) {
    const pids = (await backends(field)).filter(() => field.chance() < 0.6);
    await field.admin`SELECT pg_terminate_backend(pid) FROM unnest(${pids}::int[]) pid`.catch(() => {});
  },
  /** Some sessions stand still, shorter or longer than the deadline. */
  async 'backends stopped'(field) {
    const pids = (await backends(field)).filter(() => field.chance() < 0.6);
    signal(pids, 'SIGSTOP');
    await pause(field.chance() < 0.5 ? 100 : STATEMENT_MS * 2);
    signal(pids, 'SIGCONT');
  },
  /** The whole server stands still, so that new connections are not answered either. */
  async 'server stopped'(field) {
    const pids = [...(await backends(field)), postmaster(field)];
    signal(pids, 'SIGSTOP');
    await pause(field.chance() < 0.5 ? 200 : STATEMENT_MS * 2);
    signal(pids, 'SIGCONT');
  },
  async cut(field) {
    field.proxy.cut(Math.floor(field.chance() * 3) * 150);
  },
  /** Connections stay open without any data; some deliver it late. */
  async 'half open'(field) {
    field.proxy.silence();
    await pause(field.chance() < 0.5 ? 100 : STATEMENT_MS * 2);
    if (field.chance() < 0.5) field.proxy.resume();
  },
};

/** Runs the rounds and returns the findings. Throws when the rounds could not run. */
export async function runRounds(options: RoundsOptions): Promise<RoundsResult> {
  const began = performance.now();
  const chance = random(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-driver-'));
  chmodSync(folder, 0o755);
  const server = await startEmbedded(folder, { fsync: false });
  const target = server.target as Target;
  const admin = connect(target, { max: 2, application: 'admin', statementMs: 10_000 });
  const proxy = await DatabaseProxy.start(join(target.host, `.s.PGSQL.${target.port}`));
  const field: Field = { folder, target, proxy, admin, server, chance };
  // The embedded server listens only on a socket; the proxy provides TCP.
  const reached = { ...target, host: '127.0.0.1', port: proxy.port };
  const sql = connect(reached, {
    max: CONNECTIONS,
    application: 'driver-rounds',
    statementMs: STATEMENT_MS,
    acquireMs: ACQUIRE_MS,
  });
  const burners = Array.from({ length: options.contention }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const record = new Tally();
  const rounds: { [kind: string]: number } = {};
  try {
    await prepare(admin);
    let isOver = false;
    let id = 0;
    const heard: string[] = [];
    const listener = await listen(sql, { rounds: (payload) => heard.push(payload) });
    const workers = Array.from({ length: WORKERS }, (_, worker) =>
      work(
        sql,
        worker,
        record,
        () => ++id,
        () => isOver,
      ),
    );
    const kinds = Object.keys(disturbances);
    for (
      let round = 0;
      round < options.rounds && record.unanswered.length + record.untrue.length === 0;
      round++
    ) {
      const kind = kinds[round % kinds.length]!;
      rounds[kind] = (rounds[kind] ?? 0) + 1;
      await disturbances[kind]!(field);
      await recovered(record, `round ${round} (${kind})`);
      await pause(chance() * 60);
      if ((round + 1) % 50 === 0) {
        options.progress?.(
          `${round + 1} rounds, ${record.statements} statements, ${record.untrue.length} untrue`,
        );
      }
    }
    if (record.unanswered.length === 0) await stillHeard(sql, heard, record);
    isOver = true;
    await Promise.race([Promise.all(workers), pause(UNANSWERED_MS, undefined, { ref: false })]);
    await listener.stop();
    await verify(admin, record);
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
    await Promise.all([sql.end({ timeout: 1 }), admin.end({ timeout: 1 })]);
    await proxy.stop();
    await field.server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(target.host, { recursive: true, force: true });
  }
  const { statements, answered, failed, unanswered, untrue, longestMs } = record;
  const minutes = (performance.now() - began) / 60_000;
  return { rounds, statements, answered, failed, unanswered, untrue, longestMs, minutes };
}

async function prepare(admin: Sql): Promise<void> {
  await admin`CREATE TABLE singles (id bigint CONSTRAINT singles_pkey PRIMARY KEY)`;
  await admin`CREATE TABLE pairs (id bigint, part int, CONSTRAINT pairs_pkey PRIMARY KEY (id, part))`;
  await admin`CREATE TABLE counters (worker int CONSTRAINT counters_pkey PRIMARY KEY, n bigint NOT NULL)`;
  await admin`INSERT INTO counters SELECT worker, 0 FROM generate_series(0, ${WORKERS - 1}) worker`;
}

/** Waits until every worker has succeeded again, and notes it when one does not. */
async function recovered(record: Tally, where: string): Promise<void> {
  const before = [...record.successes];
  const isBack = () => record.successes.every((count, worker) => count >= before[worker]! + SUCCESSES);
  for (const until = performance.now() + UNANSWERED_MS; !isBack(); await pause(10)) {
    if (record.untrue.length > 0) return;
    if (performance.now() < until) continue;
    record.unanswered.push(`${where}: not every worker could go on`);
    return;
  }
}

async function stillHeard(sql: Sql, heard: readonly string[], record: Tally): Promise<void> {
  const before = heard.length;
  for (const until = performance.now() + UNANSWERED_MS; heard.length === before; await pause(100)) {
    await sql.notify('rounds', 'still here').catch(() => {});
    if (performance.now() < until) continue;
    record.unanswered.push('notifications are not heard any more');
    return;
  }
}

/** Holds what was answered against what is in the database. */
async function verify(admin: Sql, { stored, undone, untrue }: Tally): Promise<void> {
  const singles = new Set((await admin<{ id: number }[]>`SELECT id FROM singles`).map((row) => row.id));
  const pairs = new Map(
    (
      await admin<{ id: number; parts: number }[]>`SELECT id, count(*)::int AS parts FROM pairs GROUP BY id`
    ).map((row) => [row.id, row.parts]),
  );
  for (const id of stored.singles)
    if (!singles.has(id)) untrue.push(`insert ${id} succeeded and is not there`);
  for (const id of stored.pairs)
    if (pairs.get(id) !== 2) untrue.push(`transaction ${id} succeeded and is not there`);
  for (const [id, parts] of pairs) if (parts !== 2) untrue.push(`transaction ${id} is there by half`);
  for (const id of undone) if (pairs.has(id)) untrue.push(`transaction ${id} was rolled back and is there`);
}
