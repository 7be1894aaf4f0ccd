import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../../server/engine/carriers/carrier.ts';
import { status } from '../../../server/kit/statuses.ts';
import type { Notification } from './channel.ts';

const WINDOW = 50;
const TIMEOUT_MS = 10_000;

/** Hands notifications to the push service: `POST` with the device, the title and the body. */
export class PushConnector implements NewCarrier {
  readonly name: string;
  readonly window = WINDOW;
  readonly #url: string;
  readonly #gone: (device: string) => Promise<void>;
  #listener: CarrierListener | undefined;
  #inFlight = 0;

  constructor(name: string, url: string, gone: (device: string) => Promise<void>) {
    this.name = name;
    this.#url = url;
    this.#gone = gone;
  }

  get up(): boolean {
    return this.#listener !== undefined;
  }

  start(listener: CarrierListener): void {
    this.#listener = listener;
    listener.ready();
  }

  async stop(): Promise<void> {
    this.#listener = undefined;
  }

  capacity(): number {
    return this.up ? this.window - this.#inFlight : 0;
  }

  submit(message: OutgoingMessage<Notification>, settle: (outcome: SubmitOutcome) => void): void {
    this.#inFlight++;
    void this.#post(message).then(async (outcome) => {
      this.#inFlight--;
      settle(outcome);
      this.#listener?.ready();
      if (outcome.kind !== 'accepted') return;
      // The service answers when the device has it: that is a delivery receipt.
      await this.#listener?.receipt({
        carrierId: outcome.carrierIds[0]!,
        status: status.delivered,
        code: 'SHOWN',
        destination: message.destination,
      });
    });
  }

  async #post({ destination, payload }: OutgoingMessage<Notification>): Promise<SubmitOutcome> {
    let answer: Response;
    try {
      answer = await fetch(this.#url, {
        method: 'POST',
        body: JSON.stringify({ device: destination, ...payload }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      return { kind: 'unknown' };
    }
    const { id } = (await answer.json()) as { id?: string };
    if (answer.status === 410) await this.#gone(destination);
    if (answer.status === 410) return { kind: 'refused', status: status.undelivered, code: 'GONE' };
    if (id === undefined) return { kind: 'retry', code: String(answer.status) };
    return { kind: 'accepted', carrierIds: [id] };
  }
}
