import { join } from 'node:path';
import type { Sql } from '../../server/database/connection.ts';
import { allFinal, type Network, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase, type Server } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';
import { Senders } from './sending.ts';

/** Messages that a connector may have on the wire: the copies that one disturbance may cause. */
export const WINDOW = 50;
const CREDITS = 100_000_000;
/** Milliseconds to wait for any condition: on a busy machine, leases expire during the wait. */
export const PATIENCE_MS = 10 * 60_000;

/** One of the two processes, with its own way to the database. */
export interface Member {
  program: Program;
  readonly proxy: DatabaseProxy;
  /** Holds the milliseconds that its clock is ahead (shifted-clock.ts). */
  readonly clockFile: string;
  readonly restart: () => Promise<void>;
}

/** Two processes on one database and one or more carriers, under load. */
export interface Pair {
  readonly members: readonly Member[];
  readonly network: Network;
  /** Further carriers, whose connectors `prepare` adds. */
  readonly others: readonly Network[];
  readonly installation: Installation;
  readonly senders: Senders;
  /** Returns numbers from 0 to 1. */
  readonly chance: () => number;
  /** Waits until this many more messages are accepted. */
  readonly accept: (messages: number) => Promise<void>;
  /** Waits for a time that is a parameter of the disturbance, in milliseconds. */
  readonly last: (milliseconds: number) => Promise<void>;
}

interface PairOptions {
  /** Unit of the rounds in the result. */
  readonly what: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Number of further carriers. */
  readonly others?: number;
  /** Returns the sender of a request, by the number of its first phone. */
  readonly sourceOf?: (from: number) => string;
  /** Called once, before the rounds. */
  readonly prepare?: (pair: Pair) => Promise<void>;
  /** Disturbs the pair once, and waits until it works again. Returns how many windows may have been sent twice. */
  readonly round: (pair: Pair) => Promise<number>;
}

async function startMember(
  installation: Installation,
  { host, port, password, database }: Server,
  name: string,
) {
  const proxy = await DatabaseProxy.start(join(host, `.s.PGSQL.${port}`));
  const clockFile = join(installation.folder, name);
  const environment = {
    DATABASE_URL: `postgres://carillon:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${database}`,
    CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import ${new URL('shifted-clock.ts', import.meta.url).href}`,
  };
  const start = () =>
    installation.start({ args: ['serve'], ready: false, environment, limitMs: PATIENCE_MS });
  const member: Member = {
    program: await start(),
    proxy,
    clockFile,
    async restart() {
      await member.program.kill();
      member.program = await start();
    },
  };
  return member;
}

/**
 * Disturbs two processes under load, round after round, until the time is over. At the end no message may be lost,
 * duplicates must stay within a window for each disturbance, the money must be exact, and every message final.
 */
export async function runPair(options: MachineOptions, given: PairOptions): Promise<MachineResult> {
  const { sql, target } = await createDatabase();
  const network = await startNetwork();
  const others = await Promise.all(Array.from({ length: given.others ?? 0 }, () => startNetwork()));
  const networks = [network, ...others];
  const installation = new Installation({
    SMPP_URL: network.url({ window: WINDOW, responseTimeoutMs: 2_000 }),
    MAX_COPIES: '20',
    COPY_PAUSE_SECONDS: '2',
    DATABASE_URL: databaseUrl(target),
    ...given.settings,
  });
  const members = [
    await startMember(installation, target as Server, 'clock-1'),
    await startMember(installation, target as Server, 'clock-2'),
  ];
  const failures: string[] = [];
  let rounds = 0;
  let cuts = 0;
  let senders: Senders | undefined;
  try {
    const account = await installation.account(members[0]!.program.url, 'pair', CREDITS);
    await knownTo(members[1]!.program.url, account);
    const load = new Senders(() => members.map(({ program }) => program.url), account, given.sourceOf);
    senders = load;
    const pair: Pair = {
      members,
      network,
      others,
      installation,
      senders: load,
      chance: random(options.seed),
      accept(messages) {
        const until = load.accepted + messages;
        return waitFor('requests are accepted', () => load.accepted >= until, PATIENCE_MS).then(() => {});
      },
      async last(milliseconds) {
        const until = performance.now() + milliseconds;
        await waitFor('the disturbance has lasted', () => performance.now() >= until, PATIENCE_MS);
      },
    };
    await given.prepare?.(pair);
    while (!options.isOver() && rounds < (options.goal ?? Number.POSITIVE_INFINITY)) {
      await pair.accept(50);
      cuts += await given.round(pair);
      rounds++;
      options.progress?.(`${rounds} ${given.what}, ${load.accepted} messages`);
    }
    await load.stop();
    await allFinal(sql, PATIENCE_MS);
    await assertBooksBalance(sql);
    failures.push(...(await moneyFaults(sql, account.id)));
  } catch (error) {
    failures.push((error as Error).stack ?? String(error));
  } finally {
    senders?.abandon();
    for (const { program, proxy } of members) {
      await program.kill();
      await proxy.stop();
    }
  }
  const messages = senders?.accepted ?? 0;
  const taken = new Set(networks.flatMap((one) => [...one.taken.keys()]));
  const duplicates = networks.reduce((sum, { submits }) => sum + submits.length, 0) - taken.size;
  if (taken.size !== messages)
    failures.push(`${messages} messages were accepted, and ${taken.size} were sent`);
  if (duplicates > WINDOW * cuts) failures.push(`${duplicates} copies in ${cuts} cuts of ${WINDOW}`);
  return {
    rows: {
      [given.what]: rounds,
      messages,
      refused: senders?.refused ?? 0,
      copies: duplicates,
      'copies allowed': WINDOW * cuts,
    },
    failures: [...failures, ...(senders?.strange ?? [])],
  };
}

/** Compares the wallet of an account with its messages. */
async function moneyFaults(sql: Sql, accountId: number): Promise<string[]> {
  const [row] = await sql<{ balance: number; paid: number }[]>`
    SELECT w.balance::float AS balance, (SELECT count(*)::int FROM messages m WHERE m.account_id = w.account_id
      AND (handed_at IS NOT NULL OR coalesce(code = 'CARRIER_SILENT', false))) AS paid
    FROM wallets w WHERE w.account_id = ${accountId}`;
  const spent = CREDITS - row!.balance;
  return spent === row!.paid ? [] : [`paid for ${spent}, not for ${row!.paid}`];
}
