import type { CarrierListener } from '../../engine/carriers/carrier.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Exchange } from '../http/exchange.ts';
import { isId, waitOf } from './answer.ts';
import type { HttpDescription } from './description.ts';
import { CarrierDocument } from './document.ts';
import { compileLocator } from './locator.ts';
import { polls } from './metrics.ts';
import { type PollDescription, type PollKind, type PollRequest, pollKinds } from './poll-settings.ts';
import { compileNotices, type NoticeReader } from './reports.ts';
import { type CarrierRequest, compileRequest } from './request.ts';
import type { HttpCarrierSettings } from './settings.ts';
import type { TemplateValues } from './template.ts';

/** Maximum characters of a cursor, and ids that one request acknowledges. */
const MAX_CURSOR = 500;
const MAX_IDS = 1_000;
/** Pause after an answer with items if there may be more, in milliseconds. */
const MORE_MS = 1_000;
/** Maximum pause after failures in milliseconds. */
const MAX_PAUSE_MS = 900_000;
/** Milliseconds until the items of an answer must be stored. */
const STORE_MS = 60_000;

/** How far the answers of a provider were stored. `url` is the address of the poll in its description. */
export interface CursorStore {
  read(connector: string, kind: string, url: string): Promise<string | undefined>;
  /** Resolves when the cursor is durable. */
  write(connector: string, kind: string, url: string, cursor: string): Promise<void>;
}

interface PollerDeps {
  /** Name of the connector. */
  readonly name: string;
  readonly kind: PollKind;
  readonly poll: PollDescription;
  readonly secrets: Readonly<Record<string, string>>;
  /** Authentication of the requests that send messages. */
  readonly auth: HttpDescription['send']['auth'];
  readonly read: NoticeReader;
  readonly listener: Pick<CarrierListener, 'receipt' | 'incoming'>;
  readonly cursors: CursorStore;
  readonly log: Logger;
  /** Makes a request with the authentication of the provider. Never throws. */
  readonly ask: (write: (authorization?: string) => CarrierRequest) => Promise<Exchange>;
}

/** Values of a poll: the cursor, and the ids to acknowledge. */
type PollValues = { readonly cursor: string; readonly ids?: readonly string[] };

/** A failed poll, with what its log entry tells. */
class PollFailed extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, options: { cause?: unknown; afterMs?: number | undefined } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.afterMs = options.afterMs;
  }
}

/**
 * Asks a provider for reports or incoming messages. The cursor moves, and the items are acknowledged, only after they are stored, so a
 * poll that fails or a process that ends in between gets them again. It runs where the connector is held.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #write: PollWriter;
  readonly #acknowledge: PollWriter | undefined;
  readonly #readCursor: ((document: CarrierDocument) => string | undefined) | undefined;
  readonly #readIds: ((document: CarrierDocument) => string[]) | undefined;
  /** Ends the wait under way. */
  #giveUp: ((reason: PollFailed) => void) | undefined;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** Undefined until it is read. */
  #cursor: string | undefined;
  #failures = 0;

  constructor(deps: PollerDeps) {
    const { poll, secrets, auth } = deps;
    this.#deps = deps;
    this.#write = compilePoll(poll, secrets, auth);
    this.#acknowledge = poll.acknowledge && compilePoll(poll.acknowledge, secrets, auth);
    if (poll.cursor) {
      const at = compileLocator(poll.cursor.at);
      this.#readCursor = (document) => at(document).findLast(isCursor);
    }
    if (poll.acknowledge?.ids !== undefined) {
      const at = compileLocator(poll.acknowledge.ids);
      // They are joined by commas.
      this.#readIds = (document) => at(document).filter((one) => isId(one) && !one.includes(','));
    }
  }

  /** Polls immediately, and then regularly. */
  start(): void {
    this.#next(0);
  }

  /** Polls no more. The next holder of the connector reads the items of a poll under way again. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#giveUp?.(new PollFailed('stopped'));
  }

  #next(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.#poll().then((pauseMs) => this.#next(pauseMs));
    }, afterMs);
  }

  /** Makes a poll, and returns the milliseconds until the next one. */
  async #poll(): Promise<number> {
    const { name: link, kind, log, poll } = this.#deps;
    const everyMs = poll.every * 1_000;
    try {
      const { count, mayHaveMore } = await this.#fetch();
      polls.inc({ link, kind, result: count > 0 ? 'stored' : 'empty' });
      if (this.#failures > 0) log.info({ kind }, 'provider polled again');
      this.#failures = 0;
      return count > 0 && mayHaveMore ? Math.min(MORE_MS, everyMs) : everyMs;
    } catch (error) {
      if (this.#isStopped) return everyMs;
      polls.inc({ link, kind, result: 'failed' });
      if (this.#failures++ === 0) log.warn({ kind, err: error }, 'provider not polled');
      const pauseMs = Math.min(MAX_PAUSE_MS, everyMs * 2 ** Math.min(this.#failures - 1, 10));
      const asked = error instanceof PollFailed ? (error.afterMs ?? 0) : 0;
      return Math.max(pauseMs, asked);
    }
  }

  async #fetch(): Promise<{ readonly count: number; readonly mayHaveMore: boolean }> {
    const { name, kind, poll, cursors, read, log } = this.#deps;
    if (poll.cursor)
      this.#cursor ??= (await this.#within(cursors.read(name, kind, poll.url))) ?? poll.cursor.first;
    const cursor = this.#cursor ?? '';
    const document = await this.#ask(this.#write, { cursor });
    const { receipts, incoming, unreadable } = read(document, kind);
    if (unreadable > 0) log.warn({ kind, unreadable }, 'reports or messages of a provider could not be read');
    await this.#within(
      Promise.all([
        ...receipts.map((one) => this.#deps.listener.receipt(one)),
        ...incoming.map((one) => this.#deps.listener.incoming(one)),
      ]),
    );
    const moved = this.#readCursor?.(document);
    const isMoved = moved !== undefined && moved !== cursor;
    if (isMoved) {
      await this.#within(cursors.write(name, kind, poll.url, moved));
      this.#cursor = moved;
    }
    const count = receipts.length + incoming.length;
    const ids = this.#readIds?.(document).slice(0, MAX_IDS);
    const hasSome = ids ? ids.length > 0 : count > 0;
    if (this.#acknowledge && hasSome)
      await this.#ask(this.#acknowledge, { cursor: moved ?? cursor, ...(ids && { ids }) });
    return { count, mayHaveMore: isMoved || (this.#acknowledge !== undefined && hasSome) };
  }

  /** Returns the answer to a request. */
  async #ask(write: PollWriter, values: PollValues): Promise<CarrierDocument> {
    const answer = await this.#deps.ask((authorization) => write(values, authorization));
    if (this.#isStopped) throw new PollFailed('stopped');
    if (answer.kind === 'broken')
      throw new PollFailed(answer.status > 0 ? `HTTP ${answer.status}, incomplete` : 'no answer', {
        ...(answer.error && { cause: answer.error }),
      });
    if (answer.status < 200 || answer.status > 299) {
      const [after] = new CarrierDocument(answer).header('retry-after');
      throw new PollFailed(`HTTP ${answer.status}`, { afterMs: waitOf(after) });
    }
    return new CarrierDocument(answer);
  }

  /** Waits for the database, at most a minute and until the poller stops. */
  async #within<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#giveUp = reject;
    const timer = setTimeout(() => reject(new PollFailed('not stored in time')), STORE_MS);
    // A failure after the wait has been told already.
    work.catch(() => {});
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
      this.#giveUp = undefined;
    }
  }
}

/** Creates a poller for each kind of poll of a description, without starting it. */
export function createPollers(
  { name, description, secrets }: HttpCarrierSettings,
  deps: Pick<PollerDeps, 'listener' | 'cursors' | 'log' | 'ask'>,
): Poller[] {
  const read = compileNotices(description);
  const { auth } = description.send;
  return pollKinds.flatMap((kind) => {
    const poll = description.poll?.[kind];
    return poll ? [new Poller({ ...deps, name, kind, poll, secrets, auth, read })] : [];
  });
}

type PollWriter = (values: PollValues, authorization?: string) => CarrierRequest;

/**
 * Compiles a request of a poll.
 *
 * @throws DescriptionError for an invalid address
 */
export function compilePoll(
  { method, url, query, headers, body }: PollRequest,
  secrets: Readonly<Record<string, string>>,
  auth: HttpDescription['send']['auth'],
): PollWriter {
  const write = compileRequest({ send: { method, url, query, headers, body, auth } }, secrets);
  return ({ cursor, ids = [] }, authorization) => {
    const values: TemplateValues = {
      valueOf: (name) => (name === 'cursor' ? cursor : name === 'ids' ? ids.join(',') : ''),
      secretOf: (name) => secrets[name] ?? '',
    };
    return write([values], authorization);
  };
}

/** Whether a value can be a cursor: a header can contain it. */
const isCursor = (value: string): boolean => /^[\x20-\x7e]+$/.test(value) && value.length <= MAX_CURSOR;
