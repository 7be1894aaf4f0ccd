import { gathering } from '../../server/engine/messages/accept-queue.ts';
import { median } from '../support/statistics.ts';
import { GroupQueue, type Waiting } from './group-queue.ts';
import { Cores, Database, Disk, Locks, Thread, Timeline } from './machine.ts';

/** CPU of a step that is done for groups, in microseconds. */
interface GroupCost {
  readonly group: number;
  readonly message: number;
}

/** CPU of a transaction in its process and in PostgreSQL, where each account of its group adds `account`. */
interface TransactionCost {
  readonly server: GroupCost;
  readonly postgres: GroupCost;
  readonly account: number;
}

/** Measured CPU of each step, in microseconds. */
export interface Costs {
  /** Reads and answers a request. */
  readonly request: number;
  readonly accept: TransactionCost;
  /** Submission, answer and receipt of a message. */
  readonly submit: number;
  readonly results: TransactionCost;
  /** Sends the callbacks of a message. */
  readonly callback: number;
  /** Duration of a flush of the log. */
  readonly flush: number;
}

/** A machine with its load. */
export interface Load {
  readonly cores: number;
  readonly processes: number;
  readonly accounts: number;
  /** Messages of a request. */
  readonly size: number;
  /** Connections with one request at a time, of each process. */
  readonly connections: number;
}

/** Results of a simulation, for the whole machine. */
export interface Capacity {
  /** Messages whose callbacks were sent. */
  readonly perSecond: number;
  /** Median time to an answer, in milliseconds. */
  readonly answerMs: number;
  /** Messages of a group that is accepted. */
  readonly groupSize: number;
  readonly serverCores: number;
  readonly postgresCores: number;
  /** Share of the time in which the wallet that is locked most is locked. */
  readonly walletBusy: number;
  readonly diskBusy: number;
}

/** Time between a client and the service, and from a submission to its receipt. */
const NETWORK = 500;
const RECEIPT = 100_000;
/** Simulated times: before the measurement, and of it. */
const WARM_UP = 2_000_000;
const MEASURED = 3_000_000;
/** A prime number, so that a process sends for all accounts in turns. */
const STRIDE = 7_919;

/** As in the service. */
const patience = gathering.patienceMs * 1_000;
const { crowd } = gathering;
const acceptRules = { most: 5_000, parallel: 4, patience, crowd, gather: gathering.gatherMs * 1_000 };
const resultRules = { most: 500, parallel: 4, patience, crowd, gather: 0 };

type Request = Waiting & { readonly at: number };

/** State that the processes of a machine share. */
interface Machine {
  readonly timeline: Timeline;
  readonly cores: Cores;
  readonly database: Database;
  readonly wallets: Locks;
  /** Microseconds to each answer. */
  readonly answers: number[];
  /** Takes a receipt in any of the processes. */
  readonly receive: (item: Waiting) => void;
}

/** A process with its clients, which send as fast as they are answered. */
class SimulatedProcess {
  readonly #machine: Machine;
  readonly #costs: Costs;
  readonly #load: Load;
  readonly #thread: Thread;
  readonly #results: GroupQueue<Waiting>;
  readonly requests: GroupQueue<Request>;
  #sent: number;
  /** Messages whose callbacks were sent. */
  ended = 0;

  constructor(machine: Machine, costs: Costs, load: Load, index: number) {
    this.#machine = machine;
    this.#costs = costs;
    this.#load = load;
    this.#sent = index;
    const { timeline, cores } = machine;
    this.#thread = new Thread(cores);
    this.requests = new GroupQueue<Request>(timeline, acceptRules, (group, then) =>
      this.#accept(group, then),
    );
    this.#results = new GroupQueue<Waiting>(timeline, resultRules, (group, then) =>
      this.#record(group, then),
    );
  }

  /** CPU used. */
  get used(): number {
    return this.#thread.used;
  }

  /** A client sends its next request. */
  send(): void {
    const { timeline } = this.#machine;
    const { accounts, size } = this.#load;
    const at = timeline.now;
    this.#sent += STRIDE;
    const account = this.#sent % accounts;
    timeline.after(NETWORK, () =>
      this.#thread.run(this.#costs.request / 2, () => this.requests.add({ account, size, at })),
    );
  }

  receive(item: Waiting): void {
    this.#results.add(item);
  }

  #accept(group: readonly Request[], then: () => void): void {
    const { database, wallets } = this.#machine;
    const cost = this.#costs.accept;
    const locked = accountsOf(group);
    this.#thread.run(ofGroup(cost.server, group), () => {
      wallets.take(locked, () => {
        database.commit(ofGroup(cost.postgres, group) + locked.length * cost.account, () => {
          wallets.release(locked);
          then();
          for (const request of group) this.#answer(request);
        });
      });
    });
  }

  #answer({ account, size, at }: Request): void {
    const { timeline, answers, receive } = this.#machine;
    this.#thread.run(this.#costs.request / 2, () => {
      answers.push(timeline.now - at);
      timeline.after(NETWORK, () => this.send());
      this.#thread.run(size * this.#costs.submit, () => {
        // Receipts arrive over any session. Messages of one request have receipts at the same time.
        timeline.after(RECEIPT, () => receive({ account, size }));
      });
    });
  }

  #record(group: readonly Waiting[], then: () => void): void {
    const cost = this.#costs.results;
    const messages = sumOf(group);
    this.#thread.run(ofGroup(cost.server, group), () => {
      const cpu = ofGroup(cost.postgres, group) + accountsOf(group).length * cost.account;
      this.#machine.database.commit(cpu, () => {
        then();
        this.#thread.run(messages * this.#costs.callback, () => {
          this.ended += messages;
        });
      });
    });
  }
}

/** Simulates clients that send as fast as they are answered, and returns what the machine achieves. */
export function simulate(costs: Costs, load: Load): Capacity {
  const timeline = new Timeline();
  const cores = new Cores(timeline, load.cores);
  const disk = new Disk(timeline, costs.flush);
  const database = new Database(cores, disk);
  const wallets = new Locks(timeline);
  const answers: number[] = [];
  let turn = 0;
  const receive = (item: Waiting) => processes[turn++ % processes.length]!.receive(item);
  const machine = { timeline, cores, database, wallets, answers, receive };
  const processes = Array.from(
    { length: load.processes },
    (_, index) => new SimulatedProcess(machine, costs, load, index),
  );
  for (const process of processes) {
    for (let n = 0; n < load.connections; n++) timeline.after(n * 100, () => process.send());
  }

  const used = () => ({
    server: sum(processes.map((process) => process.used)),
    postgres: database.used,
    disk: disk.used,
    ended: sum(processes.map(({ ended }) => ended)),
    wallets: new Map(wallets.used),
  });
  timeline.runUntil(WARM_UP);
  const before = used();
  answers.length = 0;
  timeline.runUntil(WARM_UP + MEASURED);
  const after = used();
  const held = [...after.wallets].map(([key, time]) => time - (before.wallets.get(key) ?? 0));
  const messages = sum(processes.map(({ requests }) => requests.messages));
  return {
    perSecond: ((after.ended - before.ended) / MEASURED) * 1e6,
    answerMs: median(answers) / 1_000,
    groupSize: messages / sum(processes.map(({ requests }) => requests.groups)),
    serverCores: (after.server - before.server) / MEASURED,
    postgresCores: (after.postgres - before.postgres) / MEASURED,
    walletBusy: Math.max(...held) / MEASURED,
    diskBusy: (after.disk - before.disk) / MEASURED,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const sumOf = (group: readonly Waiting[]) => sum(group.map(({ size }) => size));
const ofGroup = (cost: GroupCost, group: readonly Waiting[]) => cost.group + sumOf(group) * cost.message;
const accountsOf = (group: readonly Waiting[]) =>
  [...new Set(group.map(({ account }) => account))].sort((a, b) => a - b);
