import { newClaim } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import type { ProcessGroup } from '../../kit/process-roles.ts';
import type { TlsFault } from '../../kit/tls-faults.ts';
import type { CarrierListener, Connector, ConnectorKind } from '../carriers/carrier.ts';
import type { Choice, LeaveRule, Share } from '../carriers/route.ts';
import { CALL_ROUTES, ONLY_ROUTES, type Routing } from '../carriers/routing.ts';
import { holdConnector, LEASE_MS, releaseConnector } from './connector-leases.ts';
import { ConnectorOutages } from './connector-outages.ts';
import { ConnectorStates } from './connector-states.ts';
import { HeldConnector } from './held-connector.ts';
import { forgetConnectors, measureConnectors } from './metrics.ts';

/**
 * Milliseconds from the last renewal until a process closes a connector itself: before the lease ends, so that the next
 * holder can bind where the carrier allows one session.
 */
const CLOSE_AFTER_MS = LEASE_MS - 3_000;
/** Milliseconds for messages in flight when a lease ends. */
const CLOSE_GRACE_MS = 2_000;
/** Milliseconds that a held connector may be down before its holder releases the lease for a process that asks for it. */
const MAX_DOWN_MS = 20_000;
/** Milliseconds in which the former holder does not take the lease: other processes try every `LINK_RENEW_MS`. */
const YIELD_MS = 12_000;
/** Milliseconds before the former holder asks for the lease: doubled each time until the connector is up again. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** Milliseconds between two judgements of the connectors that messages leave. */
const JUDGED_MS = 100;

interface HeldConnectorsDeps extends Pick<Context, 'sql' | 'asyncCommitSql' | 'clock' | 'log'> {
  /** Identifies this process in leases. */
  readonly owner: string;
  /** Connectors that the operator's routes use; they also take messages without a route. */
  readonly carriers: readonly Connector[];
  /** Connectors that take only messages which name them: by a route of their channel, or by their own name. */
  readonly special: readonly Connector[];
  readonly routing: Routing;
  /** Called before this process opens a connector that it begins to hold. */
  readonly learned: (name: string) => Promise<void>;
  readonly listenerOf: (connector: HeldConnector) => CarrierListener;
  /** Whether no other process can use the database: leases then do not end during its outages. */
  readonly isAlone: boolean;
  /** The processes among which connectors with several sessions are divided. */
  readonly group: Pick<ProcessGroup, 'count' | 'index'>;
  /** Overrides `MAX_DOWN_MS` in tests. */
  readonly maxDownMs?: number;
}

/** Pauses of the process that released the lease of a connector that was down, in monotonic milliseconds. */
interface GivenBack {
  /** Earliest time to take the lease. */
  readonly notBefore: number;
  /** Earliest time to ask its holder for the lease. */
  readonly asksFrom: number;
  readonly pauseMs: number;
}

/** The connectors of this process, which holds those that no other process holds, and their assignment to routes. */
export class HeldConnectors {
  readonly #deps: HeldConnectorsDeps;
  readonly #byName = new Map<string, HeldConnector>();
  /** Connectors for messages without a specific route, each as a group, in the order in which they were added. */
  readonly #general: (readonly Share[])[] = [];
  /** Names of routes that are connectors. */
  readonly #ownRoutes = new Set<string>();
  readonly #states: ConnectorStates;
  readonly #outages: ConnectorOutages;
  readonly #givenBack = new Map<string, GivenBack>();
  /** Connectors that messages stay with, by the groups of a route. */
  readonly #stayed = new WeakMap<object, { at: number; shares: readonly Share[] | undefined }>();
  /** Connectors closed at the stop of this process whose leases are not released yet. */
  #closed: readonly HeldConnector[] = [];

  constructor(deps: HeldConnectorsDeps) {
    this.#deps = deps;
    this.#states = new ConnectorStates(deps.asyncCommitSql);
    this.#outages = new ConnectorOutages(deps);
    for (const connector of deps.carriers) this.add(connector, 'general');
    for (const connector of deps.special) this.add(connector, 'special');
    measureConnectors(this);
  }

  /** State of each connector for the metrics. */
  get measured() {
    return [...this.#byName.values()].map((connector) => ({
      connector: connector.label,
      isHeld: connector.isHeld,
      isUp: connector.state.up,
    }));
  }

  /** Adds a connector. */
  add(connector: Connector, kind: ConnectorKind): void {
    const { name } = connector;
    this.#byName.set(
      name,
      kind === 'special' ? new HeldConnector(connector, 0) : new HeldConnector(connector),
    );
    if (kind === 'own') this.#ownRoutes.add(name);
    const isKnown = this.#general.some(([share]) => share!.connector === name);
    if (kind === 'general' && !isKnown) this.#general.push([{ connector: name, weight: 1 }]);
  }

  /** Removes a connector, which may continue to work until `end` stops it. */
  take(name: string): HeldConnector | undefined {
    const connector = this.#byName.get(name);
    this.#byName.delete(name);
    this.#ownRoutes.delete(name);
    return connector;
  }

  /** Stops a removed connector when nothing is in flight or `graceMs` have passed, and releases its lease. */
  async end(connector: HeldConnector, graceMs: number): Promise<void> {
    const { isHeld } = connector;
    await connector.close(graceMs);
    if (isHeld) await this.#release(connector);
  }

  /**
   * Ends the lease of a connector. The next lease of this process has another claim, so a late release does not end it.
   */
  async #release(connector: HeldConnector): Promise<void> {
    const { claim, leaseName } = connector;
    connector.claim = undefined;
    if (claim !== undefined) await releaseConnector(this.#deps.sql, leaseName, claim);
  }

  /** Connectors that this process holds. */
  get held(): HeldConnector[] {
    return [...this.#byName.values()].filter(({ isHeld }) => isHeld);
  }

  /**
   * Returns the first group of connectors of a route in which at least one is up. The route without a name uses all
   * connectors that are not routes themselves. Undefined when none of them is up. `choice` has the groups of messages whose route
   * prefers connectors by quality. Connectors that messages leave (`LeaveRule`) are not among them, unless no other is up.
   */
  forRoute(route: string, choice?: Choice): readonly Share[] | undefined {
    if (this.#ownRoutes.has(route)) return this.#isUp(route) ? [{ connector: route, weight: 1 }] : undefined;
    const groups = choice?.groups ?? this.#groupsOf(route);
    const leave = this.#deps.routing.leaveRuleOf(route);
    const stays = leave && (leave.silentMs || leave.throttledMs) && this.#lastStaying(groups, leave);
    return stays || groups.find((group) => group.some(({ connector }) => this.#isUp(connector)));
  }

  /** As `#staying`, at most once in `JUDGED_MS`: it is called for each outcome. */
  #lastStaying(groups: readonly (readonly Share[])[], leave: LeaveRule): readonly Share[] | undefined {
    const now = performance.now();
    const last = this.#stayed.get(groups);
    if (last && now - last.at < JUDGED_MS && last.shares?.some(({ connector }) => this.#isUp(connector)))
      return last.shares;
    const shares = this.#staying(groups, leave);
    this.#stayed.set(groups, { at: now, shares });
    return shares;
  }

  /** Returns the first group with connectors that are up and that messages do not leave, without its others. */
  #staying(groups: readonly (readonly Share[])[], leave: LeaveRule): readonly Share[] | undefined {
    const now = performance.now();
    const up = groups.flat().flatMap((share) => this.upOf(share) ?? []);
    const stays = ({ connector }: Share) => {
      const held = up.find(({ name }) => name === connector);
      if (!held) return false;
      const others = () => up.some((other) => other !== held && other.wasReported(leave.silentMs ?? 0, now));
      return !held.isLeft(leave, now, others);
    };
    for (const group of groups) {
      const staying = group.filter(stays);
      if (staying.length > 0) return staying;
    }
    return undefined;
  }

  /** Returns the connector of a share of `forRoute` if it is up. */
  upOf({ connector: name }: Share): HeldConnector | undefined {
    const connector = this.#byName.get(name);
    return connector?.isUp ? connector : undefined;
  }

  /** Returns the first connector of a route, in fallback order, that is up, has room, and is not one of `some`. */
  otherThan(some: ReadonlySet<string>, route: string, choice?: Choice): HeldConnector | undefined {
    return this.#others(some, choice?.groups ?? this.#groupsOf(route)).find(({ room }) => room > 0);
  }

  /** Whether a connector of a route is up that is not one of `some`. */
  hasOtherThan(some: ReadonlySet<string>, route: string): boolean {
    return this.#others(some, this.#groupsOf(route)).length > 0;
  }

  #others(some: ReadonlySet<string>, groups: readonly (readonly Share[])[]): HeldConnector[] {
    return groups.flat().flatMap((share) => (some.has(share.connector) ? [] : (this.upOf(share) ?? [])));
  }

  /** Names of routes that are connectors. */
  get ownRoutes(): Iterable<string> {
    return this.#ownRoutes;
  }

  /** Whether a route has one connector, which is removed or disabled. */
  isOrphaned(route: string): boolean {
    return route.startsWith(ONLY_ROUTES) && !this.#byName.has(route.slice(ONLY_ROUTES.length));
  }

  #isUp(name: string): boolean {
    return this.#byName.get(name)?.isUp === true;
  }

  #groupsOf(route: string): readonly (readonly Share[])[] {
    const groups = this.#deps.routing.sharesOf(route);
    // The route of messages was removed, and no other route has its prefix now.
    return groups.length === 0 && !route.startsWith(CALL_ROUTES) ? this.#general : groups;
  }

  /** Connectors for messages without a specific route. */
  get #generalNames(): string[] {
    return this.#general.flatMap(([share]) => (this.#byName.has(share!.connector) ? [share!.connector] : []));
  }

  /**
   * Whether this process does its part: at least one connector can take messages without a specific route (if there are
   * connectors for them), or other processes hold all of these and this process takes over when they stop.
   */
  get isReady(): boolean {
    const general = this.#generalNames;
    if (general.length === 0) return this.#byName.size > 0;
    return (
      general.some((name) => this.#isUp(name)) || general.every((name) => this.#byName.get(name)!.isElsewhere)
    );
  }

  /** `standby`: other processes hold every connector. */
  get part(): 'active' | 'standby' {
    const all = [...this.#byName.values()];
    return all.length > 0 && all.every(({ isElsewhere }) => isElsewhere) ? 'standby' : 'active';
  }

  /**
   * Connectors whose TLS certificate is rejected, with the fault, if a route has no other connector that can take its
   * messages.
   */
  get blocked(): readonly { readonly connector: string; readonly fault: TlsFault }[] {
    return [...this.#byName.values()].flatMap(({ name, fault }) =>
      fault && this.#isNeeded(name) ? [{ connector: name, fault }] : [],
    );
  }

  /** Whether messages can use only this connector while it is down. */
  #isNeeded(name: string): boolean {
    const { routing } = this.#deps;
    const ways = [...routing.names]
      // Test messages alone make no connector necessary.
      .filter((route) => !route.startsWith(ONLY_ROUTES))
      .map((route) => routing.sharesOf(route).flatMap((group) => group.map(({ connector }) => connector)))
      .filter((names) => names.includes(name));
    const general = this.#generalNames;
    if (general.includes(name)) ways.push(general);
    // A connector that no route names is a route itself.
    return ways.length === 0 || ways.some((names) => !names.some((one) => this.#canTake(one)));
  }

  /** Whether a connector accepts messages, here or in the process that holds it. */
  #canTake(name: string): boolean {
    const connector = this.#byName.get(name);
    return connector !== undefined && (connector.isElsewhere || connector.state.up);
  }

  /** Takes the free leases and renews those of this process. */
  async hold(): Promise<void> {
    const closing: Promise<void>[] = [];
    for (const connector of this.#byName.values()) {
      const closed = await this.#holdOne(connector);
      if (closed) closing.push(closed);
    }
    await Promise.all(closing);
  }

  /** Takes or renews one lease. Returns a promise for the closing of the connector, if another process has it. */
  async #holdOne(connector: HeldConnector): Promise<Promise<void> | undefined> {
    const { owner, log, learned, listenerOf, isAlone, maxDownMs = MAX_DOWN_MS } = this.#deps;
    const { name } = connector;
    const began = performance.now();
    const { notBefore = 0, asksFrom = 0 } = this.#givenBack.get(name) ?? {};
    if (!connector.isHeld && began < notBefore) return undefined;
    connector.claim ??= newClaim(owner);
    const { isHeld, isAwaited } = await this.#holdPart(connector, connector.claim, began >= asksFrom);
    if (isHeld && !connector.isHeld) await learned(name);
    // Removed during the statement.
    if (this.#byName.get(name) !== connector) {
      if (isHeld && !connector.isHeld) await this.#release(connector);
      return undefined;
    }
    connector.isElsewhere = !isHeld;
    if (!isHeld) {
      if (!connector.isHeld) return undefined;
      log.warn({ link: name }, 'another process has taken the connector');
      return connector.close(0);
    }
    const heldUntil = isAlone ? Number.POSITIVE_INFINITY : began + CLOSE_AFTER_MS;
    connector.renewed(heldUntil, () => this.#expire(connector));
    if (!connector.isHeld) {
      log.info({ link: name }, 'holding the connector');
      await connector.open(listenerOf(connector));
    }
    const downMs = connector.downFor(performance.now());
    if (connector.isUp) this.#givenBack.delete(name);
    else if (isAwaited && downMs >= maxDownMs) await this.#giveBack(connector, downMs);
    return undefined;
  }

  /**
   * Renews the lease of the part that this process holds, or takes a free one. The first one asked for is that of its place in the
   * group, so that the processes do not compete; the others are those of processes that have ended or do not run.
   */
  async #holdPart(connector: HeldConnector, claim: string, asks: boolean) {
    const { sql, group } = this.#deps;
    if (connector.isHeld) return holdConnector(sql, connector.leaseName, claim, asks);
    const count = Math.min(group.count, connector.maxParts);
    for (let tried = 0; ; tried++) {
      connector.part = { index: (group.index + tried) % count, count };
      const isLast = tried === count - 1;
      const lease = await holdConnector(sql, connector.leaseName, claim, asks && isLast);
      if (lease.isHeld || isLast) return lease;
    }
  }

  /**
   * Closes a connector whose lease could not be renewed in time. It is reopened when this process has the lease again.
   */
  #expire(connector: HeldConnector): void {
    const { log } = this.#deps;
    log.warn({ link: connector.name }, 'lease of the connector not renewed in time, connector closed');
    connector.close(CLOSE_GRACE_MS).catch((error: unknown) => {
      log.error({ err: error, link: connector.name }, 'connector not closed');
    });
  }

  /**
   * Closes a connector that is down and releases its lease for a process that asks for it, since the carrier may be
   * reachable from there.
   */
  async #giveBack(connector: HeldConnector, downMs: number): Promise<void> {
    const { log } = this.#deps;
    const { name } = connector;
    const now = performance.now();
    const before = this.#givenBack.get(name)?.pauseMs ?? FIRST_PAUSE_MS / 2;
    const pauseMs = Math.min(2 * before, LONGEST_PAUSE_MS);
    this.#givenBack.set(name, { notBefore: now + YIELD_MS, asksFrom: now + pauseMs, pauseMs });
    log.warn({ link: name, downMs: Math.round(downMs) }, 'connector down, another process may take it');
    await connector.close(0);
    connector.isElsewhere = true;
    await this.#release(connector);
  }

  /** Closes the connectors of this process, each within `graceMs` milliseconds. The leases are kept until `release`. */
  async close(graceMs: number): Promise<readonly HeldConnector[]> {
    const { held } = this;
    this.#closed = held;
    await Promise.all(held.map((connector) => connector.close(graceMs)));
    return held;
  }

  /** Releases the leases, so that other processes can take the connectors. */
  async release(): Promise<void> {
    forgetConnectors(this);
    await Promise.all([...this.held, ...this.#closed].map((connector) => this.#release(connector)));
  }

  /** Stores the states of the connectors that this process holds. */
  async tell(): Promise<void> {
    const states = this.held.map(({ state, claim = '' }) => ({ ...state, claim }));
    await this.#states.tell(states);
    await this.#outages.note(states);
  }
}
