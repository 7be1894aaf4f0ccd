import type { FastifyInstance } from 'fastify';
import type { SendKeys } from '../api/send-keys/send-keys.ts';
import type { SignInDeps } from '../api/sign-in.ts';
import type { BoundRoute } from '../api/v1/kit/route.ts';
import type { Queryable } from '../database/connection.ts';
import type { DueJob } from '../database/due-look.ts';
import type { CampaignList, CampaignSource, RepeatedRequest } from '../engine/campaigns/source.ts';
import type { Connector, ConnectorHolder } from '../engine/carriers/carrier.ts';
import type { DeliveryHooks } from '../engine/dispatch/hooks.ts';
import type { Recalls } from '../engine/dispatch/retry.ts';
import type { Events } from '../engine/events/events.ts';
import type { FallbackSender } from '../engine/fallback/sender.ts';
import type { FindEvidence } from '../engine/gate/evidence.ts';
import type { CallService } from '../engine/messages/call-request.ts';
import type { ContentReader, Reaction, TextsReader } from '../engine/messages/message-content.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { SendServiceMail } from '../modules/alerts/means/mail.ts';
import type { CsvTurns } from '../modules/audience/contact-work.ts';
import type { ListUsers } from '../modules/audience/list-users.ts';
import type { ReplyChannel } from '../modules/conversations/reply-channel.ts';
import type { ReadReceived } from '../modules/conversations/timeline.ts';
import type { PersonalDataPart } from '../modules/personal-data/part.ts';
import type { AppContext } from '../run/app-context.ts';
import type { CoreContext } from '../run/services.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/*
 * A channel in a running service: the second half of its contract (channels/contract/channel.ts has the first). `open`
 * of the channel's folder creates it. That file may import anything, because no other module imports it (`file` of the
 * channel).
 */

/** Dependencies of a channel: the app context, and the modules that every channel uses. */
export type ChannelContext = CoreContext;

/** Options of every API. */
export interface ApiOptions {
  readonly signIn: SignInDeps & AppContext;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests per second; 0 means no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/** Endpoints of a channel outside /v1, in a process that serves requests. */
export interface ChannelApi {
  /** Alias prefixes of paths. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Returns the documented spelling of a path that is matched without case, with its query; other paths unchanged. */
  canonicalUrl?(url: string): string;
  register(server: FastifyInstance, options: ApiOptions): Promise<void>;
  /** Opens listeners other than HTTP, once HTTP answers at `address` of this machine. */
  listen?(address: string): Promise<void>;
  /** Called after HTTP has ended. */
  close?(): Promise<void>;
}

/** A channel in a running service. */
export interface ChannelModule {
  readonly delivery: DeliveryHooks;
  /** Connectors for its messages: each one has its own route (`own`), or routes name it (`by-destination`). */
  readonly connectors: readonly Connector[];
  /** Connectors that are added and removed while the dispatcher runs. */
  readonly changing?: { start(holder: ConnectorHolder): Promise<void>; stop(): Promise<void> };
  /** For the channel that makes calls: whether it can. */
  readonly calls?: CallService;
  /** For the email channel: sends the service's own emails, if a relay is configured. */
  readonly mailer?: SendServiceMail | undefined;
  /** For a channel whose attempts disturb people: number and times of repeated attempts. */
  readonly recalls?: Recalls;
  /** Creates the messages of its campaigns (engine/campaigns/source.ts). */
  readonly campaigns?: CampaignSource;
  /**
   * Returns the request that would send one of its campaigns again; undefined if no such campaign exists. Throws
   * Refusal `not-now` for a campaign with a separate text for each recipient.
   */
  requestOf?(accountId: number, id: number): Promise<RepeatedRequest | undefined>;
  /** Returns the lists of its audience to which a campaign is sent, without removed ones. */
  listsOf?(accountId: number, id: number): Promise<readonly CampaignList[]>;
  /** Reads the content for recipients, if it is more than a text. */
  readonly contentOf?: ContentReader;
  /** Reads what lists show of its messages, if the stored text is not enough. */
  readonly textsOf?: TextsReader;
  /** Finds the evidence for sends that claim to be an exemption of the sending policy (engine/gate/evidence.ts). */
  readonly evidence?: FindEvidence;
  /** Reads what its clients wrote, for timelines of conversations. */
  readonly received?: ReadReceived;
  /** Sends replies to its clients, if they can write. */
  readonly replies?: ReplyChannel;
  /** Sends in place of messages that failed on another channel. */
  readonly fallback?: FallbackSender;
  /** Returns reactions of recipients to a message, other than reading it, ordered by time. */
  reactionsTo?(accountId: number, messageId: number): Promise<readonly Reaction[]>;
  /** CSV imports and exports of its own audience, by the name in their jobs (`csv_jobs.audience`). */
  readonly csv?: { readonly audience: string } & CsvTurns;
  /** For the email channel: the users of its mailing lists, for pages that show them together with contacts. */
  readonly recipients?: ListUsers;
  /** Its personal data, for exports and erasures. */
  readonly personalData?: PersonalDataPart;
  /** Its periodic work, in a process that runs jobs. */
  readonly jobs?: readonly DueJob[];
  /** Deletes expired data. Runs hourly in a process that runs jobs. */
  upkeep?(): Promise<void>;
  /** Its routes under /v1. */
  readonly routes?: readonly BoundRoute[];
  readonly api?: ChannelApi;
  start?(): void | Promise<void>;
  /** Ends its work within `graceMs`, after the dispatcher and the jobs have stopped. */
  stop?(graceMs: number): Promise<void>;
}

/** A row that lost a sealed value: what the audit log of its account has. */
export interface Discarded {
  readonly accountId: number;
  readonly kind: string;
  readonly id: string | number;
}

interface DiscardDeps {
  readonly tx: Queryable;
  readonly appContext: AppContext;
  /** Seals what takes the place of a lost value. */
  readonly box: SecretBox;
  readonly events: Events;
}

/**
 * How the values of sealed columns are discarded after the key is lost, by `table.column`. The file of a channel exports its own as
 * `discardings`.
 */
export type Discardings = Readonly<
  Record<
    string,
    {
      /** Consequence for the owners of the values. */
      readonly consequence: string;
      /** Returns undefined when the row no longer exists, or the loss concerns no account. */
      discard(deps: DiscardDeps, key: readonly (string | number)[]): Promise<Discarded | undefined>;
    }
  >
>;

/** `open` of a channel's file: creates its module without starting anything. */
export type OpenChannel = (context: ChannelContext) => Promise<ChannelModule>;
