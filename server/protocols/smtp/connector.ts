import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../engine/carriers/carrier.ts';
import { Throttle } from '../../engine/carriers/throttle.ts';
import { allowedOf, ReadyTimer, untilIdle } from '../../engine/carriers/waits.ts';
import { type ConnectorFault, connectorFaultOf, RecentFault } from '../../kit/connector-faults.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { Outage } from '../../kit/observability/outages.ts';
import { TlsPeer } from '../../kit/tls-faults.ts';
import { type DkimSettings, DkimSigner } from './dkim.ts';
import type { OutgoingMail } from './mail.ts';
import { judgeError, type RefusedStatuses, type SmtpError } from './outcomes.ts';
import type { RelaySettings } from './relay.ts';
import { RelayPool } from './relay-pool.ts';

/** The log has one of this many deferrals by the relay. */
const LOG_EVERY = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** A message as an email, or the reason why it must no longer be sent. */
export type ReadMail =
  | {
      readonly kind: 'mail';
      readonly mail: OutgoingMail;
      /** Called when the relay has accepted the email. */
      readonly taken?: () => void;
    }
  | { readonly kind: 'withheld'; readonly status: number; readonly code: string };

interface MailConnectorOptions {
  /** Name of the connector: the route of the relay. */
  readonly name: string;
  readonly log: Logger;
  /** Builds the email of a message. Rejects when that is impossible now. */
  readonly read: (message: OutgoingMessage) => Promise<ReadMail>;
  readonly refused: RefusedStatuses;
  /** Maximum number of emails under way. */
  readonly window: number;
  readonly dkim: DkimSettings | undefined;
}

/**
 * A mail relay as a connector of the dispatcher: a pool of SMTP connections that sends at the relay's rate, and slows
 * down when the relay asks for it.
 */
export class MailConnector implements NewCarrier {
  readonly name: string;
  readonly window: number;
  readonly #settings: RelaySettings;
  readonly #options: MailConnectorOptions;
  readonly #throttle: Throttle;
  readonly #tls: TlsPeer;
  readonly #signer: DkimSigner | undefined;
  #listener: CarrierListener | undefined;
  #pool: RelayPool | undefined;
  #inFlight = 0;
  /** Number of consecutive answers that ask to try again later. */
  #deferrals = 0;
  readonly #outage: Outage;
  readonly #fault = new RecentFault();
  /** There was no session with the relay; the next attempt is at this time, in monotonic milliseconds. */
  #awayUntil = 0;
  #tries = 0;
  readonly #wake = new ReadyTimer(() => this.#listener?.ready());

  constructor(settings: RelaySettings, options: MailConnectorOptions) {
    this.#settings = settings;
    this.#options = options;
    this.name = options.name;
    this.window = options.window;
    this.#signer = options.dkim && new DkimSigner(options.dkim);
    this.#tls = new TlsPeer(options.name, options.log);
    this.#outage = new Outage({
      kind: 'mail relay',
      log: options.log,
      gone: 'mail relay unavailable',
      back: 'mail relay available again',
    });
    this.#throttle = new Throttle(settings.mailsPerSecond, performance.now());
  }

  get up(): boolean {
    return this.#listener !== undefined;
  }

  get fault(): ConnectorFault | undefined {
    return this.#fault.current;
  }

  start(listener: CarrierListener): void {
    this.#pool = new RelayPool(this.#settings);
    this.#listener = listener;
    listener.ready();
  }

  async stop(graceMs: number): Promise<void> {
    this.#listener = undefined;
    this.#wake.cancel();
    await untilIdle(() => this.#inFlight, graceMs);
    this.#pool?.close();
    this.#pool = undefined;
  }

  capacity(): number {
    if (!this.up) return 0;
    const notBefore = this.#awayUntil;
    return allowedOf(this.window - this.#inFlight, this.#throttle, this.#wake, { notBefore });
  }

  limit(perSecond: number): void {
    this.#throttle.limit(perSecond, performance.now());
    this.#wake.cancel();
    this.#listener?.ready();
  }

  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    this.#inFlight++;
    this.#throttle.take(performance.now());
    void this.#send(message).then((outcome) => {
      this.#inFlight--;
      settle(outcome);
      this.#listener?.ready();
    });
  }

  async #send(message: OutgoingMessage): Promise<SubmitOutcome> {
    const { log, read, refused } = this.#options;
    let made: ReadMail;
    let octets: Buffer;
    try {
      made = await read(message);
      if (made.kind === 'withheld') return { kind: 'refused', status: made.status, code: made.code };
      octets = await this.#write(made.mail);
    } catch (error) {
      log.warn({ err: error, messageId: message.id }, 'mail not written, trying again later');
      return { kind: 'retry', code: 'NOT_WRITTEN' };
    }
    const pool = this.#pool;
    // The connector was stopped while the email was built.
    if (!pool) return { kind: 'again' };
    try {
      await pool.send(made.mail.envelope, octets);
      this.#throttle.accepted(performance.now());
      this.#tls.worked();
      this.#outage.worked({ link: this.name });
      this.#deferrals = 0;
      this.#fault.worked();
      this.#tries = 0;
      made.taken?.();
      return { kind: 'accepted', carrierIds: [] };
    } catch (error) {
      const { outcome, relay } = judgeError(error as SmtpError, refused);
      // An answer to an email proves that the relay accepted the connection.
      if (!this.#tls.failed(error) && (error as SmtpError).responseCode !== undefined) this.#tls.worked();
      if (relay === 'away') this.#fault.failed(connectorFaultOf(error));
      else if ((error as SmtpError).responseCode !== undefined) this.#fault.worked();
      if (relay !== 'fine') this.#holdBack(relay, error as SmtpError);
      return outcome;
    }
  }

  /** Returns the octets of an email, including its signature. */
  async #write({ fields, body }: OutgoingMail): Promise<Buffer> {
    const signature = await this.#signer?.sign(fields, body);
    const header = signature === undefined ? fields : [signature, ...fields];
    return Buffer.from(`${header.join('\r\n')}\r\n\r\n${body}`);
  }

  #holdBack(relay: 'busy' | 'away', error: SmtpError): void {
    const now = performance.now();
    if (relay === 'busy') this.#throttle.throttled(now, FIRST_PAUSE_MS);
    else if (now >= this.#awayUntil) {
      this.#awayUntil = now + Math.min(FIRST_PAUSE_MS * 2 ** this.#tries, LONGEST_PAUSE_MS);
      this.#tries++;
    }
    const { code, command, responseCode } = error;
    // Fields called `code` are masked in the log.
    const facts = { link: this.name, error: code, command, responseCode };
    if (relay === 'away') this.#outage.failed(facts);
    else if (this.#deferrals++ % LOG_EVERY === 0) this.#options.log.warn(facts, 'mail relay defers mails');
  }
}
