import { errorCode } from '../../server/protocols/smpp/errors.ts';
import type { Network } from '../faults/support.ts';
import { phone } from '../faults/support.ts';
import { Browser } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';
import { behave } from './carriers.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { PATIENCE_MS, type Pair, runPair, WINDOW } from './pair.ts';

/*
 * An operator adds, changes, orders and removes routes over three connectors, by conditions that split the traffic, while two
 * processes send and one of them is killed, also the one that carries out a change. Carriers refuse with the codes of
 * `leave_codes`, throttle, keep their receipts back and disconnect, so that messages leave connectors.
 */

const OPERATOR = { username: 'routing', password: 'the password of routing' };
const SENDERS = ['Bakery', 'Bank', 'Cafe'];
const CONNECTORS = ['smpp', 'alpha', 'beta'];
const MAX_ROUTES = 6;
/** Changes of a round. */
const CHANGES = 8;
/** Least seconds of the settings `leave_…_seconds`, and milliseconds that a carrier is busy or silent: longer than these. */
const LEAVE_SECONDS = 10;
const LONG_MS = 12_000;
/** Milliseconds that the other faults last. */
const SHORT_MS = 2_000;

interface Route {
  readonly id: string | null;
}

/** How a carrier makes messages leave it. */
interface Fault {
  readonly lastMs: number;
  /** Windows that may be sent twice. */
  readonly cuts: number;
  readonly begin: (network: Network, chance: () => number) => void;
}

/** A carrier that answers a share of the messages with a status. */
const refuses = (status: number, share: number, lastMs = SHORT_MS): Fault => ({
  lastMs,
  cuts: 0,
  begin: ({ smsc }, chance) => smsc.change({ answerStatus: () => (chance() < share ? status : undefined) }),
});

const faults: readonly Fault[] = [
  refuses(errorCode.ESME_RSUBMITFAIL, 0.6),
  refuses(errorCode.ESME_RSYSERR, 0.2),
  refuses(errorCode.ESME_RTHROTTLED, 1, LONG_MS),
  { lastMs: LONG_MS, cuts: 0, begin: ({ smsc }) => smsc.change({ receiptDelayMs: LONG_MS + 3_000 }) },
  {
    lastMs: SHORT_MS,
    cuts: 1,
    begin({ smsc }) {
      smsc.change({ answerDelayMs: 30 });
      smsc.disconnect();
    },
  },
];

/** The operator of a run. */
class RouteChanges {
  readonly #pair: Pair;
  #cookie: string | undefined;
  #sequence = 0;
  /** Changes that the service has answered with 200. */
  done = 0;
  /** Answers that an operator must not get. */
  readonly strange: string[] = [];

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Messages that the further carriers took. */
  get elsewhere(): number {
    return this.#pair.others.reduce((sum, { taken }) => sum + taken.size, 0);
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#pair.chance() * all.length)]!;
  }

  /** Calls a process; undefined for a call without an answer, or one that was refused for a moment. */
  async #call<T>(url: string, method: string, path: string, body?: unknown): Promise<T | undefined> {
    const browser = new Browser(url);
    browser.cookie = this.#cookie;
    if (browser.cookie === undefined) {
      const signedIn = await browser.signIn(OPERATOR.username, OPERATOR.password).catch(() => '');
      if (signedIn !== '200') return undefined;
      this.#cookie = browser.cookie;
    }
    const answer = await browser.call(method, `/operator${path}`, body).catch(() => undefined);
    if (!answer) return undefined;
    if (answer.ok) return answer.json() as Promise<T>;
    // The proof of identity lasts for minutes.
    if (answer.status === 401 || answer.status === 403) this.#cookie = undefined;
    // After a change without an answer, a route may be there or gone; while the database recovers, calls are repeated.
    else if (![400, 404, 409, 429, 503].includes(answer.status))
      this.strange.push(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return undefined;
  }

  /** Adds the connectors of the further carriers. */
  async prepare(): Promise<void> {
    const { installation, members, others } = this.#pair;
    await installation.command('person', 'add', OPERATOR.username, '--password', OPERATOR.password);
    for (const [index, network] of others.entries()) {
      const smpp = {
        ...{ host: '127.0.0.1', port: network.port, system_id: 'carillon', password: 'carillon' },
        ...{ window: WINDOW, response_timeout_ms: 2_000 },
      };
      const add = () =>
        this.#call(members[0]!.program.url, 'POST', '/connectors', { name: CONNECTORS[index + 1], smpp });
      await waitFor('the connector is added', add, PATIENCE_MS);
      await waitFor('the connector is up', () => network.smsc.boundSessions > 0, PATIENCE_MS);
    }
  }

  /** A route as an operator could want it. */
  #wish() {
    const { chance, senders } = this.#pair;
    const last = phone(senders.accepted);
    const alone = this.#pick(CONNECTORS.slice(1));
    return {
      title: `Route ${this.#sequence++}`,
      prefixes: [this.#pick(['', '972', '97250', last.slice(0, 8), last.slice(0, 9)])],
      senders: chance() < 0.6 ? [this.#pick(SENDERS)] : null,
      kinds: chance() < 0.3 ? ['marketing'] : null,
      choose: this.#pick(['priority', 'cheapest']),
      min_delivered_percent: chance() < 0.3 ? 60 : null,
      leave_codes: ['ESME_RSUBMITFAIL', 'ESME_RSYSERR'],
      leave_throttled_seconds: LEAVE_SECONDS,
      leave_silent_seconds: LEAVE_SECONDS,
      // Messages without a route use the first one anyway.
      connectors: CONNECTORS.filter((name) => name !== alone && chance() < 0.6)
        .concat(alone)
        .map((connector) => ({
          connector,
          priority: Math.floor(chance() * 2),
          price: this.#pick([0.01, 0.02, null]),
        })),
    };
  }

  /** Changes something at a process; fulfilled when it has answered or is gone. */
  async change(url: string): Promise<void> {
    const listed = await this.#call<{ routes: Route[] }>(url, 'GET', '/routes');
    if (!listed) return;
    const added = listed.routes.filter(({ id }) => id !== null);
    const { chance } = this.#pair;
    const at = added.length === 0 ? 0 : chance();
    const route = `/routes/${added.length > 0 && this.#pick(added).id}`;
    const changed =
      at < 0.4 && added.length < MAX_ROUTES
        ? await this.#call(url, 'POST', '/routes', this.#wish())
        : at < 0.55
          ? await this.#call(url, 'DELETE', route)
          : at < 0.75
            ? await this.#call(url, 'PATCH', route, {
                before: this.#pick([...added.map(({ id }) => id), null]),
              })
            : await this.#call(url, 'PATCH', route, this.#wish());
    if (changed) this.done++;
  }

  /** Changes routes at both processes, kills one of them meanwhile, and waits for both. Returns the windows that may be doubled. */
  async round(): Promise<number> {
    const { members, network, others, chance, accept } = this.#pair;
    const networks = [network, ...others];
    const fault = this.#pick(faults);
    fault.begin(this.#pick(networks), chance);
    const killed = this.#pick(members);
    const killAt = Math.floor(chance() * CHANGES);
    let back: Promise<void> | undefined;
    for (let n = 0; n < CHANGES; n++) {
      const { program } = n === killAt ? killed : this.#pick(members);
      const change = this.change(program.url);
      if (n === killAt) {
        // The change is on its way: it reads the routes first.
        await this.#pair.last(chance() * 40);
        back = killed.restart();
      }
      await change;
    }
    await back;
    await this.#pair.last(fault.lastMs);
    for (const one of networks) behave(one);
    await accept(100);
    // Each of the connectors may have had a window on the wire.
    return networks.length + fault.cuts;
  }
}

/** Changes routes while two processes send over three carriers, and kills one of them in each round. */
export async function runRouteChanges(options: MachineOptions): Promise<MachineResult> {
  let changes: RouteChanges | undefined;
  const { rows, failures } = await runPair(options, {
    what: 'kills',
    others: CONNECTORS.length - 1,
    sourceOf: (from) => SENDERS[(from / 10) % SENDERS.length]!,
    async prepare(pair) {
      changes = new RouteChanges(pair);
      await changes.prepare();
    },
    round: () => changes!.round(),
  });
  return {
    rows: {
      ...rows,
      changes: changes?.done ?? 0,
      'over added connectors': changes?.elsewhere ?? 0,
    },
    failures: [...failures, ...(changes?.strange ?? [])],
  };
}
