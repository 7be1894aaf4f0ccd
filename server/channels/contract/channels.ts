import type { Channel } from './channel.ts';

/** The channels of the service. What stands below the channels gets it handed in (context.ts). */
export class Channels implements Iterable<Channel> {
  readonly #all: Channel[];

  /** @param all in the order in which APIs and the console name them */
  constructor(all: readonly Channel[]) {
    this.#all = [...all];
  }

  add(channel: Channel): void {
    this.#all.push(channel);
  }

  [Symbol.iterator](): Iterator<Channel> {
    return this.#all[Symbol.iterator]();
  }

  /** The channel with this id. Throws for an id that no channel has. */
  of(id: number): Channel {
    const channel = this.#all.find((candidate) => candidate.id === id);
    if (!channel) throw new Error(`no channel has the id ${id}`);
    return channel;
  }

  /** The channel with this name. Throws for a name that no channel has. */
  named(name: string): Channel {
    const channel = this.#all.find((candidate) => candidate.name === name);
    if (!channel) throw new Error(`no channel has the name ${name}`);
    return channel;
  }

  /** The channel of a route, or of a connector that is one: by what its name begins with. Names of the operator are of texts. */
  ofRoute(route: string): Channel {
    const named = this.#all.find(({ connectors: { prefix } }) => prefix !== '' && route.startsWith(prefix));
    return named ?? this.of(TEXT_CHANNEL);
  }
}

/** Ids of the channels of sends to phones: of their texts, and of their calls (engine/messages/calls.ts). */
export const TEXT_CHANNEL = 0;
export const CALL_CHANNEL = 3;
