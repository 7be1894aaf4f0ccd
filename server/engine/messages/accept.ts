import { isSendKeyTaken, knownSendKeys, SendKeyTaken } from '../../api/send-keys/store.ts';
import { noteStored } from '../../database/after-commit.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import { onePlacement, type Placement, type Placements } from '../../database/placements.ts';
import { isDatabaseTrouble, isDeadlock } from '../../database/trouble.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { Tracing } from '../../kit/observability/tracing/tracing.ts';
import { OwnerStuck, supervise } from '../../kit/owners.ts';
import { currentAuthor, noteShipment } from '../../kit/request-context.ts';
import { forEachInSlices, TimeSlice } from '../../kit/time-slices.ts';
import { countMove } from '../../modules/accounts/metrics.ts';
import { isOverdraft, NotEnoughCredit, type Wallets } from '../../modules/accounts/wallets.ts';
import type { AccountsDltIds } from '../../modules/dlt/dlt-ids.ts';
import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import type { Events } from '../events/events.ts';
import type { PlannedCode } from '../links/short-links.ts';
import { AcceptQueue, gathering, gatheringOfShard, type Queued, type Release } from './accept-queue.ts';
import { withDltIds } from './dlt-ids.ts';
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
import { refusedEvents } from './refused-events.ts';
import { isOneStatement, storePlans } from './store-shipments.ts';
import { accepting, inGroup } from './traces.ts';
import { storedShipments } from './was-stored.ts';

interface AcceptorDeps extends GroupPlannerDeps {
  readonly placements: Placements;
  readonly tracing?: Tracing | undefined;
  readonly clock: Clock;
  readonly wallets: Wallets;
  readonly events: Events;
  readonly callbacks: Pick<StatusCallbacks, 'beside' | 'event'>;
  readonly dltIds: Pick<AccountsDltIds, 'of'>;
  /** How long delivery is attempted, in milliseconds. */
  readonly validityMs: number;
  /**
   * Stores the parts of shipments that go to contact lists, and reserves their cost. Rejects with a violation of
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
  /**
   * Called after the commit, for each account and lane whose batches are not passed to this process's dispatcher. It is
   * a hint: nothing depends on it.
   */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/** A request that waits for its answer. */
interface Waiting extends Queued, PlannedRequest {
  readonly resolve: (shipmentId: number) => void;
}

type Planned = PlannedFor<Waiting>;

/** Maximum attempts to store a group whose transaction was in a deadlock with another one. */
const DEADLOCK_TRIES = 3;

/**
 * Accepts shipments: debit, shipment, messages and dispatch batches in one transaction. Requests that arrive while a
 * group is stored are accepted together in the next one, for all accounts whose rows one statement may touch
 * (database/placements.ts): one statement and one fsync serve them all. Each request is answered after its commit.
 *
 * A problem of one account never affects the others of its group. The statement leaves out an account that cannot pay,
 * has no wallet, repeats a send key, or has a wallet that another transaction has locked; such an account is stored
 * alone. If a statement fails because of its values, the group is halved until the faulty request is found.
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
   * `try-again`), or SendKeyTaken for a request whose key is already stored; then nothing is stored and nothing
   * charged.
   */
  async accept(asked: ShipmentRequest): Promise<number> {
    const { tracing } = this.#deps;
    const withIds = await withDltIds(asked, this.#deps.dltIds).catch((error) =>
      Promise.reject(passing(error)),
    );
    // Its group is stored in the context of another request.
    const request = this.#withCallback(withIds.lists ? { ...withIds, author: currentAuthor() } : withIds);
    if (!tracing) return this.#accept(request);
    return accepting(tracing, request.call ? 'voice' : 'sms', request.items.length, (trace) =>
      this.#accept(trace === undefined ? request : { ...request, trace }),
    );
  }

  /** Adds the rows of the callback that the request names. */
  #withCallback(request: ShipmentRequest): ShipmentRequest {
    const { accountId, callback, beside = [] } = request;
    if (!callback) return request;
    return { ...request, beside: [...beside, this.#deps.callbacks.beside(accountId, callback)] };
  }

  async #accept(request: ShipmentRequest): Promise<number> {
    const { accountId, items } = request;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const known = this.#deps.placements.of(accountId);
    const placement =
      typeof known === 'number' ? known : await known.catch((error) => Promise.reject(passing(error)));
    this.#queueOf(placement).add({ request, accountId, size: items.length, resolve, reject });
    const shipmentId = await promise;
    // It was stored for this request, though in another context.
    noteStored();
    noteShipment(shipmentId);
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

  /** Makes the same checks as `accept`, including credit, and stores nothing. Throws the same Refusals. */
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
   * Settles every request of a group, and releases each account when its requests are settled. Requests stored alone
   * may be settled later.
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

  /** Settles the requests of a group, except those that must be stored alone, which it returns. */
  async #acceptTogether(group: readonly Waiting[]): Promise<Planned[]> {
    const now = this.#deps.clock.now();
    const sql = this.#sqlOf(group[0]!.accountId);
    const planned = (await this.#planner.plan(group, now, sql)).filter(({ sent }) => sent.length > 0);
    const alone = planned.filter((one) => this.#needsMore(one) || !isOneStatement([one]));
    const together = planned.filter((one) => !alone.includes(one));
    return [...alone, ...(await this.#storeTogether(together, now))];
  }

  /** Stores the plans that one statement can store. Returns those that it left out. */
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
      // The database rejects the values or the send key of one request.
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

  /** Settles the requests of one account. If it throws, it has settled none of them. */
  async #acceptAlone(planned: Planned, tries = 1): Promise<void> {
    const { clock, events } = this.#deps;
    const { accountId, plan, sent } = planned;
    const isPlain = !this.#needsMore(planned);
    // Links and campaigns also need tables on the coordinator.
    const sql = isPlain ? this.#sqlOf(accountId) : this.#deps.sql;
    const started = performance.now();
    const now = clock.now();
    try {
      await this.#traced([planned], () =>
        isPlain && isOneStatement([planned])
          ? this.#storeAlone(sql, planned, now)
          : sql.begin(async (tx) => {
              for (const { id, request } of plan.shipments) await request.within?.(tx, id);
              await this.#storeAlone(tx, planned, now);
              await this.#storeMore(tx, accountId, plan, now);
              if (plan.hasRefused)
                await events.record(tx, accountId, refusedEvents(this.#deps, plan.shipments, now));
            }),
      );
    } catch (error) {
      if (isOverdraft(error) || error instanceof NotEnoughCredit) {
        // One request of the group costs too much: store each alone, so that the others are not rejected for it.
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

  /** Stores the plan of one account. Throws NotEnoughCredit, SendKeyTaken, and errors of the database. */
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

  /** Stores a group, in a span if a member is traced. */
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

  /** Returns the database connection for the statements of a group. */
  #sqlOf(accountId: number): Sql {
    return this.#deps.placements.sqlOf(accountId, this.#deps.sql);
  }

  /** Reports plans that were stored and committed. */
  #stored(planned: readonly Planned[]): void {
    const { notifyDispatcher, handOver } = this.#deps;
    const leased = planned.filter(({ lease }) => lease);
    if (leased.length > 0) handOver.take(leased);
    let messages = 0;
    const costs = { hold: 0, charge: 0 };
    for (const { accountId, plan, sent, lease } of planned) {
      for (const [index, shipment] of plan.shipments.entries()) {
        messages += shipment.messages.length;
        costs[shipment.scheduled ? 'hold' : 'charge'] += shipment.cost;
        if (!shipment.scheduled && !lease) notifyDispatcher(accountId, shipment.request.lane);
        sent[index]!.resolve(shipment.id);
      }
    }
    acceptedMetric.inc(messages);
    if (costs.hold > 0) countMove('hold', -costs.hold);
    if (costs.charge > 0) countMove('charge', -costs.charge);
  }

  /** Accepts the requests one by one, so that they stay in order. */
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

  /** Rejects the requests of an account whose send key is already stored, and accepts the others. */
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
    // None of the keys is stored: do not repeat a round with the same result.
    if (others.length === waiting.length) return this.#acceptEach(others);
    for (const planned of await this.#planner.plan(others, this.#deps.clock.now())) {
      if (planned.sent.length > 0) await this.#acceptAlone(planned);
    }
  }

  /** Whether these requests need more than the statement for many accounts stores. */
  #needsMore({ accountId, plan }: Planned): boolean {
    const { hasRefused, shipments } = plan;
    const hasCallback = shipments.some(({ request }) => request.callback);
    const tells = hasRefused && (hasCallback || this.#deps.events.wants(accountId, 'message.status'));
    return tells || shipments.some((shipment) => hasMore(shipment) || shipment.request.within);
  }

  /** Stores the further parts of shipments: links with their codes, and contact lists. */
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

const firstShipment = ({ accountId, plan }: Planned) => ({ accountId, id: plan.shipments[0]!.id });

function tryAgain(): Refusal {
  return new Refusal('try-again', 'the service cannot store the request now, try again');
}

/** Returns the error for the caller when the cause is not the request. */
const passing = (error: unknown) =>
  error instanceof OwnerStuck || isDatabaseTrouble(error) ? tryAgain() : error;

function noCredit(): Refusal {
  return new Refusal('no-credit', 'not enough credit');
}

function hasMore({ links, codes, listSends }: PlannedShipment): boolean {
  return links.length > 0 || codes.length > 0 || listSends.length > 0;
}
