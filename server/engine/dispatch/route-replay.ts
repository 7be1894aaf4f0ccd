import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { MobileNetwork } from '../carriers/network-condition.ts';
import { QualityBook } from '../carriers/quality.ts';
import type { Share } from '../carriers/route.ts';
import { Routing } from '../carriers/routing.ts';
import type { Networks } from '../connectors/look-ups/networks.ts';
import type { CarrierNetwork } from '../connectors/network.ts';
import { inOrder } from '../connectors/route-order.ts';
import type { StoredRoute } from '../connectors/stored.ts';
import { HOUR_MS } from '../messages/hours.ts';
import type { Lane } from '../messages/lanes.ts';
import { isCode, kindOf } from '../messages/message-kind.ts';

/** Maximum number of messages in all, and of one account. */
const MAX_MESSAGES = 10_000;
const MAX_OF_ACCOUNT = 500;
/** A draw that does not explore. */
const NO_EXPLORING = 1;

/** Totals of the messages with some routes. */
export interface ReplayedTotals {
  /** In the currency of the prices, for messages over connectors with a price. */
  readonly cost: number;
  /** Messages over connectors without a price. */
  readonly withoutPrice: number;
  /** Messages expected to be delivered, by the measured shares. */
  readonly delivered: number;
  /** Messages over connectors without a measured share for the prefix. */
  readonly withoutShare: number;
  /** One-time codes that recipients are expected to use, by the measured shares. */
  readonly used: number;
  /** One-time codes over connectors without a measured share of used ones for the prefix. */
  readonly withoutUsedShare: number;
}

/** Messages of a connector, fractions where connectors share them. */
export interface ReplayedConnector {
  readonly connector: string;
  readonly before: number;
  readonly after: number;
}

/** Comparison of the present routes with proposed ones. */
export interface Replay {
  readonly messages: number;
  /** One-time codes among them. */
  readonly codes: number;
  /** Whether there were more messages, of which these are the latest of each account. */
  readonly isSample: boolean;
  /** Messages that would take another connector, or other shares of connectors. */
  readonly moved: number;
  readonly before: ReplayedTotals;
  readonly after: ReplayedTotals;
  readonly connectors: readonly ReplayedConnector[];
}

interface SentRow {
  readonly account_id: number;
  readonly id: number;
  readonly recipient: string;
  readonly source: string;
  readonly parts: number;
  readonly lane: Lane;
  readonly sending_rule: SendingRule | null;
  readonly due_at: number;
}

interface RouteReplayDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly network: CarrierNetwork;
  readonly numberNetworks: Networks;
}

/**
 * Compares how the latest SMS would be routed by the present routes and by proposed ones, with the measured shares and the prices of the
 * routes. All connectors that are enabled count as up. Sends and changes nothing.
 *
 * @param proposed the added routes in their order
 * @param hours how far back the messages were accepted
 */
export async function replayRoutes(
  { sql, clock, network, numberNetworks }: RouteReplayDeps,
  proposed: readonly StoredRoute[],
  hours: number,
): Promise<Replay> {
  const now = clock.now();
  const rows = await sql<SentRow[]>`
    SELECT s.* FROM wallets w CROSS JOIN LATERAL (
      SELECT m.account_id, m.id, m.recipient, m.source, m.parts, p.lane, p.sending_rule, p.due_at
      FROM messages m JOIN shipments p ON p.account_id = m.account_id AND p.id = m.shipment_id
      WHERE m.account_id = w.account_id AND m.id >= ${idFloor(now - hours * HOUR_MS)} AND m.id < ${idFloor(now)}
        AND m.channel = ${TEXT_CHANNEL} AND m.link IS NOT NULL
      ORDER BY m.id DESC LIMIT ${MAX_OF_ACCOUNT}
    ) s LIMIT ${MAX_MESSAGES}`;
  const numbers = await numberNetworks.remembered.findAll(rows.map(({ recipient }) => recipient));
  const quality = new QualityBook(await network.quality.measure());
  const before = new Simulation(network, network.stored.routes, quality);
  const after = new Simulation(network, proposed, quality);
  let moved = 0;
  const slice = new TimeSlice();
  for (const row of rows) {
    if (slice.isOver) await slice.rest();
    const mobileNetwork = numbers.get(row.recipient)?.network ?? null;
    if (before.add(row, mobileNetwork) !== after.add(row, mobileNetwork)) moved++;
  }
  const names = new Set([...before.byConnector.keys(), ...after.byConnector.keys()]);
  return {
    messages: rows.length,
    codes: rows.filter(({ lane }) => isCode(lane)).length,
    isSample: rows.length === MAX_MESSAGES || mostOfAccount(rows) === MAX_OF_ACCOUNT,
    moved,
    before: before.totals,
    after: after.totals,
    connectors: [...names].sort().map((connector) => ({
      connector,
      before: before.byConnector.get(connector) ?? 0,
      after: after.byConnector.get(connector) ?? 0,
    })),
  };
}

const mostOfAccount = (rows: readonly SentRow[]): number =>
  Math.max(
    0,
    ...Map.groupBy(rows, (row) => row.account_id)
      .values()
      .map(({ length }) => length),
  );

interface ReplayedMessage {
  /** E.164 digits. */
  readonly destination: string;
  readonly isCode: boolean;
  readonly parts: number;
}

/** The messages of a replay with some routes. */
class Simulation {
  readonly byConnector = new Map<string, number>();
  readonly #network: CarrierNetwork;
  readonly #routing: Routing;
  readonly #prices: ReadonlyMap<string, number | null>;
  readonly #quality: QualityBook;
  #cost = 0;
  #withoutPrice = 0;
  #delivered = 0;
  #withoutShare = 0;
  #used = 0;
  #withoutUsedShare = 0;

  constructor(network: CarrierNetwork, routes: readonly StoredRoute[], quality: QualityBook) {
    this.#network = network;
    this.#routing = new Routing(inOrder(network.configured.routes, routes));
    this.#routing.learn(quality);
    this.#quality = quality;
    this.#prices = new Map(
      routes.flatMap(({ name, connectors }) =>
        connectors.map(({ connector, price = null }) => [`${name} ${connector}`, price]),
      ),
    );
  }

  get totals(): ReplayedTotals {
    return {
      cost: this.#cost,
      withoutPrice: this.#withoutPrice,
      delivered: this.#delivered,
      withoutShare: this.#withoutShare,
      used: this.#used,
      withoutUsedShare: this.#withoutUsedShare,
    };
  }

  /** Counts a message, and returns its connectors with their shares as a text. */
  add(row: SentRow, mobileNetwork: MobileNetwork | null): string {
    const { account_id: accountId, id, recipient, source, parts, lane, sending_rule: rule, due_at } = row;
    const kind = kindOf(lane, rule);
    const at = Math.max(due_at, timeOfId(id));
    const destination = recipient;
    const route = this.#routing.routeOf({ accountId, source, destination, network: mobileNetwork, kind, at });
    const message = { destination, isCode: isCode(lane), parts };
    const shares = this.#sharesOf(route, message);
    const total = shares.reduce((sum, { weight }) => sum + weight, 0);
    for (const { connector, weight } of shares) {
      this.#count(route, { connector, share: weight / total }, message);
    }
    return JSON.stringify(shares);
  }

  #count(
    route: string | undefined,
    { connector, share }: { readonly connector: string; readonly share: number },
    { destination, isCode: isOneTime, parts }: ReplayedMessage,
  ): void {
    this.byConnector.set(connector, (this.byConnector.get(connector) ?? 0) + share);
    const price = this.#prices.get(`${route} ${connector}`) ?? null;
    if (price === null) this.#withoutPrice += share;
    else this.#cost += share * parts * price;
    const known = this.#quality.of(destination, connector);
    if (known) this.#delivered += (share * known.delivered) / known.samples;
    else this.#withoutShare += share;
    if (!isOneTime) return;
    const { used = 0, codes = 0 } = known ?? {};
    if (codes > 0) this.#used += (share * used) / codes;
    else this.#withoutUsedShare += share;
  }

  /** Returns the first connectors for a message that are enabled. */
  #sharesOf(route: string | undefined, message: ReplayedMessage): readonly Share[] {
    const isEnabled = ({ connector }: Share) => this.#network.isEnabled(connector);
    if (route === undefined) {
      const [first] = this.#network.smsConnectors();
      return first ? [{ connector: first.name, weight: 1 }] : [];
    }
    const choice = this.#routing.choiceOf(route, message, NO_EXPLORING);
    const groups = choice?.groups ?? this.#routing.sharesOf(route);
    return groups.find((group) => group.some(isEnabled))?.filter(isEnabled) ?? [];
  }
}
