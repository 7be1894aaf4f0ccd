import type { Law } from '../../carriers/sip/g711.ts';
import { wavOfCodes } from './recording.ts';

/** A call that a simulated phone answered. */
export interface HeardCall {
  /** The Call-ID. */
  readonly id: string;
  readonly from: string;
  /** When it began to ring, in milliseconds since the epoch. */
  readonly at: number;
  readonly answeredAt: number;
  /** From the answer to the end. */
  readonly seconds: number;
  /** Who hung up. */
  readonly ended: 'caller' | 'callee';
  /** What was heard, made when it is asked for. */
  readonly wav: Buffer;
}

const KEPT_PER_PHONE = 50;
/** Of all recordings together. */
const KEPT_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly number: string;
  readonly call: HeardCall;
  readonly bytes: number;
}

/** What simulated phones heard: the last 50 calls of each, and of all as many as 64 MiB hold. */
export class HeardCalls {
  readonly #byPhone = new Map<string, Kept[]>();
  /** In the order in which they ended. */
  readonly #all = new Set<Kept>();
  #bytes = 0;

  /** Calls that the number answered and that are over, oldest first. */
  list(number: string): readonly HeardCall[] {
    return (this.#byPhone.get(number) ?? []).map(({ call }) => call);
  }

  keep(number: string, call: Omit<HeardCall, 'wav'>, heard: { law: Law; codes: Buffer }): void {
    const kept: Kept = {
      number,
      // What an entry weighs without its audio, roughly.
      bytes: heard.codes.length + 500,
      call: {
        ...call,
        get wav() {
          return wavOfCodes(heard);
        },
      },
    };
    const calls = this.#byPhone.get(number) ?? [];
    calls.push(kept);
    this.#byPhone.set(number, calls);
    this.#all.add(kept);
    this.#bytes += kept.bytes;
    if (calls.length > KEPT_PER_PHONE) this.#drop(calls[0]!);
    for (const oldest of this.#all) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(kept: Kept): void {
    this.#all.delete(kept);
    this.#bytes -= kept.bytes;
    const left = this.#byPhone.get(kept.number)!.filter((one) => one !== kept);
    if (left.length > 0) this.#byPhone.set(kept.number, left);
    else this.#byPhone.delete(kept.number);
  }
}
