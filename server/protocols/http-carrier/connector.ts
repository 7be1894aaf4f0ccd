import { Agent } from 'undici';
import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../engine/carriers/carrier.ts';
import { Throttle } from '../../engine/carriers/throttle.ts';
import { allowedOf, ReadyTimer, untilIdle } from '../../engine/carriers/waits.ts';
import type { Clock } from '../../kit/clock.ts';
import { type ConnectorFault, connectorFault, connectorFaultOf } from '../../kit/connector-faults.ts';
import { createSsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { status as statuses } from '../../kit/statuses.ts';
import { type Exchange, exchange } from '../http/exchange.ts';
import type { Verdict } from './answer.ts';
import { compileVerdicts } from './batch.ts';
import { type CallReader, callReader, type HttpMessage } from './call.ts';
import { Gatherer } from './gatherer.ts';
import {
  batchMessages,
  inFlightGauge,
  providerParts,
  providerPrice,
  submitSeconds,
  submits,
} from './metrics.ts';
import { type CursorStore, createPollers, type Poller } from './poller.ts';
import { type ExchangeRecorder, recordedExchange } from './recording.ts';
import { type CarrierRequest, compileRequest, type RequestWriter } from './request.ts';
import { compileSigner, type RequestSigner } from './send-signature.ts';
import { type HttpCarrierSettings, requestsOrigin } from './settings.ts';
import { DescriptionError } from './template.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { valuesOf } from './values.ts';

/** Maximum bytes of an answer, and of each message of a batch in addition. */
const MAX_ANSWER = 256 * 1024;
const MAX_RESULT = 1_024;
/** Milliseconds to connect, TLS included. */
const CONNECT_MS = 10_000;
/**
 * Milliseconds that an idle connection is used again, whatever the provider offers. A request over a connection that the provider
 * is closing has an unknown outcome, and few servers close one so soon.
 */
const KEEP_ALIVE_MS = 4_000;
/** Pause after the provider could not be reached or refused the account, in milliseconds; it doubles up to the maximum. */
const FIRST_DOWN_MS = 1_000;
const MAX_DOWN_MS = 30_000;
/** Our codes of messages without a code of the provider. */
const NOT_ENCODED = 'REQUEST';

interface HttpConnectorDeps {
  /** Keeps how far polls came. */
  readonly cursors: CursorStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Address of this service for others, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Permits providers in private networks, in addition to the setting of the connector. */
  readonly allowPrivate: boolean;
  /** Stores the exchanges of test messages. */
  readonly exchanges?: ExchangeRecorder;
}

/** How a submitted message ended, or that the provider accepts nothing now. */
type Sent =
  | SubmitOutcome
  | { readonly kind: 'down'; readonly fault: ConnectorFault; readonly afterMs: number };

/** A submitted message. */
interface Submitted {
  readonly message: HttpMessage;
  readonly settle: (outcome: SubmitOutcome) => void;
}

/**
 * Carrier for a provider with an HTTP interface. It sends one request for each message, or for a batch of them, at the rate that the
 * provider was seen to accept. A request that was sent and has no readable answer is not repeated, unless the provider recognizes
 * repeated requests.
 */
export class HttpConnector implements NewCarrier {
  readonly name: string;
  readonly window: number;
  readonly #settings: HttpCarrierSettings;
  readonly #deps: HttpConnectorDeps;
  readonly #log: Logger;
  readonly #agent: Agent;
  readonly #write: RequestWriter;
  readonly #read: ReturnType<typeof compileVerdicts>;
  /** Collects the messages of batches; undefined if a request has one message. */
  readonly #gatherer: Gatherer<Submitted> | undefined;
  readonly #tokens: Tokens | undefined;
  readonly #sign: RequestSigner | undefined;
  /** Converts calls; undefined for SMS. */
  readonly #readCall: CallReader | undefined;
  readonly #throttle: Throttle;
  readonly #wake = new ReadyTimer(() => this.#listener?.ready());
  readonly #stopped = new AbortController();
  #listener: CarrierListener | undefined;
  #pollers: readonly Poller[] = [];
  #inFlight = 0;
  #fault: ConnectorFault | undefined;
  /** Time until which nothing is sent, in monotonic milliseconds, and the length of that pause. */
  #downUntil = 0;
  #downMs = 0;

  constructor(settings: HttpCarrierSettings, deps: HttpConnectorDeps) {
    const { name, window, description, secrets, timeoutMs, messagesPerSecond } = settings;
    this.name = name;
    this.window = window;
    this.#settings = settings;
    this.#deps = deps;
    this.#log = deps.log.child({ link: name });
    this.#write = compileRequest(description, secrets);
    this.#read = compileVerdicts(description);
    const { batch } = description.send;
    this.#tokens = tokensOf(description, secrets, { timeoutMs, clock: deps.clock });
    this.#sign = compileSigner(description, secrets);
    if (description.channel === 'voice') this.#readCall = callReader(settings);
    if (batch)
      this.#gatherer = new Gatherer({
        ...{
          max: batch.max,
          waitMs: batch.wait,
          send: (items: readonly Submitted[]) => this.#submitAll(items),
        },
      });
    this.#throttle = new Throttle(messagesPerSecond, performance.now());
    const allowPrivate = settings.allowPrivate || deps.allowPrivate;
    const { connect } = createSsrfGuard({ allowPrivate }, Math.min(CONNECT_MS, timeoutMs));
    this.#agent = new Agent({
      ...{ connect, connections: window, pipelining: 1 },
      ...{ keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS },
    });
  }

  get up(): boolean {
    return this.#listener !== undefined && performance.now() >= this.#downUntil;
  }

  get fault(): ConnectorFault | undefined {
    return this.#fault;
  }

  start(listener: CarrierListener): void {
    this.#listener = listener;
    listener.ready();
    this.#pollers = createPollers(this.#settings, {
      ...{ listener, cursors: this.#deps.cursors, log: this.#log },
      ask: (write) => this.#ask(write),
    });
    for (const poller of this.#pollers) poller.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#listener = undefined;
    this.#wake.cancel();
    if (graceMs > 0) this.#gatherer?.flush();
    for (const poller of this.#pollers) poller.stop();
    await untilIdle(() => this.#inFlight, graceMs);
    this.#stopped.abort();
    // Returns messages that nobody sent.
    this.#gatherer?.flush();
    // Wait until the outcomes of the aborted requests are reported.
    while (this.#inFlight > 0) await new Promise(setImmediate);
    await this.#agent.destroy();
  }

  limit(perSecond: number): void {
    this.#throttle.limit(perSecond, performance.now());
    this.#wake.cancel();
    this.#listener?.ready();
  }

  capacity(): number {
    if (!this.#listener) return 0;
    const free = this.window - this.#inFlight;
    // After a pause one message at a time tests the provider.
    const room = this.#fault ? Math.min(free, 1 - this.#inFlight) : free;
    return allowedOf(room, this.#throttle, this.#wake, { notBefore: this.#downUntil });
  }

  submit(given: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    const message = this.#readCall?.(given as Parameters<CallReader>[0]) ?? (given as HttpMessage);
    if ('kind' in message) {
      submits.inc({ link: this.name, outcome: message.kind });
      settle(message);
      return;
    }
    this.#count(1);
    this.#throttle.take(performance.now());
    // The record of a test message must have no message of others.
    if (this.#gatherer && message.options?.test === undefined) this.#gatherer.add({ message, settle });
    else void this.#submitAll([{ message, settle }]);
  }

  /** Sends messages in one request, or more if it is refused as a whole, and settles them. Never rejects. */
  async #submitAll(items: readonly Submitted[]): Promise<void> {
    const sent = await this.#send(items.map(({ message }) => message)).catch((error: unknown): Sent[] => {
      // A fault of this program must not stop messages to others, and its messages may have been sent.
      this.#log.error({ err: error }, 'answer of the provider not processed');
      return items.map(() => this.#unanswered(false));
    });
    this.#count(-items.length);
    const all = items.map(({ settle }, at) => ({ settle, sent: sent[at]! }));
    // A message that the provider accepts ends a fault, so results with a fault come last.
    const isDown = (one: { readonly sent: Sent }) => one.sent.kind === 'down';
    for (const one of [...all.filter((other) => !isDown(other)), ...all.filter(isDown)]) {
      const outcome = this.#judge(one.sent);
      submits.inc({ link: this.name, outcome: outcome.kind });
      one.settle(outcome);
    }
    this.#listener?.ready();
  }

  /** Returns the outcomes in the order of the messages. */
  async #send(messages: readonly HttpMessage[]): Promise<Sent[]> {
    const all = (sent: Sent): Sent[] => messages.map(() => sent);
    if (this.#stopped.signal.aborted) return all({ kind: 'again' });
    // Messages of a batch were gathered before the pause began.
    if (this.#fault && performance.now() < this.#downUntil) return all(down(this.#fault));
    const began = performance.now();
    const authorization = await this.#tokens?.authorization(this.#agent, this.#stopped.signal);
    const now = this.#deps.clock.now();
    if (authorization && 'failed' in authorization) {
      await this.#record(messages[0]!, authorization.failed, { now, began });
      return all(tokenFault(authorization.failed));
    }
    const valid = messages.filter(({ validUntil }) => validUntil > now);
    const sent = valid.length === 0 ? [] : await this.#sendValid(valid, now, authorization?.header);
    const sentOf = new Map(valid.map((message, at) => [message, sent[at]!]));
    return messages.map((message) => sentOf.get(message) ?? { kind: 'expired' });
  }

  async #sendValid(
    messages: readonly HttpMessage[],
    now: number,
    authorization: string | undefined,
  ): Promise<Sent[]> {
    const all = (sent: Sent): Sent[] => messages.map(() => sent);
    const { secrets, description } = this.#settings;
    const origin = requestsOrigin(this.#settings, this.#deps.publicUrl());
    const values = messages.map((message) => valuesOf(message, { secrets, origin, now }));
    const request = written(() => this.#write(values, authorization));
    if (!request) return all({ kind: 'refused', status: statuses.undelivered, code: NOT_ENCODED });
    const signed = this.#sign ? await this.#sign(request, now) : request;
    const began = performance.now();
    const answer = await this.#exchange(signed, messages.length);
    await this.#record(messages[0]!, answer, { now, began, authorization });
    if (answer.kind === 'broken') {
      if (!answer.sent) return all(down(answer.error ? connectorFaultOf(answer.error) : noConnection));
      if (answer.status < 400) return all(this.#unanswered(description.repeatable));
    }
    // The status of a refusal counts even if the connection broke after it.
    const body = answer.kind === 'answer' ? answer.body : '';
    const { each, isWhole } = await this.#read({ ...answer, body }, messages);
    // One message may be the reason that a batch is refused. Nothing of it was accepted, so its halves are sent.
    if (isWhole && messages.length > 1 && each[0]!.kind === 'refused') {
      const half = Math.ceil(messages.length / 2);
      const halves = [messages.slice(0, half), messages.slice(half)];
      return (await Promise.all(halves.map((some) => this.#send(some)))).flat();
    }
    return each.map((verdict) => this.#outcomeOf(verdict, description.repeatable));
  }

  /** Makes a request of a poll. */
  async #ask(write: (authorization?: string) => CarrierRequest): Promise<Exchange> {
    const { signal } = this.#stopped;
    const authorization = await this.#tokens?.authorization(this.#agent, signal);
    if (authorization && 'failed' in authorization)
      return { ...authorization.failed, kind: 'broken', sent: false };
    const request = write(authorization?.header);
    const signed = this.#sign ? await this.#sign(request, this.#deps.clock.now()) : request;
    const { timeoutMs } = this.#settings;
    const answer = await exchange(this.#agent, { ...signed, timeoutMs, longestAnswer: MAX_ANSWER, signal });
    if (answer.status === 401) this.#tokens?.forget();
    return answer;
  }

  async #exchange(request: CarrierRequest, messages: number): Promise<Exchange> {
    const { timeoutMs } = this.#settings;
    const began = performance.now();
    const { signal } = this.#stopped;
    const answer = await exchange(this.#agent, {
      ...{ ...request, timeoutMs, longestAnswer: MAX_ANSWER + messages * MAX_RESULT, signal },
    });
    if (this.#gatherer) batchMessages.observe({ link: this.name }, messages);
    if (answer.kind === 'answer')
      submitSeconds.observe({ link: this.name }, (performance.now() - began) / 1_000);
    return answer;
  }

  /** Records the exchange of a test message, or of the token without which it is not sent. Never throws. */
  async #record(
    message: OutgoingMessage<string>,
    answer: Exchange,
    { now, began, authorization }: { now: number; began: number; authorization?: string | undefined },
  ): Promise<void> {
    const { accountId, options } = message;
    const { exchanges, publicUrl } = this.#deps;
    if (options?.test === undefined || !exchanges) return;
    const isToken = this.#tokens !== undefined && authorization === undefined;
    const exchanged = { settings: this.#settings, message, answer, authorization, isToken };
    const milliseconds = Math.round(performance.now() - began);
    try {
      const record = await recordedExchange({ ...exchanged, publicUrl: publicUrl(), now, milliseconds });
      exchanges.record(accountId, options.test, record);
    } catch (error) {
      this.#log.warn({ err: error }, 'exchange of a test message not recorded');
    }
  }

  #outcomeOf(verdict: Verdict, isRepeatable: boolean): Sent {
    switch (verdict.kind) {
      case 'accepted':
        if (verdict.parts !== undefined) providerParts.inc({ link: this.name }, verdict.parts);
        if (verdict.price !== undefined) providerPrice.inc({ link: this.name }, verdict.price);
        return { kind: 'accepted', carrierIds: verdict.ids };
      case 'refused':
        return verdict;
      case 'throttled':
        this.#throttle.throttled(performance.now(), verdict.afterMs);
        return { kind: 'again' };
      case 'again': {
        const { code, afterMs, fault } = verdict;
        if (!fault) return { kind: 'retry', code, ...(afterMs !== undefined && { afterMs }) };
        this.#tokens?.forget();
        return down(connectorFault(fault, code), afterMs);
      }
      case 'unknown':
        return this.#unanswered(isRepeatable);
    }
  }

  /** The provider may have sent the message. */
  #unanswered(isRepeatable: boolean): SubmitOutcome {
    // Every repetition is recognized, so it need not wait long.
    return isRepeatable ? { kind: 'unknown', afterMs: FIRST_DOWN_MS } : { kind: 'unknown', isLast: true };
  }

  /** Updates rate and fault of the provider, and returns the outcome for the dispatcher. */
  #judge(sent: Sent): SubmitOutcome {
    const now = performance.now();
    if (sent.kind === 'down') {
      const wasUp = this.#fault === undefined;
      this.#fault = sent.fault;
      // Messages that were under way when the pause began, like the others of a batch, do not lengthen it.
      if (!wasUp && now < this.#downUntil) return { kind: 'again' };
      this.#downMs = Math.max(sent.afterMs, Math.min(MAX_DOWN_MS, this.#downMs * 2 || FIRST_DOWN_MS));
      this.#downUntil = now + this.#downMs;
      this.#wake.in(Math.ceil(this.#downMs));
      if (wasUp) this.#log.warn({ fault: sent.fault }, 'provider accepts nothing');
      return { kind: 'again' };
    }
    if (sent.kind === 'unknown' || sent.kind === 'expired') return sent;
    if (sent.kind !== 'again') this.#throttle.accepted(now);
    this.#fault = undefined;
    this.#downMs = 0;
    return sent;
  }

  #count(by: number): void {
    this.#inFlight += by;
    inFlightGauge.set({ link: this.name }, this.#inFlight);
  }
}

/** Returns the request that a function writes; undefined when a text of the message cannot be a header. */
function written(write: () => CarrierRequest): CarrierRequest | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof DescriptionError) return undefined;
    throw error;
  }
}

const noConnection = connectorFault('timeout', 'no connection in time');
const down = (fault: ConnectorFault, afterMs = 0): Sent => ({ kind: 'down', fault, afterMs });

/** Returns the fault of a request for a token: no message was sent. */
function tokenFault(failed: Exchange): Sent {
  if (failed.kind === 'broken' && failed.error) return down(connectorFaultOf(failed.error));
  const isRefused = failed.status >= 400 && failed.status < 500;
  return down(connectorFault(isRefused ? 'access' : 'other', `OAuth: HTTP ${failed.status}`));
}
