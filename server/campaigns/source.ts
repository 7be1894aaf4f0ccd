import type { TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { Event } from '../events/types.ts';
import type { IdSource } from '../ids.ts';
import type { CancelledMessages } from '../messages/cancel.ts';
import type { PlannedMessage, PlannedShipment } from '../messages/plan.ts';
import type { Owner } from '../owners.ts';

/** Recipients of one step, which is one transaction of some 60 ms; a single message of the account waits for no more. */
export const STEP = 2_000;

/** A row of `campaigns`. `Content` and `Place` are its channel's own. */
export interface CampaignRow<Content = unknown, Place = unknown> {
  readonly account_id: number;
  /** That of its shipment. */
  readonly id: number;
  /** An id of channels/index.ts. */
  readonly channel: number;
  /** What its messages come from, unless one says otherwise. */
  readonly sender: string;
  /** What its messages are made of. */
  readonly content: Content;
  /** How far it is. */
  readonly place: Place;
  /** Recipients that were asked for. */
  readonly total: number;
  /** What is held for recipients without a message: a numeric of PostgreSQL. */
  readonly held: string;
  /** What its steps are linked to, of one that is traced. */
  readonly trace?: string | null | undefined;
}

/** The recipients of a step. */
export interface CampaignPage<Place = unknown> {
  /** How many of the recipients that were counted they are; those who get nothing among them. */
  readonly size: number;
  /** Where the campaign is when all of them are done; null: at its end. */
  readonly next: Place | null;
}

/** What cancelling has to know of a channel's campaigns. */
export interface CampaignRemains {
  /** An id of channels/index.ts. */
  readonly channel: number;
  /** Deletes what the channel keeps for recipients without a message, in the transaction that cancels the campaigns. */
  drop?(tx: TransactionSql, accountId: number, ids: readonly number[]): Promise<void>;
  /** Undoes what cancelled messages did beside costing something, in the same transaction. */
  reverse?(tx: TransactionSql, accountId: number, cancelled: CancelledMessages): Promise<void>;
}

/**
 * Makes the messages of a channel's campaigns, for the expander. A step calls `nextPage` and `render`, then `authorize`
 * in its transaction. A step that fails is done again from `nextPage`.
 */
export interface CampaignSource<Page extends CampaignPage = CampaignPage> extends CampaignRemains {
  /** The name of its expander's loop. */
  readonly loop: Owner;
  /** How long delivery of a message is tried, in milliseconds. */
  readonly validityMs: number;
  /** The channel in the event `campaign.finished`; null: its campaigns have no such event. */
  readonly finishedAs: string | null;
  /**
   * Stores the campaigns of shipments to contact lists, which the acceptor accepts, in the transaction that stores the
   * shipments. Rejects with a violation of `wallets_balance_check` when the wallet has too little. One source has it.
   */
  storeListCampaigns?(
    tx: TransactionSql,
    ids: IdSource,
    accountId: number,
    shipments: readonly PlannedShipment[],
    now: number,
  ): Promise<void>;
  /** Reads up to STEP recipients, and what their messages need to be rendered. */
  nextPage(campaign: CampaignRow): Promise<Page>;
  /**
   * Renders a page. Messages have ids that grow and are in no batch; those that go have the status `sent` and the most
   * that they can cost, others their final status, and cost nothing.
   */
  render(campaign: CampaignRow, page: Page): PlannedMessage[] | Promise<PlannedMessage[]>;
  /**
   * Decides on rendered messages in the transaction of the step, before the wallet is locked, and stores what the channel
   * keeps beside them. `messages` are the first of the page, or all.
   */
  authorize?(
    tx: TransactionSql,
    campaign: CampaignRow,
    page: Page,
    messages: readonly PlannedMessage[],
    now: number,
  ): Promise<readonly PlannedMessage[]>;
  /**
   * Where the campaign is when only the first `count` messages of a page are made. A source has it if messages can turn out
   * to cost less than `render` says: a step then ends before the first message that the credit might not suffice for.
   */
  placeAfter?(campaign: CampaignRow, page: Page, count: number): unknown;
  /** A message as it is stored when there is no credit for it. */
  unpaid(message: PlannedMessage): PlannedMessage;
  /** The route of a message that goes. */
  routeOf(campaign: CampaignRow, message: PlannedMessage): string;
  /** The event of a message that goes nowhere. */
  refused?(campaign: CampaignRow, message: PlannedMessage, now: number): Event;
}

/** A request under /v1 that would send a campaign again. */
export interface RepeatedRequest {
  /** `/v1/sms` */
  readonly path: string;
  /** The body, without a time to begin. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Why a campaign cannot be sent again whose text is removed (retention/). */
export const textRemoved = (): Refusal =>
  new Refusal('not-now', 'its text is removed', undefined, { reason: 'text-removed', params: {} });

export type CampaignSources = ReadonlyMap<number, CampaignSource>;
