import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Logger } from '../../kit/observability/log.ts';
import { Fifo } from '../../protocols/smpp/fifo.ts';
import type { SandboxPlatformBehaviour } from './options.ts';

/** A business number in notifications. */
export interface NotifiedNumber {
  readonly accountId: string;
  readonly phoneNumberId: string;
  readonly number: string;
}

/** An event to report. */
type Notice =
  | { readonly field: 'statuses'; readonly number: NotifiedNumber; readonly item: object }
  | {
      readonly field: 'messages';
      readonly number: NotifiedNumber;
      readonly item: object;
      readonly contact: object;
    }
  | {
      readonly field: 'message_template_status_update' | 'message_template_quality_update';
      readonly accountId: string;
      /** Seconds since the epoch. */
      readonly time: number;
      readonly item: object;
    };

/** The platform abandons a notification after seven days, the sandbox after about twenty minutes. */
const maxAttempts = 90;
const longestFactor = 64;
const answerMs = 10_000;
/** Notices within this many milliseconds share a request. */
const gatherMs = 5;
/** Maximum number of failed requests waiting for a retry; while it is reached, no new ones start. */
const maxRetries = 64;
/** Maximum number of notices waiting for a receiver. */
const maxWaiting = 1_000_000;

interface NotifierOptions {
  readonly appSecret: string;
  readonly log: Logger;
  readonly behaviour: () => SandboxPlatformBehaviour;
}

/** Sends notices to the callback address: grouped, signed, and repeated after a pause when they are not accepted. */
export class Notifier {
  /** Requests answered with 2xx, failed requests, and dropped notices. */
  readonly counts = { taken: 0, failed: 0, dropped: 0 };
  readonly #options: NotifierOptions;
  readonly #agent = new Agent({ connections: 16, headersTimeout: answerMs, bodyTimeout: answerMs });
  readonly #waiting = new Fifo<Notice>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #callbackUrl: string | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #underWay = 0;
  #closed = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Sets the destination of notices. */
  set callbackUrl(url: string | undefined) {
    this.#callbackUrl = url;
    this.#gather();
  }

  /** Whether nothing is waiting, under way or scheduled for a retry. */
  get idle(): boolean {
    return this.#waiting.length === 0 && this.#underWay === 0 && this.#retries.size === 0;
  }

  tell(notice: Notice): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#waiting.shift();
      this.counts.dropped++;
    }
    this.#waiting.push(notice);
    this.#gather();
  }

  /** Stops, even if notices are still waiting. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#gathering);
    for (const timer of this.#retries) clearTimeout(timer);
    await this.#agent.destroy();
  }

  #gather(): void {
    if (this.#callbackUrl === undefined || this.#closed || this.#waiting.length === 0) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#pump();
    }, gatherMs);
  }

  #pump(): void {
    const { webhookConnections, webhookBatch, webhookCopies } = this.#options.behaviour();
    while (this.#waiting.length > 0 && this.#underWay < webhookConnections && !this.#closed) {
      // While a receiver is down, its backlog stays notices, which are counted, instead of request bodies.
      if (this.#retries.size >= maxRetries) return;
      const notices: Notice[] = [];
      while (notices.length < webhookBatch && this.#waiting.length > 0) notices.push(this.#waiting.shift()!);
      const body = JSON.stringify(notificationOf(notices));
      for (let copy = 0; copy < webhookCopies; copy++) void this.#send(body, 0);
    }
  }

  async #send(body: string, attempt: number): Promise<void> {
    this.#underWay++;
    const taken = await this.#post(body);
    this.#underWay--;
    if (this.#closed) return;
    if (taken) this.counts.taken++;
    else {
      this.counts.failed++;
      this.#retryLater(body, attempt + 1);
    }
    this.#pump();
  }

  #retryLater(body: string, attempt: number): void {
    if (attempt >= maxAttempts) {
      this.counts.dropped++;
      this.#options.log.warn({ attempts: attempt }, 'the sandbox platform dropped a notification');
      return;
    }
    const pause = this.#options.behaviour().webhookRetryMs * Math.min(2 ** (attempt - 1), longestFactor);
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      void this.#send(body, attempt);
    }, pause);
    this.#retries.add(timer);
  }

  async #post(body: string): Promise<boolean> {
    try {
      const answer = await request(this.#callbackUrl!, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': this.sign(body) },
        body,
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  /** Returns `X-Hub-Signature-256` of a body. */
  sign(body: string): string {
    return `sha256=${createHmac('sha256', this.#options.appSecret).update(body).digest('hex')}`;
  }
}

/** Combines notices, in their order, to one notification: neighbours of one number share a change. */
function notificationOf(notices: readonly Notice[]): object {
  const entries: { id: string; time?: number; changes: object[] }[] = [];
  let last: Notice | undefined;
  let items: object[] = [];
  let contacts: object[] = [];
  for (const notice of notices) {
    if (!('number' in notice)) {
      const { accountId, time, field, item } = notice;
      entries.push({ id: accountId, time, changes: [{ field, value: item }] });
    } else if (last && 'number' in last && last.number === notice.number && last.field === notice.field) {
      items.push(notice.item);
      if (notice.field === 'messages') contacts.push(notice.contact);
    } else {
      const { field, number, item } = notice;
      items = [item];
      contacts = notice.field === 'messages' ? [notice.contact] : [];
      const value = {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: number.number, phone_number_id: number.phoneNumberId },
        ...(field === 'messages' && { contacts }),
        [field]: items,
      };
      entries.push({ id: number.accountId, changes: [{ value, field: 'messages' }] });
    }
    last = notice;
  }
  return { object: 'whatsapp_business_account', entry: entries };
}
