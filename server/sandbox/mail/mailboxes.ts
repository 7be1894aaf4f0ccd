import { EventEmitter } from 'node:events';
import PostalMime, { type Address } from 'postal-mime';
import { readMailAddress } from '../../mailing/addresses.ts';
import { Inbox } from '../inbox.ts';

/** Octets of all mails that are kept. */
const KEPT_MOST = 32 * 1024 * 1024;

/** A mail as its reader has it. */
export interface MailboxMail {
  readonly id: string;
  /** `Name <address>`, or the address. */
  readonly from: string;
  readonly subject: string;
  /** '' when it has none. */
  readonly text: string;
  readonly html: string;
  /** By their names in lower case; one that is there more than once has a line for each. */
  readonly headers: Readonly<Record<string, string>>;
  /** When it arrived, as an ISO 8601 time. */
  readonly at: string;
}

interface Kept {
  readonly id: string;
  readonly at: string;
  /** Dropped for newer ones when there is too much of it. */
  raw: Buffer | null;
}

/** The simulated mailboxes, as long as an `Inbox` keeps their mails. Emits `arrived` with the address. */
export class Mailboxes extends EventEmitter<{ arrived: [address: string] }> {
  /** Mails that arrived since the start, kept or not. */
  count = 0;
  readonly #inbox = new Inbox<Kept>();
  readonly #all: Kept[] = [];
  #first = 0;
  #octets = 0;

  /** What arrived at an address, oldest first. */
  async list(address: string): Promise<MailboxMail[]> {
    const kept = this.#inbox.list(keyOf(address));
    return Promise.all(kept.flatMap(({ id, at, raw }) => (raw ? readMail(id, at, raw) : [])));
  }

  /** Takes a mail as it came; `now` in milliseconds since the epoch. */
  receive(address: string, raw: Buffer, now: number): void {
    const kept: Kept = { id: `mail-${++this.count}`, at: new Date(now).toISOString(), raw };
    this.#inbox.keep(keyOf(address), kept);
    this.#all.push(kept);
    this.#octets += raw.length;
    while (this.#octets > KEPT_MOST) this.#drop();
    this.emit('arrived', address);
  }

  #drop(): void {
    const oldest = this.#all[this.#first++]!;
    this.#octets -= oldest.raw!.length;
    oldest.raw = null;
    // Now and then, so that it costs nothing.
    if (this.#first > 10_000) this.#all.splice(0, this.#first);
    if (this.#first > 10_000) this.#first = 0;
  }
}

const keyOf = (address: string) => readMailAddress(address)?.key ?? address.toLowerCase();

async function readMail(id: string, at: string, raw: Buffer): Promise<MailboxMail> {
  const mail = await PostalMime.parse(raw);
  const headers: Record<string, string> = {};
  for (const { key, value } of mail.headers) {
    headers[key] = key in headers ? `${headers[key]}\n${value}` : value;
  }
  return {
    id,
    from: nameOf(mail.from),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers,
    at,
  };
}

function nameOf(from: Address | undefined): string {
  if (!from || from.address === undefined) return '';
  return from.name === '' ? from.address : `${from.name} <${from.address}>`;
}
