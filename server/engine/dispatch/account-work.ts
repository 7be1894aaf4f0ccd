import type { BatchEnd } from './batch-ends.ts';
import type { MessageResult } from './results.ts';

/** A change in a message's delivery; absent fields are unchanged. */
export type DeliveryUpdate = Partial<Omit<MessageResult, 'messageId' | 'phone' | 'at'>> & {
  readonly accountId: number;
  readonly messageId: number;
  readonly phone: string;
};

/** Updates of one account that are to be stored. */
export class AccountWork {
  readonly accountId: number;
  /** Keyed by message id. */
  readonly results = new Map<number, MessageResult>();
  readonly ends: BatchEnd[] = [];
  /** Called when all of it is stored. */
  readonly stored: (() => void)[] = [];

  constructor(accountId: number) {
    this.accountId = accountId;
  }

  /** Adds an update and merges it with earlier ones of its message. `at` in milliseconds since the epoch. */
  add(update: DeliveryUpdate, at: number): void {
    const known = this.results.get(update.messageId);
    if (known) merge(known, update, at);
    else this.results.set(update.messageId, resultOf(update, at));
  }

  /** Returns a part of this work that is stored before the rest. */
  part(results: Iterable<[number, MessageResult]>, ends: readonly BatchEnd[]): AccountWork {
    const part = new AccountWork(this.accountId);
    for (const [id, result] of results) part.results.set(id, result);
    part.ends.push(...ends);
    return part;
  }
}

function resultOf(update: DeliveryUpdate, at: number): MessageResult {
  return {
    accountId: update.accountId,
    messageId: update.messageId,
    phone: update.phone,
    handedAt: update.handedAt ?? null,
    shipmentId: update.shipmentId ?? null,
    channel: update.channel ?? null,
    connector: update.connector ?? null,
    carrierKeys: update.carrierKeys ?? null,
    delivered: update.delivered ?? 0,
    failure: update.failure ?? null,
    code: update.code ?? null,
    refund: update.refund ?? false,
    isReversed: update.isReversed ?? false,
    isUnanswered: update.isUnanswered ?? false,
    trace: update.trace ?? null,
    at,
  };
}

function merge(known: MessageResult, update: DeliveryUpdate, at: number): void {
  known.handedAt ??= update.handedAt ?? null;
  known.shipmentId ??= update.shipmentId ?? null;
  known.channel ??= update.channel ?? null;
  known.trace ??= update.trace ?? null;
  known.connector = update.connector ?? known.connector;
  known.carrierKeys = update.carrierKeys ?? known.carrierKeys;
  // The first outcome stays, here as in the database; contradicting ones are ignored.
  if (known.failure === null && known.delivered !== -1) {
    known.delivered |= update.delivered ?? 0;
    known.failure = update.failure ?? null;
    known.code = update.code ?? known.code;
    known.refund ||= update.refund ?? false;
    known.isReversed ||= update.isReversed ?? false;
    known.isUnanswered ||= update.isUnanswered ?? false;
  }
  known.at = at;
}
