import { type EncodedPart, joinParts } from '../../kit/text/charsets.ts';
import { readIncoming } from '../../protocols/smpp/incoming.ts';
import type { DataPdu, MessagePdu } from '../../protocols/smpp/pdu.ts';
import { dropOldest, SimulatedPhones } from '../inbox.ts';

/** An SMS in the phone's display. */
export interface PhoneSms {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** Time of arrival (ISO 8601). */
  readonly at: string;
}

/** An SMS that a phone sent. */
interface SentSms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /** ISO 8601 time. */
  readonly at: string;
}

interface Unfinished {
  readonly id: string;
  readonly parts: EncodedPart[];
  missing: number;
}

const keptUnfinished = 10_000;

/** The simulated phones: messages received by each number, assembled from their parts. */
export class Phones extends SimulatedPhones<PhoneSms, SentSms> {
  /** Number of parts that arrived since the start, including those no longer kept. */
  parts = 0;
  readonly #unfinished = new Map<string, Unfinished>();

  /** Receives one submitted part at the phone; `now` in milliseconds since the epoch. */
  receive(pdu: MessagePdu | DataPdu, id: string, now: number): void {
    const incoming = readIncoming(pdu, 'gsm');
    if (incoming.kind === 'whole') {
      const { from, to, text } = incoming.message;
      this.keep(to, { id, from, text, at: new Date(now).toISOString() });
      return;
    }
    const { from, to, reference, total, sequence } = incoming.part;
    const key = `${from}\n${to}\n${reference}\n${total}`;
    const unfinished = this.#unfinished.get(key) ?? { id, parts: [], missing: total };
    if (unfinished.parts[sequence - 1] === undefined) unfinished.missing--;
    unfinished.parts[sequence - 1] = incoming.part;
    if (unfinished.missing > 0) {
      this.#unfinished.set(key, unfinished);
      dropOldest(this.#unfinished, keptUnfinished);
      return;
    }
    this.#unfinished.delete(key);
    const { text } = joinParts(unfinished.parts);
    this.keep(to, { id: unfinished.id, from, text, at: new Date(now).toISOString() });
  }
}
