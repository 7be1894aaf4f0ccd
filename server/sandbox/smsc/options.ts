import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Tlv } from '../../protocols/smpp/pdu.ts';

/** A submit_sm (or data_sm), as hooks and fault tests receive it. */
export interface SandboxSubmit {
  readonly systemId: string;
  /** Id of this submit, in decimal; the answer and the receipt may spell it differently (`answerIds`, `receiptIds`). */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** Text of this part, without its header. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly validityPeriod: string;
  readonly dataCoding: number;
  /** Its optional parameters, in their order. */
  readonly tlvs: readonly Tlv[];
}

export type IdSpelling = 'decimal' | 'hex' | 'upper-hex' | 'padded-decimal' | 'padded-hex';

/** Behaviour of the network. `change` changes it at run time. */
export class SandboxBehaviour {
  /** Milliseconds from submit_sm to the phone and the receipt. */
  receiptDelayMs = 300;
  /**
   * Accepted submit_sm per second, over all sessions; further ones are answered with ESME_RTHROTTLED. 0 means no limit.
   */
  messagesPerSecond = 0;
  /** Maximum unacknowledged deliver_sm on one session. */
  deliverWindow = 1_000;
  /** Milliseconds after which an unacknowledged deliver_sm is sent again. */
  deliverTimeoutMs = 30_000;
  /** Milliseconds before a refused deliver_sm is sent again. */
  redeliverMs = 1_000;
  /** Milliseconds before the answer to submit_sm; Infinity never answers. */
  answerDelayMs: number | ((submit: SandboxSubmit) => number) = 0;
  /** Returns the command_status of the answer to a submit_sm; undefined for normal processing. */
  answerStatus: ((submit: SandboxSubmit) => number | undefined) | null = null;
  /** Called for every accepted submit_sm. */
  onSubmit: ((submit: SandboxSubmit) => void) | null = null;
  /** Receipts in the text form, in parameters, or both. */
  receiptForm: 'text' | 'tlv' | 'both' = 'text';
  answerIds: IdSpelling = 'decimal';
  receiptIds: IdSpelling = 'decimal';
  /** Sends the receipt before the answer to submit_sm. */
  earlyReceipts = false;
  /** Number of times that each receipt is sent. */
  receiptCopies = 1;
  /** Sends receipts that are due together in reverse order. */
  reversedReceipts = false;
  /** False stores no messages, for measurements: phones only count. */
  keepTexts = true;
}

export const defaultBehaviour: Readonly<SandboxBehaviour> = new SandboxBehaviour();

export interface SandboxSmscOptions extends Partial<SandboxBehaviour> {
  /** Passwords by system id; other binds are rejected. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly clock: Clock;
  /** PEM key and certificate; if set, the listener speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Returns the ending of a number, which decides the outcome of its messages; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /** Returns the account that receives messages from phones to this number; the first one by default. */
  readonly accountOf?: (to: string) => string;
}

export function spellId(id: number, spelling: IdSpelling): string {
  switch (spelling) {
    case 'decimal':
      return id.toString();
    case 'hex':
      return id.toString(16);
    case 'upper-hex':
      return id.toString(16).toUpperCase();
    case 'padded-decimal':
      return id.toString().padStart(20, '0');
    case 'padded-hex':
      return id.toString(16).padStart(16, '0');
  }
}
