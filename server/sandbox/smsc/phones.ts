import { type EncodedPart, joinParts } from '../../kit/text/charsets.ts';
import { tag } from '../../protocols/smpp/commands.ts';
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
  /** Optional parameters of submit_sm that do not belong to the text: tags and values in hexadecimal. */
  readonly parameters?: readonly { readonly tag: string; readonly value: string }[];
}

/** An SMS that a phone sent. */
interface SentSms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /** ISO 8601 time. */
  readonly at: string;
}

interface Unfinished extends Pick<PhoneSms, 'id' | 'parameters'> {
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
      this.keep(to, { id, from, text, at: new Date(now).toISOString(), ...parametersOf(pdu) });
      return;
    }
    const { from, to, reference, total, sequence } = incoming.part;
    const key = `${from}\n${to}\n${reference}\n${total}`;
    const unfinished = this.#unfinished.get(key) ?? { id, parts: [], missing: total, ...parametersOf(pdu) };
    if (unfinished.parts[sequence - 1] === undefined) unfinished.missing--;
    unfinished.parts[sequence - 1] = incoming.part;
    if (unfinished.missing > 0) {
      this.#unfinished.set(key, unfinished);
      dropOldest(this.#unfinished, keptUnfinished);
      return;
    }
    this.#unfinished.delete(key);
    const { parts, missing: _missing, ...shown } = unfinished;
    const { text } = joinParts(parts);
    this.keep(to, { ...shown, from, text, at: new Date(now).toISOString() });
  }
}

const ofText: ReadonlySet<number> = new Set([
  tag.messagePayload,
  tag.sarMsgRefNum,
  tag.sarTotalSegments,
  tag.sarSegmentSeqnum,
]);

/** Returns the parameters to show; nothing for a message without any. */
function parametersOf({ tlvs }: MessagePdu | DataPdu): Pick<PhoneSms, 'parameters'> {
  const others = tlvs.filter((one) => !ofText.has(one.tag));
  if (others.length === 0) return {};
  return {
    parameters: others.map(({ tag: of, value }) => ({
      tag: `0x${of.toString(16).padStart(4, '0')}`,
      value: Buffer.from(value).toString('hex'),
    })),
  };
}
