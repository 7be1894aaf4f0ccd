import { isDeepStrictEqual } from 'node:util';
import {
  type Carrier,
  type Connector,
  type ConnectorHolder,
  type ConnectorKind,
  connectorOf,
  type NewCarrier,
} from '../carriers/carrier.ts';
import { type ConnectorPart, wholeConnector } from '../carriers/parts.ts';
import type { CarrierNetwork } from './network.ts';

/** What is in flight over a connector that is changed, disabled or removed has this long to be answered. */
const GRACE_MS = 9_000;

interface ChangingConnectorsOptions<Settings> {
  readonly network: CarrierNetwork;
  readonly kind: ConnectorKind;
  /** The settings of those that there are to be. */
  readonly wanted: () => readonly Settings[];
  readonly create: (settings: Settings) => NewCarrier;
  /** Maximum messages per second: a change of it needs no other session. */
  readonly limitOf: (settings: Settings) => number;
  /** Settings with another limit. */
  readonly withLimit: (settings: Settings, limit: number) => Settings;
  /** How several processes divide a connector. Without it, one process holds it. */
  readonly parts?: {
    /** Maximum number of parts. */
    readonly maxOf: (settings: Settings) => number;
    /** Settings of a part: its share of the sessions, the window and the limit. */
    readonly of: (settings: Settings, part: ConnectorPart) => Settings;
  };
}

/** Connectors that are kept as the network has them. */
interface Changing {
  readonly initial: readonly Connector[];
  start(holder: ConnectorHolder): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the connectors of a channel with several protocols, as the channel declares them. */
export const joined = (...all: readonly Changing[]) => ({
  connectors: all.flatMap(({ initial }) => initial),
  changing: {
    async start(holder: ConnectorHolder) {
      await Promise.all(all.map((one) => one.start(holder)));
    },
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  },
});

/** A connector with its settings, and its carrier while it is open. */
interface Known<Settings> {
  settings: Settings;
  carrier?: Carrier;
  part: ConnectorPart;
}

/** Keeps the connectors of a channel as the network has them, while the dispatcher runs. */
export class ChangingConnectors<Settings extends { readonly name: string }> {
  readonly #options: ChangingConnectorsOptions<Settings>;
  readonly #known = new Map<string, Known<Settings>>();
  /** Connectors that the dispatcher starts with. */
  readonly initial: readonly Connector[];
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
      known.settings = settings;
      known.carrier?.limit?.(limitOf(this.#partOf(settings, known.part)));
      return;
    }
    if (known) await this.#remove(name);
    this.#holder?.addConnector(this.#create(settings), kind);
  }

  async #remove(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#holder?.removeConnector(name, GRACE_MS);
  }

  #partOf(settings: Settings, part: ConnectorPart): Settings {
    return this.#options.parts?.of(settings, part) ?? settings;
  }

  #create(settings: Settings): Connector {
    const { name } = settings;
    const { create, parts } = this.#options;
    const known: Known<Settings> = { settings, part: wholeConnector };
    this.#known.set(name, known);
    return connectorOf({ name, maxParts: parts?.maxOf(settings) ?? 1 }, (part) => {
      const carrier = create(this.#partOf(known.settings, part));
      known.carrier = carrier;
      known.part = part;
      return carrier;
    });
  }
}
