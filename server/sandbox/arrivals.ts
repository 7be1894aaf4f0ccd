import type { PhoneFeed } from '../engine/live/hub.ts';
import { displayNumber } from '../kit/numbers/phone-numbers.ts';
import type { Mailboxes } from './mail/mailboxes.ts';

/** Number of the latest arrivals kept, of all phones and mailboxes together. */
const MAX_KEPT = 500;

export const arrivalKinds = ['sms', 'chat', 'call', 'mail'] as const;
type ArrivalKind = (typeof arrivalKinds)[number];

/** An item that a simulated phone or mailbox received. */
interface Shown {
  /** Increasing number, for paging. */
  readonly seq: number;
  /** Id of the item in its phone or mailbox. */
  readonly id: string;
  readonly kind: ArrivalKind;
  /** Phone number in its usual spelling, or email address. */
  readonly to: string;
  readonly from: string;
  /** Subject of an email; null for other kinds. */
  readonly subject: string | null;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

interface Kept {
  readonly seq: number;
  readonly kind: ArrivalKind;
  /** Reads the item, parsing an email when it is first listed. Undefined when it is no longer kept. */
  readonly read: () => Promise<Shown | undefined>;
}

interface ArrivalQuery {
  readonly kind?: ArrivalKind | undefined;
  /** Part of the recipient, the sender, the subject or the text, in lower case. */
  readonly search?: string | undefined;
  /** Only items before this `seq`. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The listed properties of a phone's message. */
interface PhoneItem {
  readonly id: string;
  readonly from: string;
  readonly text?: string;
  readonly body?: string;
}

/** List of the latest items received by all simulated phones and mailboxes. */
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

  /** Returns items, newest first, and the start of the next page; null on the last page. */
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
