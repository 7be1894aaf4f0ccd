import type { Accounts } from '../../accounts/accounts.ts';
import type { Prices } from '../../accounts/prices.ts';
import type { ContactLists } from '../../audience/contact-lists.ts';
import type { CampaignControl } from '../../campaigns/control.ts';
import { ChatPlatformClient } from '../../carriers/chat-platform/client.ts';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import type { DeliveryUpdate } from '../../dispatch/recorder.ts';
import type { Events } from '../../events/events.ts';
import { MediaCheck, type MediaCheckMode } from '../../http/media-check.ts';
import { createGuardedAgent } from '../../http/ssrf-guard.ts';
import type { IdSource } from '../../ids.ts';
import type { Lane } from '../../messages/lanes.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import type { Logger } from '../../observability/log.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { TlsPeer } from '../../tls-faults.ts';
import { ChatCampaignSource } from './campaign-source.ts';
import { Campaigns } from './campaigns.ts';
import { ChatConnectors, type ConnectorHolder } from './connectors.ts';
import { ChatInbound } from './inbound.ts';
import { templateMediaCheck } from './media-rules.ts';
import { ChatNumbers } from './numbers.ts';
import { ChatSender } from './sender.ts';
import { Templates } from './templates.ts';

const DAY = 86_400_000;
const VALIDITY_MS = DAY;
/** How often templates that were made elsewhere are fetched. */
const SYNC_MS = 3_600_000;
/**
 * Messages under way from one number at a time: what a crash can send twice at most, unless the platform's webhooks tell
 * which were taken. At the platform's usual 100 ms an answer it is 1,000 a second.
 */
const WINDOW = 100;

export interface ChatModuleDeps {
  readonly sql: Sql;
  readonly asyncCommitSql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly owner: string;
  readonly accounts: Accounts;
  readonly prices: Prices;
  readonly contactLists: ContactLists;
  readonly numbers: NumberReader;
  readonly events: Events;
  readonly recorder: { add(update: DeliveryUpdate, stored: () => void): void };
  /** Called after a commit with the messages that were read. */
  readonly changed: (accountId: number, messageIds: Iterable<number>) => void;
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
  readonly control: CampaignControl;
  /** Of accounts that have none of their own. */
  readonly defaultZone: string;
  readonly platformUrl: string;
  readonly appId: string;
  /** Address of the page behind buttons that call or write an e-mail. */
  readonly contactPage: string;
  readonly clientPauseMs: number;
  readonly unansweredDays: number;
  readonly mediaCheck: MediaCheckMode;
  /** Whether media may lie at private addresses. */
  readonly allowPrivate: boolean;
}

/** Creates the modules of chat. */
export function createChatModule(deps: ChatModuleDeps) {
  const { platformUrl, contactPage, mediaCheck, allowPrivate, unansweredDays, clientPauseMs } = deps;
  const client = new ChatPlatformClient({
    baseUrl: platformUrl,
    contactPage,
    tlsPeer: new TlsPeer('chat', deps.log),
  });
  const agent = createGuardedAgent({ allowPrivate });
  const media = new MediaCheck({ agent, mode: mediaCheck });
  const chatNumbers = new ChatNumbers(deps);
  const templates = new Templates({
    ...deps,
    numbers: chatNumbers,
    platform: client,
    media: agent,
    syncEveryMs: SYNC_MS,
  });
  const common = {
    ...deps,
    chatNumbers,
    templates,
    checkMedia: templateMediaCheck(media),
    forgetUnansweredMs: unansweredDays * DAY,
    validityMs: VALIDITY_MS,
  };
  const sender = new ChatSender({ ...common, numbers: chatNumbers, reader: deps.numbers });
  const campaigns = new Campaigns(common);
  const campaignSource = new ChatCampaignSource(common);
  const inbound = new ChatInbound({ ...deps, numbers: chatNumbers, templates });
  let connectors: ChatConnectors | undefined;

  return {
    media,
    chatNumbers,
    templates,
    sender,
    campaigns,
    campaignSource,
    inbound,

    /** Gives the dispatcher a link for each business number, as they come and go. */
    async dispatchTo(holder: ConnectorHolder): Promise<void> {
      connectors = new ChatConnectors({
        client,
        numbers: chatNumbers,
        holder,
        log: deps.log,
        window: WINDOW,
        clientPauseMs,
      });
      await connectors.start();
    },

    /** Adds no more links. Before the dispatcher stops. */
    stopLinks: async (): Promise<void> => connectors?.stop(),

    /** Ends what is under way with the platform. After the dispatcher has stopped. */
    async stop(graceMs: number): Promise<void> {
      await templates.stop();
      await client.close(graceMs);
      await agent.close();
    },
  };
}

export type ChatModule = ReturnType<typeof createChatModule>;
