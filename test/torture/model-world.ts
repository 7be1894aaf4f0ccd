import assert from 'node:assert/strict';
import { channels } from '../../server/channels/index.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { readConfig } from '../../server/kit/config.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { CREDIT } from '../../server/modules/accounts/money.ts';
import { type AppContext, closeAppContext } from '../../server/run/app-context.ts';
import { openAppContext } from '../../server/run/open-app-context.ts';
import { withToken } from '../api/v1/calls.ts';
import { type Caller, call, type Network, phone, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';
import { behave } from './carriers.ts';

/* Environment of a model run: the program in a separate process, and accounts that are new in each run. */

/** Window of the carrier: submitted messages without a stored response. */
export const WINDOW = 20;
/** Initial credits of an account. */
export const CREDITS = 500;

/**
 * Outcome of a message, determined by its number (sandbox/smsc/simulated-outcomes.ts); `refused`: the network rejects the
 * submission.
 */
export type Ending = 'delivered' | 'undelivered' | 'expired' | 'refused';
/** The final status of each, and whether it is paid for. */
export const endings: Readonly<Record<Ending, { status: number; isPaid: boolean }>> = {
  delivered: { status: 102, isPaid: true },
  undelivered: { status: 101, isPaid: true },
  expired: { status: 103, isPaid: true },
  refused: { status: 101, isPaid: false },
};

/** Response status of the network for refused numbers. */
const REFUSED_STATUS = 0x0b;

/** Prefixes of mobile numbers. */
const PREFIXES = ['97250', '97251', '97252', '97253', '97254', '97255', '97258'];

export class ModelWorld {
  readonly network: Network;
  readonly appContext: AppContext;
  readonly #installation: Installation;
  program: Program;
  readonly #refused = new Set<string>();
  #phones = 0;
  /** Used numbers that end in `undelivered` or `expired`; the number of such numbers is limited. */
  #ended = 0;
  #accounts = 0;
  /** How often the program was killed or the network cut, in all runs. */
  cuts = 0;
  kills = 0;

  private constructor(
    network: Network,
    appContext: AppContext,
    installation: Installation,
    program: Program,
  ) {
    this.network = network;
    this.appContext = appContext;
    this.#installation = installation;
    this.program = program;
  }

  static async open(): Promise<ModelWorld> {
    const { target } = await createDatabase();
    const network = await startNetwork();
    const installation = new Installation({
      DATABASE_URL: databaseUrl(target),
      SMPP_URL: network.url({ window: WINDOW, responseTimeoutMs: 1_500, messagesPerSecond: 200 }),
      MAX_COPIES: '20',
      COPY_PAUSE_SECONDS: '0',
    });
    const program = await installation.start({ args: ['serve'], limitMs: 180_000 });
    const config = readConfig(
      { DATABASE_URL: databaseUrl(target), DATABASE_CONNECTIONS: '4', SECRET_KEY },
      channels,
    );
    const appContext = await openAppContext(
      config,
      channels,
      createLogger('silent'),
      async () => systemClock,
      {
        attach: true,
      },
    );
    return new ModelWorld(network, appContext, installation, program);
  }

  /** Whether there may be too few numbers for another run. */
  get isExhausted(): boolean {
    return this.#ended > (PREFIXES.length - 1) * 1_000;
  }

  get sql() {
    return this.appContext.database.sql;
  }

  /** Returns an unused number whose messages have this outcome. */
  newPhone(ending: Ending): string {
    const suffix = { undelivered: '0001', expired: '0002' }[ending as 'expired'];
    let number: string;
    if (suffix)
      number = `${PREFIXES[Math.floor(this.#ended / 1_000)]}${String(this.#ended++ % 1_000).padStart(3, '0')}${suffix}`;
    else
      do number = phone(1_000_000 + ++this.#phones);
      while (/000[1-7]$/.test(number));
    if (ending === 'refused') this.#refused.add(number);
    return number;
  }

  /** Sets the network's responses; `other` returns the status for numbers that are not refused. */
  answering(other: () => number | undefined): void {
    this.network.smsc.change({
      answerStatus: ({ to }) => (this.#refused.has(to) ? REFUSED_STATUS : other()),
    });
  }

  /** The carrier behaves again. */
  behave(): void {
    behave(this.network);
    this.answering(() => undefined);
  }

  async newAccount(): Promise<ModelAccount> {
    const { accounts, wallets, tokens } = this.appContext;
    const username = `model-${++this.#accounts}`;
    const { id } = await accounts.create({ username, name: username });
    const { id: subscriberId } = await accounts.create({
      username: `${username}-sub`,
      name: username,
      parentId: id,
    });
    await wallets.topUp(id, CREDITS * CREDIT, 'model');
    const { token } = await tokens.mint(id);
    await knownTo(this.program.url, { username, token });
    return new ModelAccount(this, { id, username, token }, { id: subscriberId, username: `${username}-sub` });
  }

  async kill(): Promise<void> {
    this.kills++;
    this.cuts++;
    await this.program.kill();
    this.program = await this.#installation.start({ args: ['serve'], limitMs: 180_000 });
  }

  async close(): Promise<void> {
    await this.program.kill();
    await closeAppContext(this.appContext);
  }
}

/** Calls for the account of a run. */
export class ModelAccount {
  readonly world: ModelWorld;
  readonly caller: Caller & { id: number };
  readonly subscriber: { id: number; username: string };

  constructor(
    world: ModelWorld,
    caller: Caller & { id: number },
    subscriber: { id: number; username: string },
  ) {
    this.world = world;
    this.caller = caller;
    this.subscriber = subscriber;
  }

  /** Calls an operation, and repeats the call while the response asks for a retry. */
  async call(root: string, content: object) {
    return waitFor(`an answer to ${root} that is none to try again`, async () => {
      const answer = await call(this.world.program.url, this.caller, root, content);
      assert.equal(answer.http, 200, answer.message);
      return answer.status !== 6 && answer;
    });
  }

  async v1(path: string, body?: object): Promise<number> {
    const calls = withToken(this.world.program.url, this.caller.token);
    return waitFor(`an answer to ${path} that is none to try again`, async () => {
      const response = await calls.fetch('POST', path, body);
      await response.text();
      return response.status !== 503 && response.status;
    });
  }

  async balance(id = this.caller.id): Promise<number> {
    return (await this.world.appContext.wallets.balance(id)) / CREDIT;
  }

  async assertBooks(): Promise<void> {
    await assertBooksBalance(this.world.sql);
  }
}
