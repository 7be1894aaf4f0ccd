import { type RowsBeside, rowsBeside } from '../../database/rows-beside.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { FIRST_LOOK_MS, SCHEDULED_LOOK_MS } from './looks.ts';
import { fallbacksBeside, type NewFallback, stepsBeside } from './rows.ts';
import type { FallbackInput, FallbackSender, FallbackTerms, FirstSend } from './sender.ts';

/** A requested fallback. */
export interface AskedFallback {
  /** Id of the other channel. */
  readonly channel: number;
  readonly afterMs: number;
  readonly input: FallbackInput;
}

/** A send with its channel and its terms. */
interface Send extends FirstSend, FallbackTerms {
  /** Ids of the channels by which each recipient receives a message. */
  readonly channels: readonly number[];
  /** Start, in milliseconds since the epoch; null for now. */
  readonly dueAt: number | null;
}

/** Content of `fallbacks.content`, as JSON. */
export interface StoredContent extends FallbackTerms {
  /** Written and read by the sender of the channel. */
  readonly content: unknown;
}

/**
 * Fallbacks of sends: a message that fails or is not delivered in time is sent once more by another channel
 * (docs/decisions/0052-fallback-channel.md). Each channel that can do it adds its sender.
 */
export class Fallbacks {
  readonly #clock: Context['clock'];
  readonly #senders = new Map<number, FallbackSender>();

  constructor({ clock }: Pick<Context, 'clock'>) {
    this.#clock = clock;
  }

  /** Adds the sender of a channel, by the id of the channel; before anything runs. */
  add(channel: number, sender: FallbackSender): void {
    this.#senders.set(channel, sender);
  }

  /** Returns the sender of a channel; undefined for a channel that sends no fallbacks. */
  senderOf(channel: number): FallbackSender | undefined {
    return this.#senders.get(channel);
  }

  /**
   * Checks a requested fallback and returns the rows that are stored with its shipment. Throws Refusal with a field of
   * `fallback`.
   */
  async read({ channel, afterMs, input }: AskedFallback, send: Send): Promise<readonly RowsBeside[]> {
    const { accountId, international, rule, channels, dueAt } = send;
    const sender = this.#senders.get(channel);
    if (!sender) throw badField('fallback.channel', 'cannot replace messages', 'unknown');
    if (channels.length > 1) throw badField('fallback', 'this send uses two channels already', 'one-of-both');
    if (channels[0] === channel)
      throw badField('fallback.channel', 'must be another channel than that of the send', 'repeated');
    const content = await inFallback(() => sender.read(input, send));
    const stored: StoredContent = { content, international, rule };
    const now = this.#clock.now();
    const row = {
      ...{ accountId, channel, afterMs, now },
      content: JSON.stringify(stored),
      // Its time may be changed: the first look finds out.
      lookAt: Math.min(Math.max(now, dueAt ?? now) + FIRST_LOOK_MS, now + SCHEDULED_LOOK_MS),
    };
    const rows = ({ id }: { readonly id: number }): NewFallback[] => [{ ...row, shipmentId: id }];
    return [rowsBeside(fallbacksBeside, rows), rowsBeside(stepsBeside, rows)];
  }
}

/** Runs the checks of a sender. A Refusal that they throw names a field of `fallback`. */
async function inFallback<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.at(error.path === undefined ? 'fallback' : `fallback.${error.path}`);
  }
}
