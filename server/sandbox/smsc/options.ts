import type { Clock } from '../../clock.ts';
import type { Logger } from '../../observability/log.ts';

/** A submit_sm (or data_sm) as hooks and fault tests see it. */
export interface SandboxSubmit {
  readonly systemId: string;
  /** Of this submit, in decimal; the answer and the receipt may spell it otherwise (`answerIds`, `receiptIds`). */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** The text of this part, without its header. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly validityPeriod: string;
}

export type IdSpelling = 'decimal' | 'hex' | 'upper-hex' | 'padded-decimal' | 'padded-hex';

/** How the network behaves. All of it can be changed while it runs, with `change`. */
export class SandboxBehaviour {
  /** From submit_sm to the phone and the receipt, in milliseconds. */
  receiptDelayMs = 300;
  /** submit_sm taken in one second, over all sessions; more are answered with ESME_RTHROTTLED. 0 is no limit. */
  messagesPerSecond = 0;
  /** deliver_sm that may be unacknowledged on one session. */
  deliverWindow = 1_000;
  /** A deliver_sm unacknowledged for so long is sent again. */
  deliverTimeoutMs = 30_000;
  /** Pause before a deliver_sm that was refused is sent again. */
  redeliverMs = 1_000;
  /** Pause before the answer to submit_sm; Infinity never answers. */
  answerDelayMs: number | ((submit: SandboxSubmit) => number) = 0;
  /** command_status to answer a submit_sm with; undefined takes the usual course. */
  answerStatus: ((submit: SandboxSubmit) => number | undefined) | null = null;
  /** Called for every submit_sm that was taken. */
  onSubmit: ((submit: SandboxSubmit) => void) | null = null;
  /** Receipts in the text form, in parameters, or both. */
  receiptForm: 'text' | 'tlv' | 'both' = 'text';
  answerIds: IdSpelling = 'decimal';
  receiptIds: IdSpelling = 'decimal';
  /** Brings the receipt before the answer to submit_sm. */
  earlyReceipts = false;
  /** How many times each receipt is brought. */
  receiptCopies = 1;
  /** Brings receipts that are due together in the opposite order. */
  reversedReceipts = false;
  /** False keeps nothing of messages, for measuring: phones only count. */
  keepTexts = true;
}

export const defaultBehaviour: Readonly<SandboxBehaviour> = new SandboxBehaviour();

export interface SandboxSmscOptions extends Partial<SandboxBehaviour> {
  /** Password by system id; anything else is refused. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly clock: Clock;
  /** PEM key and certificate: the listener speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The ending of a number, which its messages go by; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /** Which account gets what a phone sends to this number; the first one by default. */
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
