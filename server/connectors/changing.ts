import { isDeepStrictEqual } from 'node:util';
import type { Carrier, ConnectorHolder, ConnectorKind } from '../carriers/carrier.ts';
import type { CarrierNetwork } from './network.ts';

/** What is in flight over a connector that is changed, disabled or removed has this long to be answered. */
const GRACE_MS = 9_000;

interface ChangingConnectorsOptions<Settings> {
  readonly network: CarrierNetwork;
  readonly kind: ConnectorKind;
  /** The settings of those that there are to be. */
  readonly wanted: () => readonly Settings[];
  readonly create: (settings: Settings) => Carrier;
  /** What a connector may be given in a second: it is changed without another session. */
  readonly limitOf: (settings: Settings) => number;
  /** Settings with another limit. */
  readonly withLimit: (settings: Settings, limit: number) => Settings;
}

/** Keeps the connectors of a channel as the network has them, while the dispatcher runs. */
export class ChangingConnectors<Settings extends { readonly name: string }> {
  readonly #options: ChangingConnectorsOptions<Settings>;
  readonly #known = new Map<string, { settings: Settings; readonly carrier: Carrier }>();
  /** Those that there are when the dispatcher is made. */
  readonly initial: readonly Carrier[];
  #holder: ConnectorHolder | undefined;
  #unwatch: (() => void) | undefined;

  constructor(options: ChangingConnectorsOptions<Settings>) {
    this.#options = options;
    this.initial = options.wanted().map((settings) => this.#create(settings));
  }

  async start(holder: ConnectorHolder): Promise<void> {
    this.#holder = holder;
    this.#unwatch = this.#options.network.watch(() => this.#follow());
    // What changed since they were created.
    await this.#follow();
  }

  async stop(): Promise<void> {
    this.#unwatch?.();
    this.#holder = undefined;
  }

  async #follow(): Promise<void> {
    const wanted = new Map(this.#options.wanted().map((settings) => [settings.name, settings]));
    const gone = [...this.#known.keys()].filter((name) => !wanted.has(name));
    await Promise.all([
      ...gone.map(async (name) => {
        await this.#remove(name);
        await this.#options.network.forget(name);
      }),
      ...[...wanted.values()].map((settings) => this.#keep(settings)),
    ]);
  }

  async #keep(settings: Settings): Promise<void> {
    const { name } = settings;
    const known = this.#known.get(name);
    if (known && isDeepStrictEqual(known.settings, settings)) return;
    const { limitOf, withLimit, kind } = this.#options;
    const limit = limitOf(settings);
    if (known && isDeepStrictEqual(withLimit(known.settings, limit), settings)) {
      known.carrier.limit?.(limit);
      known.settings = settings;
      return;
    }
    if (known) await this.#remove(name);
    this.#holder?.addConnector(this.#create(settings), kind);
  }

  async #remove(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#holder?.removeConnector(name, GRACE_MS);
  }

  #create(settings: Settings): Carrier {
    const carrier = this.#options.create(settings);
    this.#known.set(settings.name, { settings, carrier });
    return carrier;
  }
}
