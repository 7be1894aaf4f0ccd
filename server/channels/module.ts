import type { FastifyInstance } from 'fastify';
import type { SendServiceMail } from '../alerts/means/mail.ts';
import type { AppContext } from '../app-context.ts';
import type { CsvTurns } from '../audience/contact-work.ts';
import type { CampaignSource, RepeatedRequest } from '../campaigns/source.ts';
import type { Connector, ConnectorHolder } from '../carriers/carrier.ts';
import type { ReplyChannel } from '../conversations/reply-channel.ts';
import type { ReadReceived } from '../conversations/timeline.ts';
import type { Queryable } from '../database/connection.ts';
import type { DeliveryHooks } from '../dispatch/hooks.ts';
import type { Recalls } from '../dispatch/retry.ts';
import type { DueJob } from '../due-look.ts';
import type { Events } from '../events/events.ts';
import type { FindEvidence } from '../gate/evidence.ts';
import type { SignInDeps } from '../interfaces/sign-in.ts';
import type { BoundRoute } from '../interfaces/v1/kit/route.ts';
import type { CallService } from '../messages/call-request.ts';
import type { ContentReader, Reaction } from '../messages/message-content.ts';
import type { Logger } from '../observability/log.ts';
import type { PersonalDataPart } from '../personal-data/part.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { SendKeys } from '../send-keys/send-keys.ts';
import type { CoreContext } from '../services.ts';

/*
 * What a channel is in a running service: the second half of its contract (channel-contract/channel.ts has the first). It is made by
 * `open` of the channel's folder, which may import whatever it needs, since nobody imports it (`file` of the channel).
 */

/** What a channel is opened with: the app context, and the modules that every channel uses. */
export type ChannelContext = CoreContext;

/** What every API is registered with. */
export interface ApiOptions {
  readonly signIn: SignInDeps & AppContext;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests a second; 0 is no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/** What a channel serves beside its routes under /v1, in a process that takes requests. */
export interface ChannelApi {
  /** Prefixes of paths that stand for another one. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** The documented spelling of a path that is matched without case, with its query; every other one as it is. */
  canonicalUrl?(url: string): string;
  register(server: FastifyInstance, options: ApiOptions): Promise<void>;
  /** Opens what it listens on beside HTTP, once HTTP answers at `address` of this machine. */
  listen?(address: string): Promise<void>;
  /** After HTTP has ended. */
  close?(): Promise<void>;
}

/** A channel in a running service. */
export interface ChannelModule {
  readonly delivery: DeliveryHooks;
  /** Connectors for its messages: each is its own route (`own`), or routes name it (`by-destination`). */
  readonly connectors: readonly Connector[];
  /** Connectors that come and go while the dispatcher runs. */
  readonly changing?: { start(holder: ConnectorHolder): Promise<void>; stop(): Promise<void> };
  /** Of the channel that calls phones: whether it can. */
  readonly calls?: CallService;
  /** Of the channel that sends mails: sends those that the service writes itself, where a relay is set up. */
  readonly mailer?: SendServiceMail | undefined;
  /** Of a channel whose every try disturbs somebody: how often and when one is made again. */
  readonly recalls?: Recalls;
  /** Makes the messages of its campaigns (campaigns/source.ts). */
  readonly campaigns?: CampaignSource;
  /**
   * Reads the request that would send a campaign of it again; undefined when there is no such campaign. Throws Refusal
   * `not-now` for one whose recipients each got a text of their own.
   */
  requestOf?(accountId: number, id: number): Promise<RepeatedRequest | undefined>;
  /** Reads what its recipients get, where that is more than a text. */
  readonly contentOf?: ContentReader;
  /** Finds the evidence for sends that claim to be an exemption of the sending policy (gate/evidence.ts). */
  readonly evidence?: FindEvidence;
  /** Reads what its clients wrote, for timelines of conversations. */
  readonly received?: ReadReceived;
  /** How its clients are answered, where they can write. */
  readonly replies?: ReplyChannel;
  /** What its recipients did about a message beside reading it, in the order of time. */
  reactionsTo?(accountId: number, messageId: number): Promise<readonly Reaction[]>;
  /** CSV imports and exports of its own audience, by the name that their jobs have (`csv_jobs.audience`). */
  readonly csv?: { readonly audience: string } & CsvTurns;
  /** What it has about people, for exports and erasures. */
  readonly personalData?: PersonalDataPart;
  /** Work that it does now and then, in a process that runs jobs. */
  readonly jobs?: readonly DueJob[];
  /** Deletes what has expired; once an hour, in a process that runs jobs. */
  upkeep?(): Promise<void>;
  /** Its routes under /v1. */
  readonly routes?: readonly BoundRoute[];
  readonly api?: ChannelApi;
  start?(): void | Promise<void>;
  /** Ends what it does within `graceMs`, after the dispatcher and the jobs have stopped. */
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

/** `open` of the file of a channel: makes its module. Nothing of it is started. */
export type OpenChannel = (context: ChannelContext) => Promise<ChannelModule>;
