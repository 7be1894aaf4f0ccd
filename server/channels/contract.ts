import type { AccessTable } from '../access/rules.ts';
import type { Prices } from '../accounts/prices.ts';
import type { CampaignSource } from '../campaigns/source.ts';
import type { Carrier } from '../carriers/carrier.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import type { FinalMessage, MessageResult, Reinstated } from '../dispatch/results.ts';
import type { Pending } from '../events/events.ts';
import type { Event, EventType } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { BoundRoute } from '../interfaces/v1/kit/route.ts';
import type { CallInput } from '../messages/calls.ts';
import type { Lane } from '../messages/lanes.ts';
import type { Logger } from '../observability/log.ts';
import type { Owner } from '../owners.ts';
import type { Failure, ReasonTable } from './failures.ts';

/*
 * What a channel is to the other modules. A channel is a folder in server/channels and a line in index.ts; the rest of
 * the service knows this file, and no channel by its name (docs/architecture.md, "Channels").
 *
 * A `Channel` is what can be said about a channel without a running service. It imports nothing that stands above it,
 * so every module may import the list of channels.
 */

/** How the connectors of a channel are named, and how its messages find one. */
export interface ConnectorNames {
  /** What the names of its routes begin with; '' for routes that the operator names. */
  readonly prefix: string;
  /**
   * - `own`: each route is one connector of the same name, like a business number.
   * - `by-destination`: a route names the connectors that messages to its prefixes go over.
   */
  readonly routing: 'own' | 'by-destination';
  /**
   * Whether the ids that the carrier gave are kept after the end of a message, since the recipient may still refer to it.
   */
  readonly keepsIds: boolean;
  /**
   * How long a batch rests, in milliseconds, that the only process of an embedded database held when it was killed: the
   * network tells meanwhile which of its messages it took. 0: the batch is due at once.
   */
  readonly settleMs: number;
}

/** What is stored of what a message says. */
export interface StoredPayload {
  /** `messages.payload`; null: the payload of its shipment. */
  readonly own: string | null;
  /** `shipments.payload`: what all messages of the shipment say. */
  readonly shared: string | null;
  /** `shipments.call`: what is read aloud. */
  readonly call: CallInput | null;
}

/** Writes and reads what a message says. */
export interface PayloadCodec<Payload> {
  /** The text that is stored in `messages.payload` or `shipments.payload`. */
  encode(payload: Payload): string;
  /** What a connector gets. Throws for what `encode` did not write. */
  decode(stored: StoredPayload): Payload;
  /** What people read of a message, in lists and on its timeline; null: nothing of its own. `stored` is the text. */
  summary(stored: string | null): string | null;
}

/** Why messages of a channel fail, beside what is common to all channels (failures.ts). */
export interface FailureReasons {
  /** Reasons of its own. */
  readonly reasons: ReasonTable;
  /** The key of the reason of a failure. `known` is what the status says by itself on any channel. */
  keyOf(failure: Failure, known: string): string;
}

/** A channel, as far as it can be described without a running service. */
export interface Channel<Payload = unknown> {
  /** `channel` of its messages, shipments and batches. Never given to another channel. */
  readonly id: number;
  /** In APIs, and the key of its prices in the price list. */
  readonly name: string;
  readonly connectors: ConnectorNames;
  /** What a message costs where the price list has no price, in credits, like `0.25`. */
  defaultPrice(config: Config): string;
  readonly codec: PayloadCodec<Payload>;
  readonly failures: FailureReasons;
  /** Messages in one batch, at most. */
  readonly batchSize: number;
  /** The rules of its routes, by method and path; a route without a rule keeps the service from starting. */
  readonly access?: AccessTable;
  /** Opens it in a service. Chat, mail and calls are put together by modules.ts, since other modules call them by name. */
  open?(context: ChannelContext): Promise<ChannelModule>;
}

/** What is called after the commit. */
export type Committed = Pick<Pending, 'committed'>;

/** A message that a carrier took. */
export type SubmittedMessage = MessageResult & {
  readonly handedAt: number;
  readonly shipmentId: number;
  readonly link: string;
};

/** Messages whose price changes hands again, in the transaction that moves it. */
export interface Adjustment {
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
  adjust?(tx: TransactionSql, accountId: number, adjustment: Adjustment): Promise<Committed | undefined>;
}

/** What a channel is opened with. */
export interface ChannelContext {
  readonly config: Config;
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly prices: Prices;
  /** How long delivery of a message is tried, in milliseconds. */
  readonly validityMs: number;
  /** Called after the commit for an account and lane that has new work. A hint; nothing rests on it. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/** Work that a channel does now and then, as a loop of its owner (jobs.ts). */
export interface ChannelJob {
  readonly owner: Owner;
  readonly everyMs: number;
  step(): Promise<void>;
}

/** A channel in a running service. */
export interface ChannelModule {
  readonly delivery: DeliveryHooks;
  /** What its messages go over, each a route of the same name (`own`). */
  readonly connectors: readonly Carrier[];
  /** Makes the messages of its campaigns (campaigns/source.ts). */
  readonly campaigns?: CampaignSource;
  readonly jobs?: readonly ChannelJob[];
  /** Its routes under /v1. */
  readonly routes?: readonly BoundRoute[];
  /** Ends what it does, after the dispatcher has stopped. */
  stop?(): Promise<void>;
}
