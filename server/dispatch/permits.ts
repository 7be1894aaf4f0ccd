import type { Context } from '../context.ts';
import { lanes } from '../messages/lanes.ts';
import type { CapCounter } from '../sending-policy/caps.ts';
import type { SendingGate } from '../sending-policy/gate.ts';
import type { SendingPolicies } from '../sending-policy/sending-policies.ts';
import { ownCodes } from '../statuses.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';

/** Why a message is not submitted when its turn comes. */
export interface Hold {
  /** From when on it may be, in milliseconds since the epoch; Infinity: it may not. */
  readonly until: number;
  /** Of `ownCodes`. */
  readonly code: string;
}

export interface PermitsDeps extends Pick<Context, 'clock'> {
  readonly sendingPolicies: Pick<SendingPolicies, 'refresh'>;
  readonly sendingGate: SendingGate;
  readonly capCounter: Pick<CapCounter, 'admit'>;
}

/**
 * Holds messages to the sending policies of their accounts just before they are submitted: of every channel, whenever and
 * however they came here. One-time codes are not looked at.
 */
export class Permits {
  readonly #deps: PermitsDeps;

  constructor(deps: PermitsDeps) {
    this.#deps = deps;
  }

  /** Whether messages of an account are counted before they go. */
  hasCaps(accountId: number): boolean {
    return this.#deps.sendingGate.hasCaps(accountId);
  }

  /** Why a message is not to be submitted at `now` (milliseconds since the epoch); undefined: it is. */
  holdOf(message: DueMessage, now: number): Hold | undefined {
    if (message.hold) return message.hold;
    if (message.batch.lane === lanes.otp) return undefined;
    const from = this.#deps.sendingGate.of(sendOf(message))?.from(message.destination, now) ?? now;
    return from > now ? { until: from, code: ownCodes.sendingHours } : undefined;
  }

  /** Reads the policies anew where that is time: before messages are read that they hold. */
  async refresh(): Promise<void> {
    await this.#deps.sendingPolicies.refresh();
  }

  /** Counts messages that were read for the caps of their accounts, and marks those that are over one. */
  async count(batches: readonly LoadedBatch[]): Promise<void> {
    const { clock, sendingGate, capCounter } = this.#deps;
    const now = clock.now();
    const counted = batches.filter(({ accountId, lane }) => lane !== lanes.otp && this.hasCaps(accountId));
    for (const [accountId, mine] of Map.groupBy(counted, (batch) => batch.accountId)) {
      const messages = mine.flatMap((batch) => batch.messages);
      const capped = messages.filter(
        (message) => sendingGate.capsOf(sendOf(message)).length > 0 && !this.holdOf(message, now),
      );
      if (capped.length === 0) continue;
      const over = await capCounter.admit(
        accountId,
        sendingGate.capsOf(sendOf(capped[0]!)),
        capped.map(({ id, destination, batch }) => ({ id, recipient: destination, channel: batch.channel })),
      );
      const waits = sendingGate.overCapOf(accountId) === 'wait';
      for (const message of capped) {
        const until = over.get(message.id);
        if (until === undefined) continue;
        message.hold = { until: waits ? until : Number.POSITIVE_INFINITY, code: ownCodes.frequencyCap };
      }
    }
  }
}

const sendOf = ({ accountId, rule, batch }: DueMessage) => ({
  accountId,
  isCampaign: batch.lane === lanes.bulk,
  rule,
});
