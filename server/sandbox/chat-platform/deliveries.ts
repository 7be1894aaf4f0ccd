import type { Clock } from '../../kit/clock.ts';
import { statusError } from './errors.ts';
import type { NotifiedNumber, Notifier } from './notifier.ts';
import type { SandboxPlatformBehaviour } from './options.ts';
import type { ChatPhones } from './phones.ts';
import type { ReadSend } from './sends.ts';
import type { SimulatedOutcome } from './simulated-outcomes.ts';
import { Timeline } from './timeline.ts';

/** A message under way to its phone. */
interface InTransit {
  readonly id: string;
  readonly number: NotifiedNumber;
  readonly send: ReadSend;
  readonly outcome: SimulatedOutcome;
}

interface DeliveriesOptions {
  readonly clock: Clock;
  readonly phones: ChatPhones;
  readonly notifier: Notifier;
  readonly behaviour: () => SandboxPlatformBehaviour;
}

/** Delivers messages to their phones, and reports their statuses. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #sending = new Timeline<InTransit>();
  readonly #delivering = new Timeline<InTransit>();
  readonly #reading = new Timeline<InTransit>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Number of messages under way. */
  get length(): number {
    return this.#sending.length + this.#delivering.length + this.#reading.length;
  }

  /** Time of the next step; Infinity when nothing is under way. */
  get nextAt(): number {
    return Math.min(this.#sending.nextAt, this.#delivering.nextAt, this.#reading.nextAt);
  }

  add(transit: InTransit, now: number): void {
    this.#sending.add(transit, now + this.#options.behaviour().sentDelayMs);
  }

  /** Performs the steps that are due at `now`. */
  work(now: number): void {
    for (const transit of this.#sending.take(now)) this.#send(transit, now);
    for (const transit of this.#delivering.take(now)) this.#deliver(transit, now);
    for (const transit of this.#reading.take(now)) this.#read(transit);
  }

  #send(transit: InTransit, now: number): void {
    if (transit.outcome.kind === 'failed') {
      this.#tell(transit, 'failed');
      return;
    }
    const { reversedStatuses, deliveredDelayMs } = this.#options.behaviour();
    if (!reversedStatuses) this.#tell(transit, 'sent');
    this.#delivering.add(transit, now + deliveredDelayMs);
  }

  #deliver(transit: InTransit, now: number): void {
    const { phones } = this.#options;
    const { reads, readDelayMs, reversedStatuses, keepsMessages } = this.#options.behaviour();
    phones.count++;
    if (keepsMessages) {
      const { id, number, send } = transit;
      const { to, replyTo, template, content } = send;
      const at = new Date(now).toISOString();
      phones.keep(to, { id, from: number.number, ...content, replyTo, template, at });
    }
    if (!reversedStatuses) this.#tell(transit, 'delivered');
    if (reads || reversedStatuses) this.#reading.add(transit, now + readDelayMs);
  }

  #read(transit: InTransit): void {
    const { reads, reversedStatuses } = this.#options.behaviour();
    if (reads) this.#tell(transit, 'read');
    if (!reversedStatuses) return;
    this.#tell(transit, 'delivered');
    this.#tell(transit, 'sent');
  }

  #tell({ id, number, send, outcome }: InTransit, status: 'sent' | 'delivered' | 'read' | 'failed'): void {
    if (outcome.kind === 'silent') return;
    const isPaid = status === 'sent' || status === 'delivered';
    this.#options.notifier.tell({
      field: 'statuses',
      number,
      item: {
        id,
        status,
        timestamp: seconds(this.#options.clock.now()),
        ...recipientOf(send.to),
        biz_opaque_callback_data: send.reference === '' ? undefined : send.reference,
        pricing: isPaid ? pricingOf(send.category) : undefined,
        errors: outcome.kind === 'failed' ? [statusError(outcome.code)] : undefined,
      },
    });
  }
}

const recipientOf = (to: string): object =>
  /^\d+$/.test(to) ? { recipient_id: to } : { recipient_user_id: to };

/** Formats a time as the platform does: seconds since the epoch. */
export const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1_000));

function pricingOf(category: string): object {
  const free = category === 'service';
  return {
    billable: !free,
    pricing_model: 'PMP',
    type: free ? 'free_customer_service' : 'regular',
    category,
  };
}
