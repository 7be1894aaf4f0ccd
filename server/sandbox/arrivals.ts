import type { PhoneFeed } from '../live/hub.ts';
import { displayNumber } from '../numbers/numbers.ts';
import type { Mailboxes } from './mail/mailboxes.ts';

/** So many of the latest are kept, of all phones and mailboxes together. */
const MAX_KEPT = 500;

export const arrivalKinds = ['sms', 'chat', 'call', 'mail'] as const;
type ArrivalKind = (typeof arrivalKinds)[number];

/** Something that a simulated phone or mailbox received. */
interface Shown {
  /** Counts up, so that a page follows another. */
  readonly seq: number;
  /** That of the phone or the mailbox. */
  readonly id: string;
  readonly kind: ArrivalKind;
  /** The number as it is written, or the address. */
  readonly to: string;
  readonly from: string;
  /** Of a mail. */
  readonly subject: string | null;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

interface Kept {
  readonly seq: number;
  readonly kind: ArrivalKind;
  /** Reads a mail when it is listed first. Undefined: it is not kept any more. */
  readonly read: () => Promise<Shown | undefined>;
}

interface ArrivalQuery {
  readonly kind?: ArrivalKind | undefined;
  /** A part of the recipient, the sender, the subject or the text, in small letters. */
  readonly search?: string | undefined;
  /** Only what came before this `seq`. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What of a phone's message is listed. */
interface PhoneItem {
  readonly id: string;
  readonly from: string;
  readonly text?: string;
  readonly body?: string;
}

/** The latest of everything that the simulated phones and mailboxes received, as one list. */
export class LatestArrivals {
  readonly #kept: Kept[] = [];
  #seq = 0;

  constructor(phones: PhoneFeed, mailboxes: Mailboxes) {
    phones.listen(({ phone, kind, at, item }) => {
      const { id, from, text, body } = item as PhoneItem;
      const to = displayNumber(phone);
      this.#keep(kind, (seq) => async () => ({
        seq,
        id,
        kind,
        to,
        from,
        subject: null,
        text: text ?? body ?? '',
        at,
      }));
    });
    mailboxes.on('arrived', (to, id) =>
      this.#keep('mail', (seq) => {
        let reading: Promise<Shown | undefined> | undefined;
        return () => {
          reading ??= mailboxes.read(to, id).then(
            (mail) =>
              mail && {
                seq,
                id,
                kind: 'mail',
                to,
                from: mail.from,
                subject: mail.subject,
                text: mail.text,
                at: mail.at,
              },
          );
          return reading;
        };
      }),
    );
  }

  /** The newest first, and where the following page begins; null when there is none. */
  async list({ kind, search, before, limit }: ArrivalQuery): Promise<{ rows: Shown[]; next: number | null }> {
    const rows: Shown[] = [];
    for (const kept of this.#kept.toReversed()) {
      if (before !== undefined && kept.seq >= before) continue;
      if (kind !== undefined && kept.kind !== kind) continue;
      const shown = await kept.read();
      if (shown === undefined || (search !== undefined && !holds(shown, search))) continue;
      if (rows.length === limit) return { rows, next: rows.at(-1)!.seq };
      rows.push(shown);
    }
    return { rows, next: null };
  }

  #keep(kind: ArrivalKind, readerOf: (seq: number) => Kept['read']): void {
    const seq = ++this.#seq;
    this.#kept.push({ seq, kind, read: readerOf(seq) });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }
}

const holds = ({ to, from, subject, text }: Shown, search: string): boolean =>
  [to, from, subject ?? '', text].some((part) => part.toLowerCase().includes(search));
