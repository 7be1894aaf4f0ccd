import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statusCodes } from '../../server/api/sms/status-codes.ts';
import { CREDIT } from '../../server/modules/accounts/money.ts';
import { errorCode } from '../../server/protocols/smpp/errors.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { CREDITS, type Ending, endings, type ModelAccount, ModelWorld, WINDOW } from './model-world.ts';
import { random } from './random.ts';

/*
 * The service against a model of it: accounts perform random operations in any order, while carriers misbehave and processes
 * are killed. The model knows the outcome of every message and the balances of the wallets. fast-check shrinks a failure and
 * reports the seed and the path that reproduce it.
 */

/** Milliseconds until every message is final, on a busy machine. Includes leases of half a minute that expire. */
const SETTLED_MS = 240_000;

interface Send {
  readonly shipment: number;
  /** Whether it can be paused, and is cancelled as a campaign. */
  readonly isCampaign: boolean;
  readonly isScheduled: boolean;
  readonly to: ReadonlyMap<string, Ending>;
  isCancelled: boolean;
  isPaused: boolean;
}

/** Expected state. */
interface Model {
  balance: number;
  subscriberBalance: number;
  readonly sends: Send[];
  readonly lists: { readonly id: string; readonly to: ReadonlyMap<string, Ending> }[];
}

type Command = fc.AsyncCommand<Model, ModelAccount>;
/** Cost of an accepted send in credits, before refunds: one for each message. */
const costOf = ({ to }: Send) => to.size;

abstract class Step implements Command {
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  abstract run(model: Model, real: ModelAccount): Promise<void>;
  abstract toString(): string;
}

class SendTo extends Step {
  readonly #endings: readonly Ending[];
  readonly #isBulk: boolean;

  constructor(all: readonly Ending[], isBulk: boolean) {
    super();
    this.#endings = all;
    this.#isBulk = isBulk;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const to = new Map(this.#endings.map((ending) => [real.world.newPhone(ending), ending]));
    const numbers = [...to.keys()];
    const one = (phone: string | string[]) => ({ source: 'Shop', message: 'Hello', destinations: { phone } });
    const answer = this.#isBulk
      ? await real.call('bulk', { messages: { sms: numbers.map((number) => one(number)) } })
      : await real.call('sms', one(numbers));
    const isAffordable = model.balance >= to.size;
    // Refunds that arrived in the meantime may pay for it.
    if (answer.status !== 0) assert.ok(!isAffordable, `${answer.status} ${answer.message}`);
    else note(model, answer.shipment_id, to, false);
  }

  toString(): string {
    return `${this.#isBulk ? 'bulk' : 'sms'}(${this.#endings.join()})`;
  }
}

function note(model: Model, shipment: string, to: ReadonlyMap<string, Ending>, isScheduled: boolean): void {
  const send = {
    shipment: Number(shipment),
    isCampaign: to.size > 1,
    isScheduled,
    to,
    isCancelled: false,
    isPaused: false,
  };
  model.sends.push(send);
  model.balance -= costOf(send);
}

class MakeList extends Step {
  readonly #size: number;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const to = new Map(
      Array.from({ length: this.#size }, () => [real.world.newPhone('delivered'), 'delivered' as Ending]),
    );
    const destination = [...to.keys()].map((phone) => ({ phone, df1: 'Dana' }));
    const answer = await real.call('newCL', {
      cl: { name: `list ${model.lists.length}`, destinations: { destination } },
    });
    assert.equal(answer.status, 0, answer.message);
    model.lists.push({ id: (answer as unknown as { identifiers: string[] }).identifiers[0]!, to });
  }

  toString(): string {
    return `list(${this.#size})`;
  }
}

class SendToList extends Step {
  readonly #isScheduled: boolean;

  constructor(isScheduled: boolean) {
    super();
    this.#isScheduled = isScheduled;
  }

  /** A list is sent to once: a number is in one send alone. */
  override check({ lists, balance }: Readonly<Model>): boolean {
    return lists.length > 0 && balance >= lists.at(-1)!.to.size;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const { id, to } = model.lists.pop()!;
    const answer = await real.call('sms', {
      source: 'Shop',
      message: 'Hello [df1]',
      add_dynamic: 1,
      destinations: { cl_id: id },
      ...(this.#isScheduled && { timing: '01/01/27 00:00' }),
    });
    assert.equal(answer.status, 0, answer.message);
    note(model, answer.shipment_id, to, this.#isScheduled);
  }

  toString(): string {
    return `sendToList(${this.#isScheduled ? 'later' : 'now'})`;
  }
}

/** Something that is done to one of the sends. */
abstract class ToSend extends Step {
  readonly index: number;

  constructor(index: number) {
    super();
    this.index = index;
  }

  abstract fits(send: Send): boolean;

  override check({ sends }: Readonly<Model>): boolean {
    return sends.some((send) => this.fits(send));
  }

  of({ sends }: Model): Send {
    const fitting = sends.filter((send) => this.fits(send));
    return fitting[this.index % fitting.length]!;
  }
}

/** Cancelled, already sent, or nothing left to cancel (docs/cancelling.md). */
const cancelAnswers = new Set([0, statusCodes['already-sent'], statusCodes['not-cancelled']]);

class Cancel extends ToSend {
  fits(send: Send): boolean {
    return !send.isCancelled;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const send = this.of(model);
    const { status, message } = await real.call('cancel', { campaign_id: send.shipment });
    // A scheduled send has not been sent, so its cancellation must succeed.
    if (send.isScheduled) assert.equal(status, 0, message);
    assert.ok(cancelAnswers.has(status), `${status} ${message}`);
    send.isCancelled = status === 0;
  }

  toString(): string {
    return `cancel(${this.index})`;
  }
}

class Pause extends ToSend {
  fits(send: Send): boolean {
    return send.isCampaign && !send.isCancelled;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const send = this.of(model);
    const status = await real.v1(`/shipments/${send.shipment}/pause`);
    // 409: no message of it waits.
    assert.ok(status === 200 || (status === 409 && !send.isScheduled), `HTTP ${status}`);
    if (status === 200) send.isPaused = true;
  }

  toString(): string {
    return `pause(${this.index})`;
  }
}

class Resume extends ToSend {
  fits(send: Send): boolean {
    return send.isPaused && !send.isCancelled;
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    const send = this.of(model);
    assert.equal(await real.v1(`/shipments/${send.shipment}/resume`), 200);
    send.isPaused = false;
  }

  toString(): string {
    return `resume(${this.index})`;
  }
}

class MoveCredit extends Step {
  readonly #amount: number;
  readonly #isTopUp: boolean;

  constructor(amount: number, isTopUp: boolean) {
    super();
    this.#amount = amount;
    this.#isTopUp = isTopUp;
  }

  override check({ balance, subscriberBalance }: Readonly<Model>): boolean {
    return (
      this.#isTopUp || (this.#amount <= balance && -this.#amount <= subscriberBalance && this.#amount !== 0)
    );
  }

  async run(model: Model, real: ModelAccount): Promise<void> {
    if (this.#isTopUp) {
      await real.world.appContext.wallets.topUp(real.caller.id, Math.abs(this.#amount) * CREDIT, 'model');
      model.balance += Math.abs(this.#amount);
      return;
    }
    const body = { username: real.subscriber.username, amount: String(this.#amount) };
    assert.equal(await real.v1('/wallet/transfer', body), 200);
    model.balance -= this.#amount;
    model.subscriberBalance += this.#amount;
  }

  toString(): string {
    return `${this.#isTopUp ? 'topUp' : 'transfer'}(${this.#amount})`;
  }
}

class Fault extends Step {
  readonly #kind: (typeof faults)[number];

  constructor(kind: (typeof faults)[number]) {
    super();
    this.#kind = kind;
  }

  async run(_model: Model, { world }: ModelAccount): Promise<void> {
    const { smsc } = world.network;
    if (this.#kind === 'kill') await world.kill();
    else if (this.#kind === 'cut') {
      world.cuts++;
      smsc.disconnect();
    } else if (this.#kind === 'behave') world.behave();
    else if (this.#kind === 'throttle') {
      // Every third message: the same in each run with the same sends.
      let count = 0;
      world.answering(() => (++count % 3 === 0 ? errorCode.ESME_RTHROTTLED : undefined));
    } else smsc.change(changes[this.#kind]);
  }

  toString(): string {
    return this.#kind;
  }
}

const changes = {
  slow: { answerDelayMs: 200 },
  'receipts early': { earlyReceipts: true, answerDelayMs: 30 },
  'receipts thrice': { receiptCopies: 3 },
  'receipts reversed': { reversedReceipts: true },
  'receipts late': { receiptDelayMs: 1_000 },
} as const;
const faults = [
  'kill',
  'cut',
  'throttle',
  'behave',
  ...(Object.keys(changes) as (keyof typeof changes)[]),
] as const;

const ending = fc.constantFrom<Ending>('delivered', 'delivered', 'undelivered', 'expired', 'refused');
const commands = fc.commands<Model, ModelAccount, false>(
  [
    fc
      .tuple(fc.array(ending, { minLength: 1, maxLength: 30 }), fc.boolean())
      .map(([all, bulk]) => new SendTo(all, bulk)),
    fc.integer({ min: 2, max: 60 }).map((size) => new MakeList(size)),
    fc.boolean().map((later) => new SendToList(later)),
    fc.nat(20).map((index) => new Cancel(index)),
    fc.nat(20).map((index) => new Pause(index)),
    fc.nat(20).map((index) => new Resume(index)),
    fc
      .tuple(fc.integer({ min: -50, max: 100 }), fc.boolean())
      .map(([amount, isTopUp]) => new MoveCredit(amount, isTopUp)),
    fc.constantFrom(...faults).map((kind) => new Fault(kind)),
  ] as fc.Arbitrary<Command>[],
  { maxCommands: 25 },
);

/** Waits until every message is final, and compares the result with the model. */
async function settle(model: Model, real: ModelAccount): Promise<void> {
  const { world, caller } = real;
  const { sql, network } = world;
  world.behave();
  for (const send of model.sends) {
    if (send.isCancelled) continue;
    if (send.isScheduled) {
      const { status, message } = await real.call('cancel', { campaign_id: send.shipment });
      assert.equal(status, 0, message);
      send.isCancelled = true;
    } else if (send.isPaused) assert.equal(await real.v1(`/shipments/${send.shipment}/resume`), 200);
  }
  await waitFor(
    'every message is final',
    async () => {
      const [row] = await sql<{ open: boolean }[]>`
        SELECT EXISTS (SELECT FROM messages WHERE account_id = ${caller.id} AND final_at IS NULL)
          OR EXISTS (SELECT FROM dispatch_batches WHERE account_id = ${caller.id})
          OR EXISTS (SELECT FROM campaigns WHERE account_id = ${caller.id} AND next_at IS NOT NULL) AS open`;
      return !row!.open;
    },
    SETTLED_MS,
  );
  const rows = await sql<{ phone: string; status: number; handed: boolean }[]>`
    SELECT recipient AS phone, status, handed_at IS NOT NULL AS handed FROM messages WHERE account_id = ${caller.id}`;
  const stored = new Map(rows.map((row) => [row.phone, row]));
  assert.equal(stored.size, rows.length, 'somebody has two messages');
  let paid = 0;
  for (const send of model.sends) {
    for (const [number, wanted] of send.to) {
      const row = stored.get(number);
      const taken = network.taken.get(number) ?? 0;
      stored.delete(number);
      // Contacts of a cancelled list that had no message yet never get one.
      if (!row)
        assert.ok(
          send.isCancelled && taken === 0,
          `${number} of ${send.shipment} has no message, taken ${taken}`,
        );
      else if (send.isCancelled && row.status === 104)
        assert.equal(taken, 0, `${number} was cancelled and sent`);
      else {
        const { status, isPaid } = endings[wanted];
        assert.deepEqual(
          [row.status, row.handed, taken > 0],
          [status, isPaid, isPaid],
          `${number}, ${wanted}`,
        );
        if (isPaid) paid++;
      }
    }
  }
  assert.deepEqual([...stored.keys()], [], 'messages that nobody asked for');
  const accepted = model.sends.reduce((sum, send) => sum + costOf(send), 0);
  assert.equal(await real.balance(), model.balance + accepted - paid, 'the wallet');
  assert.equal(await real.balance(real.subscriber.id), model.subscriberBalance, "the subscriber's wallet");
  const most = WINDOW * world.cuts;
  assert.ok(network.duplicates() <= most, `${network.duplicates()} copies, ${most} are allowed`);
  await real.assertBooks();
}

/** Runs the model again and again, at least once. */
export async function runModel({ seed, isOver, progress }: MachineOptions): Promise<MachineResult> {
  const world = await ModelWorld.open();
  const chance = random(seed);
  const failures: string[] = [];
  let runs = 0;
  let steps = 0;
  try {
    do {
      const runSeed = Math.floor(chance() * 2 ** 31);
      const property = fc.asyncProperty(commands, async (all) => {
        runs++;
        const real = await world.newAccount();
        const model: Model = { balance: CREDITS, subscriberBalance: 0, sends: [], lists: [] };
        world.behave();
        await fc.asyncModelRun(() => ({ model, real }), all);
        steps += [...all].length;
        await settle(model, real);
      });
      const result = await fc.check(property, { seed: runSeed, numRuns: 1, endOnFailure: false });
      if (result.failed)
        failures.push(`seed ${runSeed}: ${fc.defaultReportMessage(result)} ${String(result.errorInstance)}`);
      if (result.failed || runs % 10 === 0) progress?.(`${runs} runs, ${failures.at(-1) ?? 'no failure'}`);
    } while (!isOver() && !world.isExhausted && failures.length < 3);
    const { kills, cuts } = world;
    return { rows: { runs, steps, kills, cuts }, failures };
  } finally {
    await world.close();
  }
}
