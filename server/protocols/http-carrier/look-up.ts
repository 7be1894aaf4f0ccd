import { Agent } from 'undici';
import type { MobileNetwork } from '../../engine/carriers/network-condition.ts';
import { untilIdle } from '../../engine/carriers/waits.ts';
import type { Clock } from '../../kit/clock.ts';
import { type ConnectorFault, connectorFault, connectorFaultOf } from '../../kit/connector-faults.ts';
import { createSsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { type Exchange, exchange } from '../http/exchange.ts';
import { waitOf } from './answer.ts';
import { compileCondition } from './condition.ts';
import { CarrierDocument } from './document.ts';
import { compileLocator, type Locator } from './locator.ts';
import type { LookUpDescription } from './look-up-description.ts';
import type { LookUpSettings } from './look-up-settings.ts';
import { compileRequest, type RequestWriter } from './request.ts';
import { compileSigner, type RequestSigner } from './send-signature.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { numberValues } from './values.ts';

const MAX_ANSWER = 64 * 1024;
/** Milliseconds that an idle connection is used again. */
const KEEP_ALIVE_MS = 4_000;
/** Pause after the provider could not be reached, refused the account or throttled, in milliseconds; it doubles up to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Requests without an answer that follow each other until nothing is looked up for a while. */
const MAX_SILENT = 5;
/** Longest time for which an answer may be valid, in seconds: 90 days. */
const MAX_VALID_SECONDS = 7_776_000;

/** Facts that a provider tells about a number. */
export interface NumberFacts {
  /** Null: it knows none. */
  readonly network: MobileNetwork | null;
  /** Null: it does not say. */
  readonly ported: boolean | null;
  readonly reachable: boolean | null;
  /** Milliseconds for which this is valid; undefined: as configured. */
  readonly validMs?: number | undefined;
}

/** The outcome of a look-up. */
export type LookUpResult =
  | ({ readonly kind: 'found' } & NumberFacts)
  /** The provider knows no network of the number. */
  | { readonly kind: 'unknown' }
  /** Nothing was learned. `fault` is why; undefined while the look-up pauses. */
  | { readonly kind: 'failed'; readonly fault?: ConnectorFault };

type Verdict =
  | Exclude<LookUpResult, { kind: 'failed' }>
  | {
      readonly kind: 'failed' | 'pause';
      readonly fault: ConnectorFault;
      readonly afterMs?: number | undefined;
    };

interface HttpLookUpDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Permits providers in private networks. */
  readonly allowPrivate: boolean;
}

/** Looks networks of numbers up at a provider with an HTTP interface. It pauses while the provider does not answer. */
export class HttpLookUp {
  readonly #settings: LookUpSettings;
  readonly #log: Logger;
  readonly #agent: Agent;
  readonly #write: RequestWriter;
  readonly #read: (document: CarrierDocument) => Verdict;
  readonly #sign: RequestSigner | undefined;
  readonly #tokens: Tokens | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #stopped = new AbortController();
  #inFlight = 0;
  #silent = 0;
  #fault: ConnectorFault | undefined;
  /** Time until which nothing is looked up, in monotonic milliseconds, and the length of that pause. */
  #pausedUntil = 0;
  #pauseMs = 0;

  constructor(settings: LookUpSettings, { clock, log, allowPrivate }: HttpLookUpDeps) {
    const { description, secrets, timeoutMs, window } = settings;
    this.#settings = settings;
    this.#log = log;
    this.#write = compileRequest(description, secrets);
    this.#read = compileLookUp(description);
    this.#sign = compileSigner(description, secrets);
    this.#clock = clock;
    this.#tokens = tokensOf(description, secrets, { timeoutMs, clock });
    const { connect } = createSsrfGuard({ allowPrivate }, timeoutMs);
    this.#agent = new Agent({
      ...{ connect, connections: window, pipelining: 1 },
      ...{ keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS },
    });
  }

  /** Why nothing is looked up now; undefined while it is. */
  get fault(): ConnectorFault | undefined {
    return this.#isPaused ? this.#fault : undefined;
  }

  /** Whether a request can begin: not during a pause, after which one request tests the provider. */
  get isReady(): boolean {
    return !this.#isPaused && (this.#fault === undefined || this.#inFlight === 0);
  }

  get #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /**
   * Looks a number (E.164 digits) up. Never rejects, and ends within the timeout of the settings, or twice of it when a new token is
   * needed.
   */
  async find(destination: string): Promise<LookUpResult> {
    if (!this.isReady) return { kind: 'failed' };
    this.#inFlight++;
    try {
      return this.#judge(await this.#ask(destination));
    } finally {
      this.#inFlight--;
    }
  }

  /** Aborts what is under way after `graceMs` milliseconds. */
  async stop(graceMs: number): Promise<void> {
    await untilIdle(() => this.#inFlight, graceMs);
    this.#stopped.abort();
    await this.#agent.destroy();
  }

  async #ask(destination: string): Promise<Verdict> {
    const { signal } = this.#stopped;
    const authorization = await this.#tokens?.authorization(this.#agent, signal);
    if (authorization && 'failed' in authorization)
      return { kind: 'pause', fault: connectorFault('access', `OAuth: HTTP ${authorization.failed.status}`) };
    const values = [numberValues(destination, this.#settings.secrets)];
    const request = this.#write(values, authorization?.header);
    const signed = this.#sign ? await this.#sign(request, this.#clock.now()) : request;
    const { timeoutMs } = this.#settings;
    const answer = await exchange(this.#agent, { ...signed, timeoutMs, longestAnswer: MAX_ANSWER, signal });
    return answer.kind === 'answer' ? this.#read(new CarrierDocument(answer)) : silent(answer);
  }

  #judge(verdict: Verdict): LookUpResult {
    if (verdict.kind === 'found' || verdict.kind === 'unknown') {
      this.#silent = 0;
      this.#pauseMs = 0;
      this.#fault = undefined;
      return verdict;
    }
    const { kind, fault, afterMs } = verdict;
    this.#silent++;
    if (kind === 'pause' || this.#silent >= MAX_SILENT || this.#fault) this.#pause(fault, afterMs);
    return { kind: 'failed', fault };
  }

  #pause(fault: ConnectorFault, afterMs = 0): void {
    if (this.#isPaused) return;
    if (!this.#fault) this.#log.warn({ fault }, 'networks of numbers cannot be looked up');
    if (fault.reason === 'access') this.#tokens?.forget();
    this.#fault = fault;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(afterMs, this.#pauseMs * 2, FIRST_PAUSE_MS));
    this.#pausedUntil = performance.now() + this.#pauseMs;
  }
}

const silent = ({ error }: Exchange & { kind: 'broken' }): Verdict => ({
  kind: 'failed',
  fault: error ? connectorFaultOf(error) : connectorFault('timeout', 'no answer in time'),
});

/** Compiles the answer of a description. */
export function compileLookUp({ answer }: LookUpDescription): (document: CarrierDocument) => Verdict {
  const rules = answer.rules.map((description) => ({
    matches: compileCondition(description.when),
    description,
    after: compileLocator(description.afterAt ?? 'header:retry-after'),
  }));
  const readNetwork = networkReader(answer);
  const [ported, reachable] = [answer.ported, answer.reachable].map(
    (condition) =>
      condition && { holds: compileCondition(condition), at: compileLocator(condition.at ?? '') },
  );
  const factOf = (fact: typeof ported, document: CarrierDocument) =>
    fact?.at(document).some((value) => value !== '') ? fact.holds(document) : null;
  const validSeconds = answer.validSeconds === undefined ? undefined : compileLocator(answer.validSeconds);
  return (document) => {
    const rule = rules.find(({ matches }) => matches(document));
    const fault = (reason: ConnectorFault['reason']) => connectorFault(reason, `HTTP ${document.status}`);
    if (!rule) return { kind: 'failed', fault: fault('other') };
    const { then, fault: reason } = rule.description;
    switch (then) {
      case 'found': {
        const seconds = Number(validSeconds?.(document)[0] ?? Number.NaN);
        const validMs = seconds > 0 ? Math.min(seconds, MAX_VALID_SECONDS) * 1_000 : undefined;
        const facts = { ported: factOf(ported, document), reachable: factOf(reachable, document), validMs };
        return { kind: 'found', network: readNetwork(document), ...facts };
      }
      case 'unknown':
        return { kind: 'unknown' };
      case 'throttled':
        return { kind: 'pause', fault: fault('rejected'), afterMs: waitOf(rule.after(document)[0]) };
      case 'again':
        return {
          kind: reason ? 'pause' : 'failed',
          fault: fault(reason ?? 'other'),
          afterMs: waitOf(rule.after(document)[0]),
        };
    }
  };
}

/** Returns a reader of the network. The reader returns null for an unreadable value. */
function networkReader({
  network,
  mcc,
  mnc,
}: LookUpDescription['answer']): (document: CarrierDocument) => MobileNetwork | null {
  const [whole, first, second] = [network, mcc, mnc].map(
    (place): Locator => (place === undefined ? () => [] : compileLocator(place)),
  );
  return (document) => {
    const text = whole!(document)[0] ?? `${first!(document)[0] ?? ''}-${second!(document)[0] ?? ''}`;
    const [, country, code] = /^(\d{3})[-_ ]?(\d{1,3})$/.exec(text) ?? [];
    // Some providers write the MNC as a number, without its zero.
    return country !== undefined && code !== undefined ? { mcc: country, mnc: code.padStart(2, '0') } : null;
  };
}
