import type { TransactionSql } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { RoutedMessage } from '../carriers/route-conditions.ts';
import type { Event } from '../events/types.ts';
import type { CancelledMessages } from '../messages/cancel.ts';
import type { PlannedMessage, PlannedShipment } from '../messages/plan.ts';

/**
 * Recipients per step. A step is one transaction of some 60 ms, and a single message of the account waits for at most
 * that time.
 */
export const STEP = 2_000;

/** A row of `campaigns`. Its channel defines `Content` and `Place`. */
export interface CampaignRow<Content = unknown, Place = unknown> {
  readonly account_id: number;
  /** Id of its shipment. */
  readonly id: number;
  /** An id of channels/index.ts. */
  readonly channel: number;
  /** Default sender of its messages. */
  readonly sender: string;
  /** Content from which its messages are rendered. */
  readonly content: Content;
  /** Its position in the recipients. */
  readonly place: Place;
  /** Number of requested recipients. */
  readonly total: number;
  /** Credit reserved for recipients without a message, as a PostgreSQL numeric. */
  readonly held: string;
  /** Trace context to which its steps are linked, if it is traced. */
  readonly trace?: string | null | undefined;
}

/** The recipients of a step. */
export interface CampaignPage<Place = unknown> {
  /** Number of the counted recipients on this page, including those who receive nothing. */
  readonly size: number;
  /** Position after this page; null at the end. */
  readonly next: Place | null;
}

/** The interface of a channel's campaigns for cancelling. */
export interface CampaignRemains {
  /** An id of channels/index.ts. */
  readonly channel: number;
  /** Deletes the channel's data for recipients without a message, in the transaction that cancels the campaigns. */
  drop?(tx: TransactionSql, accountId: number, ids: readonly number[]): Promise<void>;
  /** Reverses side effects of cancelled messages other than cost, in the same transaction. */
  reverse?(tx: TransactionSql, accountId: number, cancelled: CancelledMessages): Promise<void>;
}

/**
 * Creates the messages of a channel's campaigns, for the expander. A step calls `nextPage` and `render`, then
 * `authorize` in its transaction. A failed step is repeated from `nextPage`.
 */
export interface CampaignSource<Page extends CampaignPage = CampaignPage> extends CampaignRemains {
  /** How long delivery of a message is attempted, in milliseconds. */
  readonly validityMs: number;
  /** Channel in the event `campaign.finished`; null if its campaigns have no such event. */
  readonly finishedAs: string | null;
  /**
   * Stores the campaigns of shipments to contact lists, in the transaction in which the acceptor stores the shipments.
   * Rejects with a violation of `wallets_balance_check` when the balance is too low. Exactly one source has it.
   */
  storeListCampaigns?(
    tx: TransactionSql,
    ids: IdSource,
    accountId: number,
    shipments: readonly PlannedShipment[],
    now: number,
  ): Promise<void>;
  /** Reads up to STEP recipients, and the data needed to render their messages. */
  nextPage(campaign: CampaignRow): Promise<Page>;
  /**
   * Renders a page. Messages have increasing ids and no batch. Messages to send have the status `sent` and their
   * maximum price; others have their final status and cost nothing.
   */
  render(campaign: CampaignRow, page: Page): PlannedMessage[] | Promise<PlannedMessage[]>;
  /**
   * Decides about rendered messages in the transaction of the step, before the wallet is locked, and stores the
   * channel's data about them. `messages` are the first of the page, or all.
   */
  authorize?(
    tx: TransactionSql,
    campaign: CampaignRow,
    page: Page,
    messages: readonly PlannedMessage[],
    now: number,
  ): Promise<readonly PlannedMessage[]>;
  /**
   * Returns the position after only the first `count` messages of a page. A source needs it if messages can cost less
   * than `render` returns: a step then ends before the first message for which the credit may be insufficient.
   */
  placeAfter?(campaign: CampaignRow, page: Page, count: number): unknown;
  /** Returns the stored form of a message that the credit does not cover. */
  unpaid(message: PlannedMessage): PlannedMessage;
  /** Returns the route of a message to send. */
  routeOf(campaign: CampaignRow, message: PlannedMessage, due: Pick<RoutedMessage, 'kind' | 'at'>): string;
  /** Returns the event of a message that is not sent. */
  refused?(campaign: CampaignRow, message: PlannedMessage, now: number): Event;
}

/** A /v1 request that sends a campaign again. */
export interface RepeatedRequest {
  /** `/v1/sms` */
  readonly path: string;
  /** Body, without a start time. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A list to which a campaign is sent. */
export interface CampaignList {
  readonly id: number;
  readonly name: string;
}

/** Returns the refusal of repeating a campaign whose text was removed (retention/). */
export const textRemoved = (): Refusal =>
  new Refusal('not-now', 'its text is removed', undefined, { reason: 'text-removed', params: {} });

export type CampaignSources = ReadonlyMap<number, CampaignSource>;
