import type { Carrier, CarrierListener, ConnectorKind } from '../carriers/carrier.ts';
import { CALL_ROUTES, type Routing, type Share } from '../carriers/routing.ts';
import type { Context } from '../context.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { invariant } from '../observability/invariant.ts';
import { currentTlsFault, type TlsFault } from '../tls-faults.ts';
import { holdLink, releaseConnector } from './connector-leases.ts';
import { ConnectorStates } from './connector-states.ts';
import { forgetConnectors, measureConnectors, submitted } from './metrics.ts';

/** The label of a connector in metrics, under which faults of its TLS are kept, too: business numbers share one platform. */
const labelOf = ({ name, label }: Carrier) => label ?? name;
const tlsFaultOf = (carrier: Carrier) => currentTlsFault(labelOf(carrier));

/**
 * Of a window, for the lanes above bulk alone: a campaign fills the rest for good, and room comes a few hundred messages
 * at a time, when their results are stored. Trunks have none: their window is the calls at a time, which cost money.
 */
const RESERVED_SHARE = 0.05;

/** A connector with what this process does over it. */
export class HeldConnector {
  readonly carrier: Carrier;
  /** Whether this process has its lease. */
  isHeld = false;
  /** Whether another process had its lease when it was last asked for. */
  isElsewhere = false;
  /** Counts what the carrier took. Looked up once: by label it would cost a microsecond a message. */
  readonly #taken: ReturnType<typeof submitted.labels>;
  /** The same as a number. */
  #count = 0;
  #unstored = 0;
  readonly #reservedShare: number;

  constructor(carrier: Carrier, reservedShare = RESERVED_SHARE) {
    this.carrier = carrier;
    this.#reservedShare = reservedShare;
    this.#taken = submitted.labels(labelOf(carrier));
  }

  /** What may be told of its name outside. */
  get label(): string {
    return labelOf(this.carrier);
  }

  /** Submitted, and the outcome not stored yet. */
  get unstored(): number {
    return this.#unstored;
  }

  get isUp(): boolean {
    return this.isHeld && this.carrier.up;
  }

  /** Why its TLS is not accepted. */
  get fault(): TlsFault | undefined {
    return this.isHeld ? tlsFaultOf(this.carrier) : undefined;
  }

  /** How many messages can be submitted now. */
  get room(): number {
    return Math.min(this.carrier.capacity(), this.carrier.window - this.#unstored);
  }

  /** Of the lanes that may be submitted now, the one that goes last. */
  get lowestLane(): Lane {
    // Asked each time: the window of a business number grows by what waits for its client's pause.
    const { window } = this.carrier;
    const reserved = Math.floor(window * this.#reservedShare);
    return this.#unstored < window - reserved ? lanes.bulk : lanes.single;
  }

  /** A message is submitted (1), or its outcome is stored (-1). Never more than a window is submitted and not stored. */
  add(change: 1 | -1): void {
    this.#unstored += change;
    const { carrier } = this;
    const unstored = this.#unstored;
    invariant(unstored >= 0 && unstored <= carrier.window, 'window', () => ({
      link: carrier.name,
      unstored,
    }));
  }

  /** The carrier took a message. */
  took(): void {
    this.#taken.inc();
    this.#count++;
  }

  /** How it stands, for the table of connectors. */
  get state() {
    const { carrier, fault } = this;
    const { name, window } = carrier;
    const up = carrier.up && fault === undefined;
    return {
      name,
      up,
      inFlight: this.#unstored,
      window,
      taken: this.#count,
      isFull: this.isUp && (this.lowestLane !== lanes.bulk || this.room <= 0),
      problem: fault ?? null,
    };
  }
}

interface HeldConnectorsDeps extends Pick<Context, 'sql' | 'asyncCommitSql' | 'log'> {
  /** Names this process in leases. */
  readonly owner: string;
  /** Connectors that routes of the operator name; they take what has no route, too. */
  readonly carriers: readonly Carrier[];
  /** Connectors that take only what names them: a route of their channel, or one of their own name. */
  readonly special: readonly Carrier[];
  readonly routing: Routing;
  /** Called before a connector starts that this process begins to hold. */
  readonly learned: (name: string) => Promise<void>;
  readonly listenerOf: (connector: HeldConnector) => CarrierListener;
}

/** The connectors of this process, of which it holds those that no other process does; and which takes what. */
export class HeldConnectors {
  readonly #deps: HeldConnectorsDeps;
  readonly #byName = new Map<string, HeldConnector>();
  /** Those that take what has no route of its own, each alone, in the order in which they came first. */
  readonly #general: (readonly Share[])[] = [];
  /** Routes that are a connector of the same name. */
  readonly #ownRoutes = new Set<string>();
  readonly #states: ConnectorStates;

  constructor(deps: HeldConnectorsDeps) {
    this.#deps = deps;
    this.#states = new ConnectorStates(deps.asyncCommitSql, deps.owner);
    for (const carrier of deps.carriers) this.add(carrier, 'general');
    for (const carrier of deps.special) this.add(carrier, 'special');
    measureConnectors(this);
  }

  /** What the metrics show of each. */
  get measured() {
    return [...this.#byName.values()].map((connector) => ({
      link: labelOf(connector.carrier),
      isHeld: connector.isHeld,
      isUp: connector.state.up,
    }));
  }

  /** Adds a connector. */
  add(carrier: Carrier, kind: ConnectorKind): void {
    const { name } = carrier;
    this.#byName.set(name, kind === 'special' ? new HeldConnector(carrier, 0) : new HeldConnector(carrier));
    if (kind === 'own') this.#ownRoutes.add(name);
    const isKnown = this.#general.some(([share]) => share!.link === name);
    if (kind === 'general' && !isKnown) this.#general.push([{ link: name, weight: 1 }]);
  }

  /** Takes a connector out, which may go on until it is stopped with `end`. */
  take(name: string): HeldConnector | undefined {
    const connector = this.#byName.get(name);
    this.#byName.delete(name);
    this.#ownRoutes.delete(name);
    return connector;
  }

  /** Stops a connector that was taken out once nothing is in flight, or `graceMs` are over, and lets others have it. */
  async end({ carrier, isHeld }: HeldConnector, graceMs: number): Promise<void> {
    const { sql, owner } = this.#deps;
    await carrier.stop(graceMs);
    if (isHeld) await releaseConnector(sql, carrier.name, owner);
  }

  /** Those that this process holds. */
  get held(): HeldConnector[] {
    return [...this.#byName.values()].filter(({ isHeld }) => isHeld);
  }

  /**
   * Those that share the messages of a route now, of which one at least is up: the first such group. On the route without a
   * name it is any that is not a route of its own. Undefined when none is up.
   */
  forRoute(route: string): readonly Share[] | undefined {
    if (this.#ownRoutes.has(route)) return this.#isUp(route) ? [{ link: route, weight: 1 }] : undefined;
    return this.#groupsOf(route).find((group) => group.some(({ link }) => this.#isUp(link)));
  }

  /** One of `forRoute` that is up. */
  upOf({ link }: Share): HeldConnector | undefined {
    const connector = this.#byName.get(link);
    return connector?.isUp ? connector : undefined;
  }

  /** Names of routes that are a connector of the same name. */
  get ownRoutes(): Iterable<string> {
    return this.#ownRoutes;
  }

  #isUp(name: string): boolean {
    return this.#byName.get(name)?.isUp === true;
  }

  #groupsOf(route: string): readonly (readonly Share[])[] {
    const groups = this.#deps.routing.sharesOf(route);
    // A route of messages that was removed, and nothing takes its prefix now.
    return groups.length === 0 && !route.startsWith(CALL_ROUTES) ? this.#general : groups;
  }

  /** Connectors that take what has no route of its own. */
  get #generalNames(): string[] {
    return this.#general.flatMap(([share]) => (this.#byName.has(share!.link) ? [share!.link] : []));
  }

  /**
   * Whether this process does its share: at least one connector can take messages that have no route of their own, if there is
   * any for them, or other processes hold all of these, and this one takes over when they stop.
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
   * Those whose TLS is not accepted, with why, where no other takes what they would: SMS go over another one that is up.
   */
  get blocked(): readonly { readonly link: string; readonly fault: TlsFault }[] {
    const general = this.#generalNames;
    return [...this.#byName.values()].flatMap(({ carrier: { name }, fault }) => {
      const hasOther = general.includes(name) && general.some((other) => this.#isUp(other));
      return fault && !hasOther ? [{ link: name, fault }] : [];
    });
  }

  /** Takes those that are free and renews the leases of the others. */
  async hold(): Promise<void> {
    const { sql, owner, log, learned, listenerOf } = this.#deps;
    for (const connector of this.#byName.values()) {
      const { carrier } = connector;
      const { name } = carrier;
      const isHeld = await holdLink(sql, name, owner);
      // Taken out meanwhile.
      if (this.#byName.get(name) !== connector) {
        await releaseConnector(sql, name, owner);
        continue;
      }
      connector.isElsewhere = !isHeld;
      if (isHeld && !connector.isHeld) {
        await learned(name);
        connector.isHeld = true;
        log.info({ link: name }, 'holding the link');
        carrier.start(listenerOf(connector));
      } else if (!isHeld && connector.isHeld) {
        connector.isHeld = false;
        log.warn({ link: name }, 'another process has taken the link');
        await carrier.stop(0);
      }
    }
  }

  /** Lets others have those that this process holds. */
  async release(): Promise<void> {
    const { sql, owner } = this.#deps;
    forgetConnectors(this);
    await Promise.all(this.held.map(({ carrier }) => releaseConnector(sql, carrier.name, owner)));
  }

  /** Writes how those stand that this process holds. */
  async tell(): Promise<void> {
    await this.#states.tell(this.held.map(({ state }) => state));
  }
}
