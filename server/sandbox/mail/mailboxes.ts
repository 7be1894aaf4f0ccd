import { EventEmitter } from 'node:events';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import { WorkerTask } from '../../kit/worker-task.ts';
import { Inbox } from '../inbox.ts';
import type { MailText } from './mailbox-mail.ts';

/** Maximum octets of all kept emails. */
const MAX_KEPT = 32 * 1024 * 1024;

/** Timeout in milliseconds: the parser needs 11 s for a megabyte of line breaks. */
const READ_MS = 60_000;
const MAX_WAITING = 1_000;

/** An email as its reader sees it. */
export interface MailboxMail extends MailText {
  readonly id: string;
  /** Time of arrival (ISO 8601). */
  readonly at: string;
  /** Size of its source. */
  readonly bytes: number;
}

interface Kept {
  readonly id: string;
  readonly at: string;
  /** Null once it was dropped to make space for newer ones. */
  raw: Buffer | null;
}

/** The simulated mailboxes. Keep emails like an `Inbox`. Emits `arrived` with the address and the email's id. */
export class Mailboxes extends EventEmitter<{ arrived: [address: string, id: string] }> {
  /** Number of emails that arrived since the start, including those no longer kept. */
  count = 0;
  readonly #inbox = new Inbox<Kept>();
  readonly #all: Kept[] = [];
  #first = 0;
  #octets = 0;
  readonly #reader = new WorkerTask<Uint8Array, MailText>({
    module: new URL('mailbox-worker.ts', import.meta.url),
    limitMs: READ_MS,
    maxWaiting: MAX_WAITING,
  });

  /** Returns the emails of an address, oldest first. */
  async list(address: string): Promise<MailboxMail[]> {
    const kept = this.#inbox.list(keyOf(address));
    return Promise.all(
      kept.flatMap(({ id, at, raw }) =>
        raw ? this.#reader.run(raw).then((mail) => ({ id, ...mail, at, bytes: raw.length })) : [],
      ),
    );
  }

  /** Returns one email of an address; undefined when it is no longer kept. */
  async read(address: string, id: string): Promise<MailboxMail | undefined> {
    const { raw, at } = this.#find(address, id) ?? {};
    return raw && at ? { id, ...(await this.#reader.run(raw)), at, bytes: raw.length } : undefined;
  }

  /** Returns the source of one email of an address; undefined when it is no longer kept. */
  source(address: string, id: string): Buffer | undefined {
    return this.#find(address, id)?.raw ?? undefined;
  }

  #find(address: string, id: string): Kept | undefined {
    return this.#inbox.list(keyOf(address)).find((one) => one.id === id);
  }

  /** Stores the source of an email; `now` in milliseconds since the epoch. */
  receive(address: string, raw: Buffer, now: number): void {
    const kept: Kept = { id: `mail-${++this.count}`, at: new Date(now).toISOString(), raw };
    this.#inbox.keep(keyOf(address), kept);
    this.#all.push(kept);
    this.#octets += raw.length;
    while (this.#octets > MAX_KEPT) this.#drop();
    this.emit('arrived', address, kept.id);
  }

  #drop(): void {
    const oldest = this.#all[this.#first++]!;
    this.#octets -= oldest.raw!.length;
    oldest.raw = null;
    // Only now and then, so that its cost is negligible.
    if (this.#first > 10_000) this.#all.splice(0, this.#first);
    if (this.#first > 10_000) this.#first = 0;
  }
}

const keyOf = (address: string) => readMailAddress(address)?.key ?? address.toLowerCase();
