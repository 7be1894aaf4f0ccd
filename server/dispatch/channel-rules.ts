import type { TransactionSql } from '../database/connection.ts';
import type { Pending } from '../events/events.ts';
import type { Event, EventType } from '../events/types.ts';
import type { FinalMessage, MessageResult, Revived } from './results.ts';

/** What is called after the commit. */
export type Committed = Pick<Pending, 'committed'>;

/** News of a message that a carrier took. */
export type HandedOver = MessageResult & {
  readonly handedAt: number;
  readonly shipmentId: number;
  readonly link: string;
};

/** All that the recorder has to know of a channel other than SMS, beside storing what became of its messages. */
export interface ChannelRules {
  /** `channel` of its messages (messages/channels.ts). */
  readonly channel: number;
  /** What its routes begin with, each of which is a link of its own (carriers/routing.ts). */
  readonly routes: string;
  /** The type of the events below; null when there are none. */
  readonly tells: EventType | null;
  /** The event of a message that a carrier took, where that is one. */
  handedOver?(message: HandedOver): Event;
  /** The event of a message's end; null: there is none. */
  ended(message: FinalMessage): Event | null;
  /**
   * Undoes what messages did beside costing something: no carrier took them, and their price goes back in this
   * transaction. Does it again for `redone`, of which that was undone too soon: they were cancelled in the moment in
   * which a carrier took them. Called with one message at least, before the wallet is touched.
   */
  takeBack(
    tx: TransactionSql,
    accountId: number,
    undone: readonly FinalMessage[],
    redone: readonly Revived[],
  ): Promise<Committed | undefined>;
}
