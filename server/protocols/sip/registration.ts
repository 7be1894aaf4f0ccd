import type { Authenticator } from './authenticator.ts';
import type { Endpoint, NewRequest } from './endpoint.ts';
import { Headers, newCallId, newTag, type SipResponse } from './message.ts';
import type { Flow } from './transport.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Fraction of the granted time after which the registration is renewed. */
const RENEW_AT = 0.8;
/** Milliseconds to wait for the registrar when the service stops. */
const LEAVE_MS = 1_000;

interface RegistrationOptions {
  readonly endpoint: Endpoint;
  readonly flow: () => Flow;
  readonly credentials: Authenticator | undefined;
  /** Registrar, like `sip:example.com`, and our address of record there. */
  readonly registrar: string;
  readonly address: string;
  readonly contact: string;
  readonly seconds: number;
  /** Called when the registration starts or stops being valid. */
  readonly onChange: (holds: boolean, reason: string) => void;
}

/** Keeps a trunk informed of our address (RFC 3261, 10.2). */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #callId = newCallId();
  readonly #tag = newTag();
  #sequence = 0;
  #seconds: number;
  #pause = FIRST_PAUSE_MS;
  #holds = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#seconds = options.seconds;
  }

  get holds(): boolean {
    return this.#holds;
  }

  /** Registers, and keeps the registration until `stop`. Does not wait for the first answer. */
  start(): void {
    void this.#register();
  }

  /** Removes the registration. Waits at most a second for the registrar. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (!this.#holds) return;
    this.#holds = false;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, LEAVE_MS);
    });
    await Promise.race([this.#ask(0), patience]);
    clearTimeout(timer);
  }

  async #register(): Promise<void> {
    const answer = await this.#ask(this.#seconds);
    if (this.#isStopped) return;
    if (typeof answer !== 'string' && answer.status < 300) {
      this.#pause = FIRST_PAUSE_MS;
      this.#change(true, '200');
      this.#again(grantedSeconds(answer, this.#seconds) * 1_000 * RENEW_AT);
      return;
    }
    // The registrar may demand longer intervals (10.3).
    const shortest =
      typeof answer !== 'string' && answer.status === 423 ? Number(answer.headers.get('Min-Expires')) : 0;
    if (shortest > this.#seconds && shortest <= 86_400) this.#seconds = shortest;
    this.#change(false, typeof answer === 'string' ? answer : String(answer.status));
    this.#again(this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }

  #change(holds: boolean, reason: string): void {
    const changed = holds !== this.#holds;
    this.#holds = holds;
    if (changed || !holds) this.#options.onChange(holds, reason);
  }

  #again(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#register(), milliseconds);
  }

  #ask(seconds: number): Promise<SipResponse | 'timeout' | 'transport'> {
    const { endpoint, flow, credentials } = this.#options;
    return endpoint.ask(() => this.#request(seconds), flow, credentials);
  }

  #request(seconds: number): NewRequest {
    const { registrar, address, contact } = this.#options;
    const headers = new Headers()
      .add('Max-Forwards', '70')
      .add('From', `<${address}>;tag=${this.#tag}`)
      .add('To', `<${address}>`)
      .add('Call-ID', this.#callId)
      .add('CSeq', `${++this.#sequence} REGISTER`)
      .add('Contact', contact)
      .add('Expires', String(seconds));
    return { method: 'REGISTER', uri: registrar, headers };
  }
}

/** Returns the seconds that the registrar granted: for our Contact, else for the whole answer, else as requested. */
function grantedSeconds({ headers }: SipResponse, asked: number): number {
  const inContact = headers
    .list('Contact')
    .map((contact) => Number(/;\s*expires\s*=\s*"?(\d{1,9})/i.exec(contact)?.[1] ?? 0))
    .filter((seconds) => seconds > 0);
  const given = inContact.length > 0 ? Math.min(...inContact) : Number(headers.get('Expires') ?? asked);
  return given >= 1 && given <= 86_400 ? given : asked;
}
