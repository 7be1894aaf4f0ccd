import type { Law } from '../../protocols/sip/g711.ts';
import { wavOfCodes } from './recording.ts';

/** A call that a simulated phone answered. */
export interface HeardCall {
  /** The Call-ID. */
  readonly id: string;
  readonly from: string;
  /** Time at which it began to ring, in milliseconds since the epoch. */
  readonly at: number;
  readonly answeredAt: number;
  /** From the answer to the end. */
  readonly seconds: number;
  /** The side that hung up. */
  readonly ended: 'caller' | 'callee';
  /** The audio heard; encoded at each access. */
  readonly wav: Buffer;
}

const KEPT_PER_PHONE = 50;
/** Maximum bytes of all recordings together. */
const KEPT_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly number: string;
  readonly call: HeardCall;
  readonly bytes: number;
}

/** Calls that simulated phones heard: the last 50 of each phone, and at most 64 MiB in total. */
export class HeardCalls {
  readonly #byPhone = new Map<string, Kept[]>();
  /** In the order in which they ended. */
  readonly #all = new Set<Kept>();
  #bytes = 0;

  /** Returns the ended calls that the number answered, oldest first. */
  list(number: string): readonly HeardCall[] {
    return (this.#byPhone.get(number) ?? []).map(({ call }) => call);
  }

  keep(number: string, call: Omit<HeardCall, 'wav'>, heard: { law: Law; codes: Buffer }): void {
    const kept: Kept = {
      number,
      // Approximate size of an entry without its audio.
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
