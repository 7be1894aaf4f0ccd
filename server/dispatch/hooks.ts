import type { TransactionSql } from '../database/connection.ts';
import type { Event, EventType } from '../events/types.ts';
import type { FinalMessage, MessageResult, Reinstated } from './results.ts';

/** A message that a carrier took. */
export type SubmittedMessage = MessageResult & {
  readonly handedAt: number;
  readonly shipmentId: number;
  readonly connector: string;
};

/** Messages whose price changes hands again, in the transaction that moves it. */
interface Adjustment {
  /** No carrier took them: their price is refunded, and what they did beside costing something is reversed. */
  readonly reversed: readonly FinalMessage[];
  /** A carrier took them in the moment in which they were cancelled: they are charged again, and reinstated. */
  readonly reinstated: readonly Reinstated[];
}

/** What the recorder does for a channel beside storing outcomes. */
export interface DeliveryHooks {
  /** The type of the events below; null: there are none. */
  readonly eventType: EventType | null;
  /** The event of a message that a carrier took, where that is one. */
  submitted?(message: SubmittedMessage): Event;
  /** The event of a message that has its final status; null: there is none. */
  final(message: FinalMessage): Event | null;
  /**
   * Reverses and reinstates what messages did beside costing something, with one message at least, before the wallet is
   * touched. One call for both, since both lock the same rows in one order.
   */
  adjust?(tx: TransactionSql, accountId: number, adjustment: Adjustment): Promise<void>;
}
