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
export interface SandboxBehaviour {
  /** From submit_sm to the phone and the receipt, in milliseconds. */
  receiptDelayMs: number;
  /** submit_sm taken in one second, over all sessions; more are answered with ESME_RTHROTTLED. 0 is no limit. */
  messagesPerSecond: number;
  /** deliver_sm that may be unacknowledged on one session. */
  deliverWindow: number;
  /** A deliver_sm unacknowledged for so long is sent again. */
  deliverTimeoutMs: number;
  /** Pause before a deliver_sm that was refused is sent again. */
  redeliverMs: number;
  /** Pause before the answer to submit_sm; Infinity never answers. */
  answerDelayMs: number | ((submit: SandboxSubmit) => number);
  /** command_status to answer a submit_sm with; undefined takes the usual course. */
  answerStatus: ((submit: SandboxSubmit) => number | undefined) | null;
  /** Called for every submit_sm that was taken. */
  onSubmit: ((submit: SandboxSubmit) => void) | null;
  /** Receipts in the text form, in parameters, or both. */
  receiptForm: 'text' | 'tlv' | 'both';
  answerIds: IdSpelling;
  receiptIds: IdSpelling;
  /** Brings the receipt before the answer to submit_sm. */
  earlyReceipts: boolean;
  /** How many times each receipt is brought. */
  receiptCopies: number;
  /** Brings receipts that are due together in the opposite order. */
  reversedReceipts: boolean;
  /** False keeps nothing of messages, for measuring: phones only count. */
  keepTexts: boolean;
}

export const defaultBehaviour: SandboxBehaviour = {
  receiptDelayMs: 300,
  messagesPerSecond: 0,
  deliverWindow: 1_000,
  deliverTimeoutMs: 30_000,
  redeliverMs: 1_000,
  answerDelayMs: 0,
  answerStatus: null,
  onSubmit: null,
  receiptForm: 'text',
  answerIds: 'decimal',
  receiptIds: 'decimal',
  earlyReceipts: false,
  receiptCopies: 1,
  reversedReceipts: false,
  keepTexts: true,
};

export interface SandboxSmscOptions extends Partial<SandboxBehaviour> {
  /** Password by system id; anything else is refused. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly clock: Clock;
  /** PEM key and certificate: the listener speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
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
