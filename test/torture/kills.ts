import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DatabaseTarget, type Sql } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { type Caller, phones, send, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { behave, misbehaviours } from './carriers.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';

/*
 * Two processes of the program on one PostgreSQL, under load, with a carrier that misbehaves differently in each round. Each
 * round kills a part, fills the disk, or shifts a clock. At the end the data is compared with the responses and with the
 * messages that the carrier accepted.
 */

const WINDOW = 50;
const SIZE = 10;
const WORKERS = 4;
const CREDITS = 10_000_000;
/** A start, on a machine that is busy. */
const BACK_MS = 180_000;
/** Requests that are accepted between two kills. */
const BETWEEN = 6;
/**
 * Milliseconds until all accepted messages are final, with a carrier that behaves. Includes expiring leases and pauses
 * between retries.
 */
const SETTLED_MS = 15 * 60_000;

type Target = Exclude<DatabaseTarget, { url: string }>;

interface Request {
  readonly to: readonly string[];
  /** Undefined: cut off, so that the caller does not know. */
  status: number | undefined;
}

const emptyTally = () => ({
  'service killed': 0,
  'postmaster killed': 0,
  'backend killed': 0,
  'backends terminated': 0,
  'no room': 0,
  'clock jumps': 0,
});

/** One run of the machine. */
class Kills {
  readonly #chance: () => number;
  readonly #tally = emptyTally();
  readonly #requests: Request[] = [];
  readonly #strange: string[] = [];
  readonly #programs: Program[] = [];
  readonly #sql: Sql;
  readonly #folder: string;
  readonly #installation: Installation;
  readonly #network: Awaited<ReturnType<typeof startNetwork>>;
  #account: (Caller & { id: number }) | undefined;
  #used = 0;
  /** Windows that may have gone out twice. */
  #cuts = 0;
  #misbehaved = 0;
  #isOver = false;

  constructor(options: {
    folder: string;
    target: Target;
    network: Awaited<ReturnType<typeof startNetwork>>;
    chance: () => number;
  }) {
    const { folder, target, network, chance } = options;
    this.#folder = folder;
    this.#network = network;
    this.#chance = chance;
    this.#sql = connect(target, { max: 2, application: 'test' });
    this.#installation = new Installation({
      DATABASE_URL: databaseUrl(target),
      SMPP_URL: network.url({ window: WINDOW, responseTimeoutMs: 1_500 }),
      // A message may be on the wire in each of many cuts.
      MAX_COPIES: '20',
      COPY_PAUSE_SECONDS: '0',
      CLOCK_FILE: this.#clockFile,
      NODE_OPTIONS: `--import ${new URL('shifted-clock.ts', import.meta.url).href}`,
    });
  }

  get #clockFile(): string {
    return join(this.#folder, 'clock');
  }

  get kills(): number {
    const { 'no room': _room, 'clock jumps': _jumps, ...kills } = this.#tally;
    return Object.values(kills).reduce((sum, count) => sum + count, 0);
  }

  async start(): Promise<void> {
    for (let n = 0; n < 2; n++) this.#programs.push(await this.#startOne());
    this.#account = await this.#installation.account(this.#programs[0]!.url, 'tortured', CREDITS);
    await knownTo(this.#programs[1]!.url, this.#account);
  }

  /** Rounds until the time is over. */
  async run(options: MachineOptions): Promise<void> {
    const workers = Array.from({ length: WORKERS }, (_, worker) => this.#work(worker));
    try {
      while (!options.isOver() && this.kills < (options.goal ?? Infinity)) {
        await this.#round();
        if (this.kills % 10 === 0)
          options.progress?.(`${this.kills} kills, ${this.#requests.length} requests`);
      }
    } finally {
      this.#isOver = true;
      behave(this.#network);
      await Promise.all(workers);
    }
  }

  #startOne(): Promise<Program> {
    return this.#installation.start({ args: ['serve'], ready: false, limitMs: BACK_MS });
  }

  async #work(worker: number): Promise<void> {
    while (!this.#isOver) {
      this.#used += SIZE;
      const request: Request = { to: phones(this.#used - SIZE, SIZE), status: undefined };
      this.#requests.push(request);
      const program = this.#programs[(worker + this.#used / SIZE) % 2]!;
      try {
        const answer = await send(program.url, this.#account!, request.to);
        request.status = answer.status;
        if (answer.http !== 200 || ![0, 6].includes(answer.status))
          this.#strange.push(`HTTP ${answer.http}, ${answer.status} ${answer.message}`);
      } catch {
        // Cut off, or it does not listen yet.
        await waitFor('another look', () => this.#isOver || performance.now() % 3 < 2);
      }
    }
  }

  async #round(): Promise<void> {
    const accepted = () => this.#requests.filter(({ status }) => status === 0).length;
    const before = accepted();
    behave(this.#network);
    const way = misbehaviours[this.#misbehaved++ % misbehaviours.length]!;
    await way.begin({ network: this.#network, chance: this.#chance });
    this.#cuts += way.cuts;
    await this.#disturb();
    await waitFor('requests are accepted again', () => accepted() >= before + BETWEEN, BACK_MS);
  }

  async #disturb(): Promise<void> {
    const at = this.#chance();
    if (at < 0.3) await this.#killService();
    else if (at < 0.36) this.#killPostmaster();
    else if (at < 0.66) await this.#killBackend();
    else if (at < 0.9) await this.#terminate();
    else if (at < 0.95) await this.#fill();
    else await this.#jump();
  }

  async #killService(): Promise<void> {
    const which = this.#chance() < 0.5 ? 0 : 1;
    this.#tally['service killed']++;
    this.#cuts++;
    await this.#programs[which]!.kill();
    this.#programs[which] = await this.#startOne();
  }

  /** The embedded server is started again by the process that had started it, which is this one. */
  #killPostmaster(): void {
    const [pid] = readFileSync(join(this.#folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    if (killIfThere(Number(pid))) this.#tally['postmaster killed']++;
  }

  async #backends(): Promise<number[]> {
    const rows = await this.#sql<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE application_name = 'carillon'`.catch(() => []);
    return rows.map(({ pid }) => pid);
  }

  /** The server ends all its sessions and recovers. */
  async #killBackend(): Promise<void> {
    const [pid] = await this.#backends();
    if (pid !== undefined && killIfThere(pid)) this.#tally['backend killed']++;
  }

  async #terminate(): Promise<void> {
    const pids = (await this.#backends()).filter(() => this.#chance() < 0.5);
    this.#tally['backends terminated']++;
    await this.#sql`SELECT pg_terminate_backend(pid) FROM unnest(${pids}::int[]) pid`.catch(() => {});
  }

  /** The server reports a full disk for new messages, until one request was refused because of it. */
  async #fill(): Promise<void> {
    this.#tally['no room']++;
    const refused = () => this.#requests.filter(({ status }) => status === 6).length;
    const before = refused();
    await this.#define(`
      CREATE OR REPLACE FUNCTION refuse_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE OR REPLACE TRIGGER refuse_room BEFORE INSERT OR UPDATE ON messages
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_room()`);
    await waitFor('a request is refused', () => refused() > before, BACK_MS);
    await this.#define('DROP TRIGGER IF EXISTS refuse_room ON messages');
  }

  /** Until the server, which may be recovering from the round before, has done it. */
  async #define(statement: string): Promise<void> {
    await waitFor(
      'the schema is changed',
      () =>
        this.#sql.unsafe(statement).then(
          () => true,
          () => false,
        ),
      BACK_MS,
    );
  }

  /** The clock of both processes jumps for some seconds, as one that is set wrong and then right. */
  async #jump(): Promise<void> {
    this.#tally['clock jumps']++;
    const answered = () => this.#requests.filter(({ status }) => status !== undefined).length;
    const before = answered();
    const days = this.#chance() < 0.5 ? 60 : -3;
    writeFileSync(this.#clockFile, String(days * 86_400_000));
    await waitFor('requests were answered meanwhile', () => answered() > before + BETWEEN, BACK_MS);
    writeFileSync(this.#clockFile, '0');
  }

  /** Waits until all is final; the proof from the data. */
  async prove(): Promise<MachineResult> {
    const sql = this.#sql;
    const failures = [...this.#strange];
    await waitFor(
      'every message is final',
      async () => {
        // The server may still be recovering from the last kill.
        const [row] = await sql<{ open: boolean }[]>`
          SELECT EXISTS (SELECT FROM messages WHERE final_at IS NULL) OR EXISTS (SELECT FROM dispatch_batches) AS open`.catch(
          () => [],
        );
        return row?.open === false;
      },
      SETTLED_MS,
    ).catch((error: Error) => failures.push(error.message));
    const rows = await sql<{ phone: string; handed: boolean; final: boolean; charged: boolean }[]>`
      SELECT recipient AS phone, handed_at IS NOT NULL AS handed, final_at IS NOT NULL AS final,
        handed_at IS NOT NULL OR coalesce(code = 'CARRIER_SILENT', false) AS charged FROM messages`;
    const stored = new Map(rows.map((row) => [row.phone, row]));
    if (stored.size !== rows.length) failures.push(`${rows.length - stored.size} messages are stored twice`);
    let lost = 0;
    for (const { to, status } of this.#requests) {
      const found = to.filter((number) => stored.has(number)).length;
      if (status === 0) lost += SIZE - found;
      else if (status === 6 && found > 0) failures.push(`answered 6, and ${found} of ${SIZE} are stored`);
      else if (found !== 0 && found !== SIZE) failures.push(`${found} of ${SIZE} of a request are stored`);
    }
    const { taken } = this.#network;
    lost += rows.filter(({ phone, handed, final }) => !final || (handed && !taken.has(phone))).length;
    if (lost > 0) failures.push(`${lost} messages are lost`);
    const strangers = [...taken.keys()].filter((number) => !stored.has(number));
    if (strangers.length > 0) failures.push(`${strangers.length} messages went out that nobody asked for`);
    const duplicates = this.#network.duplicates();
    if (duplicates > WINDOW * this.#cuts)
      failures.push(`${duplicates} copies in ${this.#cuts} cuts of ${WINDOW}`);
    await assertBooksBalance(sql).catch((error: Error) => failures.push(error.message));
    const [wallet] = await sql<{ balance: number }[]>`
      SELECT balance::float AS balance FROM wallets WHERE account_id = ${this.#account!.id}`;
    const paid = rows.filter(({ charged }) => charged).length;
    if (wallet!.balance !== CREDITS - paid)
      failures.push(`paid for ${CREDITS - wallet!.balance}, not for ${paid}`);
    const quarantined = await sql`SELECT FROM quarantine`;
    if (quarantined.length > 0) failures.push(`${quarantined.length} results are in quarantine`);
    const accepted = this.#requests.filter(({ status }) => status === 0).length;
    return {
      rows: {
        kills: this.kills,
        ...this.#tally,
        misbehaviours: this.#misbehaved,
        'messages accepted': accepted * SIZE,
        lost,
        copies: duplicates,
        'copies allowed': WINDOW * this.#cuts,
      },
      failures,
    };
  }

  async stop(): Promise<void> {
    for (const program of this.#programs) await program.kill();
    await this.#sql.end({ timeout: 1 });
  }
}

export async function runKills(options: MachineOptions): Promise<MachineResult> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kills-'));
  chmodSync(folder, 0o755);
  // Nothing here cuts the machine's power.
  const server = await startEmbedded(folder, { fsync: false });
  const target = server.target as Target;
  const network = await startNetwork();
  const kills = new Kills({ folder, target, network, chance: random(options.seed) });
  try {
    await kills.start();
    // After a failure, the messages accepted so far are still verified.
    const failed = await kills.run(options).then(
      () => [],
      (error: Error) => [error.stack ?? error.message],
    );
    const { rows, failures } = await kills.prove();
    return { rows, failures: [...failed, ...failures] };
  } finally {
    await kills.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(target.host, { recursive: true, force: true });
  }
}

/** Kills a process immediately; returns false when it had already ended. */
function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
