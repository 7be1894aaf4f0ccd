import { currentAuthor } from '../access/authorship.ts';
import { countMove } from '../accounts/metrics.ts';
import { isOverdraft, NotEnoughCredit, type Wallets } from '../accounts/wallets.ts';
import type { Channels } from '../channel-contract/channels.ts';
import type { Clock } from '../clock.ts';
import { noteStored } from '../database/after-commit.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { onePlacement, type Placement, type Placements } from '../database/placements.ts';
import { isDatabaseTrouble, isDeadlock } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import type { Events } from '../events/events.ts';
import type { Event } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { PlannedCode } from '../links/links.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { OwnerStuck, supervise } from '../owners.ts';
import { isSendKeyTaken, knownSendKeys, SendKeyTaken } from '../send-keys/store.ts';
import { forEachInSlices, TimeSlice } from '../time-slices.ts';
import { AcceptQueue, gathering, gatheringOfShard, type Queued, type Release } from './accept-queue.ts';
import {
  GroupPlanner,
  type GroupPlannerDeps,
  type Planned as PlannedFor,
  type PlannedRequest,
} from './group-planner.ts';
import type { HandOver } from './hand-over.ts';
import { keepRequests } from './kept-requests.ts';
import type { Lane } from './lanes.ts';
import { accepted as acceptedMetric, acceptSeconds } from './metrics.ts';
import type { Plan, PlannedShipment, ShipmentRequest } from './plan.ts';
import { refusedEvent } from './refused-events.ts';
import { isOneStatement, storePlans } from './store-shipments.ts';
import { accepting, inGroup } from './traces.ts';
import { storedShipments } from './was-stored.ts';

interface AcceptorDeps extends GroupPlannerDeps {
  readonly placements: Placements;
  readonly tracing?: Tracing | undefined;
  readonly clock: Clock;
  readonly wallets: Wallets;
  readonly events: Events;
  /** How long delivery is tried, in milliseconds. */
  readonly validityMs: number;
  /**
   * Stores what shipments have still to make of contact lists, and holds what that costs. Rejects with a violation of
   * `wallets_balance_check`.
   */
  readonly storeListCampaigns: (
    tx: TransactionSql,
    ids: IdSource,
    accountId: number,
    shipments: readonly PlannedShipment[],
    now: number,
  ) => Promise<void>;
  readonly handOver: HandOver;
  /** Called after the commit, for each account and lane whose work is not handed over. A hint; nothing rests on it. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/** A request that waits for its answer. */
interface Waiting extends Queued, PlannedRequest {
  readonly resolve: (shipmentId: number) => void;
}

type Planned = PlannedFor<Waiting>;

/** Times that a group is stored whose transaction and another one waited for each other. */
const DEADLOCK_TRIES = 3;

/**
 * Accepts shipments: debit, shipment, messages and dispatch batches in one transaction. Requests that come while the last
 * group is stored are accepted together in the next one, those of all accounts whose rows one statement may touch
 * (database/placements.ts): one statement and one fsync serve them all. Each is answered after its commit.
 *
 * What concerns one account never concerns the others of its group: one that cannot pay, has no wallet, used a send key
 * before or has a wallet that somebody else has locked is left out by the statement and stored alone; where a statement
 * fails because of what it is given, its group is cut in halves until the one is found.
 */
export class Acceptor {
  readonly #deps: AcceptorDeps;
  readonly #planner: GroupPlanner<Waiting>;
  readonly #queues = new Map<Placement, AcceptQueue<Waiting>>();

  constructor(deps: AcceptorDeps) {
    this.#deps = deps;
    this.#planner = new GroupPlanner(deps);
  }

  /**
   * Accepts a shipment durably and returns its id. Throws Refusal (`all-blocked`, `all-filtered`, `no-credit`,
   * `try-again`), and SendKeyTaken for a request whose key is there already; then nothing is stored and nothing charged.
   */
  async accept(asked: ShipmentRequest): Promise<number> {
    const { tracing } = this.#deps;
    // Its group is stored in the context of another request.
    const request = asked.lists ? { ...asked, author: currentAuthor() } : asked;
    if (!tracing) return this.#accept(request);
    return accepting(tracing, request.call ? 'voice' : 'sms', request.items.length, (trace) =>
      this.#accept(trace === undefined ? request : { ...request, trace }),
    );
  }

  async #accept(request: ShipmentRequest): Promise<number> {
    const { accountId, items } = request;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const known = this.#deps.placements.of(accountId);
    const placement =
      typeof known === 'number' ? known : await known.catch((error) => Promise.reject(passing(error)));
    this.#queueOf(placement).add({ request, accountId, size: items.length, resolve, reject });
    const shipmentId = await promise;
    // It was stored for this request, though not by it.
    noteStored();
    return shipmentId;
  }

  #queueOf(placement: Placement): AcceptQueue<Waiting> {
    let queue = this.#queues.get(placement);
    if (!queue) {
      queue = new AcceptQueue(
        (group, release) => this.#acceptGroup(group, release),
        this.#deps.placements === onePlacement ? gathering : gatheringOfShard,
      );
      this.#queues.set(placement, queue);
    }
    return queue;
  }

  /** Makes the same checks as `accept`, credit included, and stores nothing. Throws the same Refusals. */
  async check(request: ShipmentRequest): Promise<void> {
    const { wallets, clock } = this.#deps;
    const reject = (error: unknown) => {
      throw error;
    };
    const { accountId, items } = request;
    const waiting = { request, accountId, size: items.length, isDry: true, resolve: () => {}, reject };
    const [{ plan }] = (await this.#planner.plan([waiting], clock.now())) as [Planned];
    const cost = plan.shipments.reduce(
      (sum, shipment) => shipment.listSends.reduce((more, send) => more + send.held, sum + shipment.cost),
      0,
    );
    if ((await wallets.balance(request.accountId)) < cost) throw noCredit();
  }

  /**
   * Settles every request of a group, and tells of each account when that is done. Those that are stored alone may be
   * settled later.
   */
  async #acceptGroup(group: readonly Waiting[], release: Release): Promise<void> {
    const alone: Planned[] = [];
    try {
      await supervise('accept', async () => {
        alone.push(...(await this.#acceptTogether(group)));
      });
    } catch (error) {
      for (const waiting of group) waiting.reject(passing(error));
    }
    const left = new Set(alone.map(({ accountId }) => accountId));
    for (const accountId of new Set(group.map((waiting) => waiting.accountId))) {
      if (!left.has(accountId)) release(accountId);
    }
    for (const planned of alone) {
      supervise('accept', () => this.#acceptAlone(planned))
        .catch((error: unknown) => {
          for (const waiting of planned.sent) waiting.reject(passing(error));
        })
        .finally(() => release(planned.accountId));
    }
  }

  /** Settles the requests of a group but for those that are to be stored alone, which it returns. */
  async #acceptTogether(group: readonly Waiting[]): Promise<Planned[]> {
    const now = this.#deps.clock.now();
    const sql = this.#sqlOf(group[0]!.accountId);
    const planned = (await this.#planner.plan(group, now, sql)).filter(({ sent }) => sent.length > 0);
    const alone = planned.filter((one) => this.#needsMore(one) || !isOneStatement([one]));
    const together = planned.filter((one) => !alone.includes(one));
    return [...alone, ...(await this.#storeTogether(together, now))];
  }

  /** Stores what one statement takes. Gives back those that it left out. */
  async #storeTogether(group: readonly Planned[], now: number): Promise<readonly Planned[]> {
    if (group.length === 0) return [];
    if (!isOneStatement(group)) return this.#storeHalves(group, now);
    const { ids, validityMs, handOver } = this.#deps;
    const sql = this.#sqlOf(group[0]!.accountId);
    const leases = handOver.leasesFor(group);
    const planned = group.map((one, at) => ({ ...one, lease: leases[at] }));
    const started = performance.now();
    try {
      const stored = await this.#traced(planned, () =>
        storePlans(sql, ids, planned, { now, validityMs, waits: false }),
      );
      acceptSeconds.observe((performance.now() - started) / 1000);
      this.#stored(planned.filter(({ accountId }) => stored.get(accountId)));
      return group.filter(({ accountId }) => !stored.get(accountId));
    } catch (error) {
      if (isDeadlock(error)) return group;
      // One whose values or send key the database does not take.
      if (!isDatabaseTrouble(error)) return group.length === 1 ? group : this.#storeHalves(group, now);
      const known = await storedShipments(sql, error, planned.map(firstShipment));
      const isStored = ({ plan }: Planned) => known.has(plan.shipments[0]!.id);
      this.#stored(planned.filter(isStored));
      for (const one of planned) {
        if (!isStored(one)) for (const waiting of one.sent) waiting.reject(tryAgain());
      }
      return [];
    }
  }

  async #storeHalves(planned: readonly Planned[], now: number): Promise<Planned[]> {
    const half = Math.ceil(planned.length / 2);
    const first = await this.#storeTogether(planned.slice(0, half), now);
    return [...first, ...(await this.#storeTogether(planned.slice(half), now))];
  }

  /** Settles the requests of one account, or throws and has settled none. */
  async #acceptAlone(planned: Planned, tries = 1): Promise<void> {
    const { clock, events } = this.#deps;
    const { accountId, plan, sent } = planned;
    const isPlain = !this.#needsMore(planned);
    // Links and campaigns have tables that are on the coordinator, too.
    const sql = isPlain ? this.#sqlOf(accountId) : this.#deps.sql;
    const started = performance.now();
    const now = clock.now();
    try {
      await this.#traced([planned], () =>
        isPlain && isOneStatement([planned])
          ? this.#storeAlone(sql, planned, now)
          : sql.begin(async (tx) => {
              await this.#storeAlone(tx, planned, now);
              await this.#storeMore(tx, accountId, plan, now);
              if (plan.hasRefused)
                await events.record(tx, accountId, refusedOf(this.#deps.channels, plan, now));
            }),
      );
    } catch (error) {
      if (isOverdraft(error) || error instanceof NotEnoughCredit) {
        // Somebody in the group asked for too much: each on its own, so that the others are not refused for it.
        if (sent.length > 1) return this.#acceptEach(sent);
        sent[0]!.reject(noCredit());
        return;
      }
      if (isSendKeyTaken(error)) return this.#withoutKnown(accountId, sent);
      if (isDeadlock(error) && tries < DEADLOCK_TRIES) return this.#acceptAlone(planned, tries + 1);
      if (!isDatabaseTrouble(error)) {
        if (sent.length === 1) throw error;
        return this.#acceptEach(sent);
      }
      if ((await storedShipments(sql, error, [firstShipment(planned)])).size === 0) throw tryAgain();
    }
    acceptSeconds.observe((performance.now() - started) / 1000);
    this.#stored([planned]);
  }

  /** Stores the plan of one account. Throws NotEnoughCredit, SendKeyTaken, and what the database throws. */
  async #storeAlone(sql: Queryable, planned: Planned, now: number): Promise<void> {
    const { ids, validityMs } = this.#deps;
    const { accountId, plan } = planned;
    const paid = (await storePlans(sql, ids, [planned], { now, validityMs, waits: true })).get(accountId);
    if (paid) return;
    if (paid === false) throw new NotEnoughCredit('the wallet does not have that much');
    const wallets = await sql`SELECT FROM wallets WHERE account_id = ${accountId}`;
    if (wallets.length === 0) throw new Error(`account ${accountId} has no wallet`);
    if (plan.shipments.some(({ request }) => request.sendKey)) throw new SendKeyTaken();
    throw new Error(`nothing was stored of account ${accountId}`);
  }

  /** Stores a group, in a span of its own where some of it is traced. */
  #traced<T>(group: readonly Planned[], store: () => Promise<T>): Promise<T> {
    const members = () => {
      const shipments = group.flatMap(({ plan }) => plan.shipments);
      const attributes = {
        'carillon.accounts': group.length,
        'carillon.requests': shipments.length,
        'carillon.messages': shipments.reduce((sum, { messages }) => sum + messages.length, 0),
      };
      return { traces: shipments.flatMap(({ request }) => request.trace ?? []), attributes };
    };
    return inGroup(this.#deps.tracing, 'store accepted', members, store);
  }

  /** What the statements of a group run on. */
  #sqlOf(accountId: number): Sql {
    return this.#deps.placements.sqlOf(accountId, this.#deps.sql);
  }

  /** What has been stored, and committed. */
  #stored(planned: readonly Planned[]): void {
    const { notifyDispatcher, handOver } = this.#deps;
    const leased = planned.filter(({ lease }) => lease);
    if (leased.length > 0) handOver.take(leased);
    for (const { accountId, plan, sent, lease } of planned) {
      for (const [index, shipment] of plan.shipments.entries()) {
        acceptedMetric.inc(shipment.messages.length);
        if (shipment.cost > 0) countMove(shipment.scheduled ? 'hold' : 'charge', -shipment.cost);
        if (!shipment.scheduled && !lease) notifyDispatcher(accountId, shipment.request.lane);
        sent[index]!.resolve(shipment.id);
      }
    }
  }

  /** One after the other, so that they stay in order. */
  async #acceptEach(waiting: readonly Waiting[]): Promise<void> {
    for (const one of waiting) {
      try {
        for (const planned of await this.#planner.plan([one], this.#deps.clock.now())) {
          if (planned.sent.length > 0) await this.#acceptAlone(planned);
        }
      } catch (error) {
        one.reject(error);
      }
    }
  }

  /** Rejects those of an account whose send key is there already, and accepts the others. */
  async #withoutKnown(accountId: number, waiting: readonly Waiting[]): Promise<void> {
    const { sql } = this.#deps;
    if (waiting.length === 1) {
      waiting[0]!.reject(new SendKeyTaken());
      return;
    }
    const keys = waiting.flatMap(({ request: { sendKey } }) => (sendKey ? [sendKey.key] : []));
    const known = await knownSendKeys(sql, accountId, keys);
    const others = waiting.filter(({ request: { sendKey } }) => !sendKey || !known.has(sendKey.key));
    for (const one of waiting) if (!others.includes(one)) one.reject(new SendKeyTaken());
    // None of them is there any more: a round that would find the same again is not made.
    if (others.length === waiting.length) return this.#acceptEach(others);
    for (const planned of await this.#planner.plan(others, this.#deps.clock.now())) {
      if (planned.sent.length > 0) await this.#acceptAlone(planned);
    }
  }

  /** Whether more is stored of these requests than a statement for many accounts does. */
  #needsMore({ accountId, plan }: Planned): boolean {
    const tells = plan.hasRefused && this.#deps.events.wants(accountId, 'message.status');
    return tells || plan.shipments.some(hasMore);
  }

  /** What shipments have beside their messages: links with their codes, and contact lists. */
  async #storeMore(tx: TransactionSql, accountId: number, plan: Plan, now: number): Promise<void> {
    const { ids, links, storeListCampaigns } = this.#deps;
    const { shipments } = plan;
    const codes: PlannedCode[] = [];
    const slice = new TimeSlice();
    for (const shipment of shipments)
      await forEachInSlices(shipment.codes, (code) => codes.push(code), slice);
    await links.store(
      tx,
      accountId,
      shipments.flatMap((shipment) => shipment.links),
      codes,
    );
    const toLists = shipments.filter(({ listSends }) => listSends.length > 0);
    if (toLists.length > 0) await storeListCampaigns(tx, ids, accountId, toLists, now);
    await keepRequests(tx, accountId, shipments.filter(hasMore));
  }
}

/** The events of those that are blocked: they have their final status from the start, and it goes with the shipment. */
function* refusedOf(channels: Channels, { shipments }: Plan, now: number): Generator<Event> {
  for (const { messages, request } of shipments) {
    for (const message of messages) {
      if (message.batchId === 0) yield refusedEvent(channels, message, request.source, now);
    }
  }
}

const firstShipment = ({ accountId, plan }: Planned) => ({ accountId, id: plan.shipments[0]!.id });

function tryAgain(): Refusal {
  return new Refusal('try-again', 'the service cannot store the request now, try again');
}

/** What is told of an error that has nothing to do with the request. */
const passing = (error: unknown) =>
  error instanceof OwnerStuck || isDatabaseTrouble(error) ? tryAgain() : error;

function noCredit(): Refusal {
  return new Refusal('no-credit', 'not enough credit');
}

function hasMore({ links, codes, listSends }: PlannedShipment): boolean {
  return links.length > 0 || codes.length > 0 || listSends.length > 0;
}
