import { EventEmitter } from 'node:events';
import { readIncoming } from '../../carriers/smpp/incoming.ts';
import type { DataPdu, MessagePdu } from '../../carriers/smpp/pdu.ts';

/** An SMS as the phone shows it. */
export interface PhoneSms {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** When it arrived, as an ISO 8601 time. */
  readonly at: string;
}

interface Unfinished {
  readonly id: string;
  readonly texts: string[];
  missing: number;
}

const keptPerNumber = 200;
const keptNumbers = 100_000;
const keptUnfinished = 10_000;

/**
 * The simulated phones: what arrived at each number, parts put together. Keeps the last 200 messages of the
 * 100,000 numbers that last got one. Emits `arrived` with the number and the message.
 */
export class Phones extends EventEmitter<{ arrived: [number: string, sms: PhoneSms] }> {
  /** Parts that arrived since the start, kept or not. */
  parts = 0;
  readonly #sms = new Map<string, PhoneSms[]>();
  readonly #unfinished = new Map<string, Unfinished>();

  /** What arrived at the number (international digits), oldest first. */
  list(number: string): readonly PhoneSms[] {
    return this.#sms.get(number) ?? [];
  }

  /** Takes one submitted part for the phone; `now` in milliseconds since the epoch. */
  receive(pdu: MessagePdu | DataPdu, id: string, now: number): void {
    const incoming = readIncoming(pdu, 'gsm');
    if (incoming.kind === 'unreadable') return;
    if (incoming.kind === 'whole') {
      const { from, to, text } = incoming.message;
      this.#keep(to, { id, from, text, at: new Date(now).toISOString() });
      return;
    }
    const { from, to, text, reference, total, sequence } = incoming.part;
    const key = `${from}\n${to}\n${reference}\n${total}`;
    const unfinished = this.#unfinished.get(key) ?? { id, texts: [], missing: total };
    if (unfinished.texts[sequence - 1] === undefined) unfinished.missing--;
    unfinished.texts[sequence - 1] = text;
    if (unfinished.missing > 0) {
      this.#unfinished.set(key, unfinished);
      dropOldest(this.#unfinished, keptUnfinished);
      return;
    }
    this.#unfinished.delete(key);
    const whole = unfinished.texts.join('');
    this.#keep(to, { id: unfinished.id, from, text: whole, at: new Date(now).toISOString() });
  }

  #keep(number: string, sms: PhoneSms): void {
    const list = this.#sms.get(number) ?? [];
    list.push(sms);
    if (list.length > keptPerNumber) list.shift();
    // Put last, so that the first number is always the one that has been silent for longest.
    this.#sms.delete(number);
    this.#sms.set(number, list);
    dropOldest(this.#sms, keptNumbers);
    this.emit('arrived', number, sms);
  }
}

function dropOldest(map: Map<string, unknown>, kept: number): void {
  if (map.size <= kept) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= kept) return;
  }
}
