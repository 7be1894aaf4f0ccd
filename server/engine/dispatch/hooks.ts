import type { TransactionSql } from '../../database/connection.ts';
import type { Event, EventType } from '../events/types.ts';
import type { FinalMessage, MessageResult, Reinstated } from './results.ts';

/** A message that a carrier accepted. */
export type SubmittedMessage = MessageResult & {
  readonly handedAt: number;
  readonly shipmentId: number;
  readonly connector: string;
};

/** Messages whose price is refunded or charged again, in the transaction that moves the credit. */
interface Adjustment {
  /** Messages that no carrier accepted: their price is refunded, and their other side effects are reversed. */
  readonly reversed: readonly FinalMessage[];
  /** Messages that a carrier accepted while they were being cancelled: they are charged again, and reinstated. */
  readonly reinstated: readonly Reinstated[];
}

/** Actions of a channel when the recorder stores outcomes. */
export interface DeliveryHooks {
  /** Type of the events below; null without events. */
  readonly eventType: EventType | null;
  /** Returns the event of a message that a carrier accepted, if the channel has one. */
  submitted?(message: SubmittedMessage): Event;
  /** Returns the event of a message that got its final status; null without an event. */
  final(message: FinalMessage): Event | null;
  /**
   * Reverses and reinstates side effects of messages other than cost, for at least one message, before the wallet is
   * changed. One call does both, since both lock the same rows in one order.
   */
  adjust?(tx: TransactionSql, accountId: number, adjustment: Adjustment): Promise<void>;
}
