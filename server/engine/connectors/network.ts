import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../kit/context.ts';
import { Loop } from '../../kit/loop.ts';
import { type HttpCarrierSettings, httpTrunksOf, isForCalls } from '../../protocols/http-carrier/settings.ts';
import { type SipTrunkSettings, sipTrunkSettings } from '../../protocols/sip/settings.ts';
import { type SmppConnectorSettings, smppConnectorSettings } from '../../protocols/smpp/settings.ts';
import { type CarrierConfiguration, callRoutes, trunksOf } from '../carriers/configuration.ts';
import { ONLY_ROUTES, Routing } from '../carriers/routing.ts';
import { DeliveryQuality } from './delivery-quality.ts';
import { httpOf } from './http-connectors.ts';
import { inOrder } from './route-order.ts';
import {
  forgetState,
  type Protocol,
  readNetwork,
  type StoredConnector,
  type StoredNetwork,
} from './stored.ts';

/** How long a change by another process may stay unseen. */
const LOOK_MS = 1_000;

interface CarrierNetworkDeps extends Pick<Context, 'sql' | 'clock' | 'secrets' | 'log'> {
  /** What the settings have: these connectors and routes cannot be removed. */
  readonly configured: CarrierConfiguration;
}

/** Connectors and routes that are in effect. */
interface Effective {
  readonly connectors: readonly SmppConnectorSettings[];
  readonly http: readonly HttpCarrierSettings[];
  readonly trunks: readonly SipTrunkSettings[];
}

/**
 * The connectors and routes of the configuration, with what operators added and changed while the service runs. Every
 * process looks for changes once a second.
 */
export class CarrierNetwork {
  readonly routing: Routing;
  readonly quality: DeliveryQuality;
  readonly configured: CarrierConfiguration;
  readonly #deps: CarrierNetworkDeps;
  readonly #looks: Loop;
  readonly #listeners = new Set<() => Promise<void>>();
  #stored: StoredNetwork = { connectors: [], routes: [], retired: [], only: [], version: '' };
  #effective: Effective;
  #addedHttp: readonly HttpCarrierSettings[] = [];
  #telling: Promise<void> = Promise.resolve();

  constructor(deps: CarrierNetworkDeps) {
    const { configured, log } = deps;
    this.#deps = deps;
    this.configured = configured;
    this.#effective = configured;
    this.routing = new Routing(inOrder(configured.routes, []), callRoutes(trunksOf(configured)));
    this.quality = new DeliveryQuality({ ...deps, routing: this.routing });
    this.#looks = new Loop({
      owner: 'connectors and routes',
      everyMs: LOOK_MS,
      step: () => this.#look(),
      log,
      failed: 'connectors and routes could not be read',
    });
  }

  /** SMPP connectors that are enabled, those of the configuration first. */
  readonly connectors = (): readonly SmppConnectorSettings[] => this.#effective.connectors;

  /** Enabled connectors of SMS to providers with an HTTP interface. */
  readonly httpCarriers = (): readonly HttpCarrierSettings[] =>
    this.#effective.http.filter((one) => !isForCalls(one));

  /** Enabled connectors of calls to providers with an HTTP interface. */
  readonly httpTrunks = (): readonly HttpCarrierSettings[] => this.#effective.http.filter(isForCalls);

  /** Every connector of SMS and calls to a provider with an HTTP interface, also disabled ones: they still get reports. */
  readonly allHttpCarriers = (): readonly HttpCarrierSettings[] => [
    ...this.configured.http,
    ...this.#addedHttp,
  ];

  /** Every enabled connector of SMS. */
  readonly smsConnectors = (): readonly { readonly name: string; readonly messagesPerSecond: number }[] => [
    ...this.#effective.connectors,
    ...this.httpCarriers(),
  ];

  /** Every enabled trunk of calls: those over SIP, then those to providers with an HTTP interface. */
  readonly callTrunks = () => trunksOf(this.#effective);

  /** SIP trunks that are enabled, those of the configuration first. */
  readonly trunks = (): readonly SipTrunkSettings[] => this.#effective.trunks;

  /** Whether a connector, of any channel, is not disabled. */
  isEnabled(name: string): boolean {
    return isEnabledIn(this.#stored, name);
  }

  /** What an operator set a connector to take in a second, 0 without a limit; null: what its settings say. */
  limitOf(name: string): number | null {
    return rowOf(this.#stored, name)?.limit ?? null;
  }

  /** What operators added and changed. */
  get stored(): StoredNetwork {
    return this.#stored;
  }

  /**
   * Returns the route that has this connector alone, and opens it in every process within a second. Messages on it wait while the
   * connector is removed or disabled. Throws what `readNetwork` does.
   */
  async onlyRouteOf(connector: string): Promise<string> {
    if (!this.#stored.only.includes(connector)) {
      const { sql, clock } = this.#deps;
      await sql`
        INSERT INTO only_routes (connector, made_at) VALUES (${connector}, ${clock.now()})
        ON CONFLICT ON CONSTRAINT only_routes_pkey DO NOTHING`;
      await this.reload();
    }
    return ONLY_ROUTES + connector;
  }

  /** Forgets how a connector stood that was removed. */
  forget(name: string): Promise<void> {
    return forgetState(this.#deps.sql, name);
  }

  start(): void {
    this.#looks.start();
  }

  /** Looks no more; fulfilled when the listeners have done what they were told last, or `graceMs` (milliseconds) are over. */
  async stop(graceMs: number): Promise<void> {
    await this.#looks.stop();
    await Promise.race([this.#telling, pause(graceMs, undefined, { ref: false })]);
  }

  /**
   * Calls `changed` after each change, until the function that it returns is called: one change at a time. Changes are in
   * effect already.
   */
  watch(changed: () => Promise<void>): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async #look(): Promise<void> {
    await this.reload();
    await this.quality.keepUp();
  }

  /** Reads what is stored; a change is in effect in this process when this is fulfilled. Throws what `readNetwork` does. */
  async reload(): Promise<void> {
    const stored = await readNetwork(this.#deps);
    if (stored.version === this.#stored.version) return;
    this.#stored = stored;
    this.#addedHttp = this.#readHttp(stored);
    this.#effective = effectiveOf(this.configured, stored, this.allHttpCarriers());
    this.routing.update({
      routes: inOrder(this.configured.routes, stored.routes),
      // Those of a disabled trunk too: what it would take goes to another with the prefix, or waits.
      callRoutes: callRoutes([
        ...allTrunks(this.configured, stored),
        ...httpTrunksOf(this.allHttpCarriers()),
      ]),
      retired: stored.retired,
      only: stored.only,
    });
    this.#telling = this.#telling.then(() => this.#tell());
  }

  #readHttp(stored: StoredNetwork): HttpCarrierSettings[] {
    return addedOf(this.configured, stored, 'http').flatMap((row) => {
      const settings = httpOf(row);
      if (!settings)
        this.#deps.log.error({ link: row.name }, 'settings of an HTTP connector incomplete, it does not run');
      return settings ?? [];
    });
  }

  async #tell(): Promise<void> {
    for (const changed of this.#listeners) {
      await changed().catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'change of connectors not applied in this process');
      });
    }
  }
}

/** The settings of an added connector of SMS, as it runs. Throws ZodError. */
export const smppOf = ({ name, settings, password }: StoredConnector): SmppConnectorSettings =>
  smppConnectorSettings.parse({ ...settings, name, password: password ?? '' });

/** The settings of an added trunk, as it runs. Throws ZodError. */
export const sipOf = ({ name, settings, password }: StoredConnector): SipTrunkSettings =>
  sipTrunkSettings.parse({ ...settings, name, password: password ?? '' });

const rowOf = ({ connectors }: StoredNetwork, wanted: string) =>
  connectors.find(({ name }) => name === wanted);
const isEnabledIn = (stored: StoredNetwork, name: string) => rowOf(stored, name)?.isEnabled !== false;

const namesOf = ({ connectors, http, trunks }: CarrierConfiguration) =>
  new Set([...connectors, ...http, ...trunks].map(({ name }) => name));

/** Added connectors of a protocol. A name that the configuration took since is its own. */
const addedOf = (configured: CarrierConfiguration, { connectors }: StoredNetwork, wanted: Protocol) => {
  const names = namesOf(configured);
  return connectors.filter(({ name, protocol }) => protocol === wanted && !names.has(name));
};

const allTrunks = (configured: CarrierConfiguration, stored: StoredNetwork) => [
  ...configured.trunks,
  ...addedOf(configured, stored, 'sip').map(sipOf),
];

function effectiveOf(
  configured: CarrierConfiguration,
  stored: StoredNetwork,
  http: readonly HttpCarrierSettings[],
): Effective {
  const isEnabled = ({ name }: { readonly name: string }) => isEnabledIn(stored, name);
  const limitOf = (name: string, otherwise: number) => rowOf(stored, name)?.limit ?? otherwise;
  return {
    connectors: [...configured.connectors, ...addedOf(configured, stored, 'smpp').map(smppOf)]
      .filter(isEnabled)
      .map((one) => ({ ...one, messagesPerSecond: limitOf(one.name, one.messagesPerSecond) })),
    http: http
      .filter(isEnabled)
      .map((one) => ({ ...one, messagesPerSecond: limitOf(one.name, one.messagesPerSecond) })),
    trunks: allTrunks(configured, stored)
      .filter(isEnabled)
      .map((one) => ({ ...one, callsPerSecond: limitOf(one.name, one.callsPerSecond) })),
  };
}
