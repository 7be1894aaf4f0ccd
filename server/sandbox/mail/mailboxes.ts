import { EventEmitter } from 'node:events';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import { WorkerTask } from '../../worker-task.ts';
import { Inbox } from '../inbox.ts';
import type { MailText } from './mailbox-mail.ts';

/** Octets of all mails that are kept. */
const MAX_KEPT = 32 * 1024 * 1024;

/** A megabyte of line breaks takes the parser 11 s. */
const READ_MS = 60_000;
const MAX_WAITING = 1_000;

/** A mail as its reader has it. */
export interface MailboxMail extends MailText {
  readonly id: string;
  /** When it arrived, as an ISO 8601 time. */
  readonly at: string;
  /** Its size as it arrived. */
  readonly bytes: number;
}

interface Kept {
  readonly id: string;
  readonly at: string;
  /** Dropped for newer ones when there is too much of it. */
  raw: Buffer | null;
}

/** The simulated mailboxes, as long as an `Inbox` keeps their mails. Emits `arrived` with the address and the mail's id. */
export class Mailboxes extends EventEmitter<{ arrived: [address: string, id: string] }> {
  /** Mails that arrived since the start, kept or not. */
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

  /** What arrived at an address, oldest first. */
  async list(address: string): Promise<MailboxMail[]> {
    const kept = this.#inbox.list(keyOf(address));
    return Promise.all(
      kept.flatMap(({ id, at, raw }) =>
        raw ? this.#reader.run(raw).then((mail) => ({ id, ...mail, at, bytes: raw.length })) : [],
      ),
    );
  }

  /** One of the mails of an address; undefined when it is not kept any more. */
  async read(address: string, id: string): Promise<MailboxMail | undefined> {
    const { raw, at } = this.#find(address, id) ?? {};
    return raw && at ? { id, ...(await this.#reader.run(raw)), at, bytes: raw.length } : undefined;
  }

  /** One of the mails of an address as it arrived; undefined when it is not kept any more. */
  source(address: string, id: string): Buffer | undefined {
    return this.#find(address, id)?.raw ?? undefined;
  }

  #find(address: string, id: string): Kept | undefined {
    return this.#inbox.list(keyOf(address)).find((one) => one.id === id);
  }

  /** Takes a mail as it came; `now` in milliseconds since the epoch. */
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
    // Now and then, so that it costs nothing.
    if (this.#first > 10_000) this.#all.splice(0, this.#first);
    if (this.#first > 10_000) this.#first = 0;
  }
}

const keyOf = (address: string) => readMailAddress(address)?.key ?? address.toLowerCase();
