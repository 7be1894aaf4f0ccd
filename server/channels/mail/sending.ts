import type { Accounts } from '../../accounts/accounts.ts';
import type { Prices } from '../../accounts/prices.ts';
import type { Sources } from '../../audience/sources.ts';
import type { CampaignControl } from '../../campaigns/control.ts';
import { type DkimSettings, MailConnector } from '../../carriers/smtp/connector.ts';
import { DEFAULT_RELAY, type RelaySettings } from '../../carriers/smtp/relay.ts';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import type { DeliveryUpdate } from '../../dispatch/recorder.ts';
import type { Events } from '../../events/events.ts';
import type { IdSource } from '../../ids.ts';
import type { Clicks } from '../../links/clicks.ts';
import type { Lane } from '../../messages/lanes.ts';
import type { SecretTexts } from '../../messages/secret-text.ts';
import type { Logger } from '../../observability/log.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { status } from '../../statuses.ts';
import { BounceReader } from './bounce-reader.ts';
import type { BounceRecorder } from './bounce-recorder.ts';
import { MailBounces } from './bounces.ts';
import { MailCampaignSource } from './campaign-source.ts';
import { MailCampaigns } from './campaigns.ts';
import { MAIL_ROUTES } from './channel.ts';
import { MailRenderer } from './compose.ts';
import { Contents } from './contents.ts';
import { MailOutbox } from './mail-outbox.ts';
import type { MailModule } from './module.ts';
import { MailOpens } from './opens.ts';
import { MailSenders } from './senders.ts';
import { SignedTokens } from './signed-tokens.ts';

/**
 * Mails submitted without their outcome being stored: what a crash can send twice at most. Storing takes some 20 ms, so
 * it is 5,000 a second; the relay's connections are fewer.
 */
const WINDOW = 100;

export interface MailSendingDeps {
  readonly sql: Sql;
  readonly asyncCommitSql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly accounts: Accounts;
  readonly prices: Prices;
  readonly sources: Sources;
  readonly secretTexts: SecretTexts;
  readonly events: Events;
  readonly clicks: Clicks;
  readonly module: Pick<MailModule, 'lists' | 'users' | 'removals'>;
  readonly recorder: { add(update: DeliveryUpdate): void };
  readonly secrets: SecretBox;
  readonly bounceRecorder: BounceRecorder;
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
  readonly control: CampaignControl;
  /** Undefined: mails are taken by nobody. */
  readonly relay: RelaySettings | undefined;
  readonly dkim: DkimSettings | undefined;
  /** Where mails come from that no account has written. */
  readonly from: string;
  readonly bounceDomain: string | undefined;
  readonly validityMs: number;
  /** Whether senders must be approved. */
  readonly checkSenders: boolean;
  /** What links begin with, without a slash at the end. */
  readonly base: () => string;
}

/** Puts together what sends mails and hears of them. */
export async function createMailSending(deps: MailSendingDeps) {
  const { sql, secrets, relay, module } = deps;
  const { lists, users, removals } = module;
  const signedTokens = new SignedTokens(await installationKey(sql, secrets, 'mail-marks'), {
    earlierUntil: await timeOfLongTokens(sql),
  });
  const contents = new Contents(sql);
  const route = MAIL_ROUTES + (relay?.name ?? DEFAULT_RELAY);
  const common = { ...deps, route, contents, signedTokens, lists, users };
  const renderer = new MailRenderer({ ...common, removals });
  const outbox = new MailOutbox(common);
  const senders = new MailSenders(deps.sources, deps.checkSenders);
  const opens = new MailOpens(common);

  return {
    outbox,
    opens,
    campaigns: new MailCampaigns({ ...common, senders, outbox, isSetUp: relay !== undefined }),
    campaignSource: new MailCampaignSource(common),
    contents,
    bounces: new MailBounces({ ...common, book: deps.bounceRecorder, reader: new BounceReader() }),

    bounceDomain: deps.bounceDomain,

    /** The relay as a link of the dispatcher; undefined without one. */
    link: relay && openLink(relay, route, renderer, deps),

    /** Writes what waits. After the dispatcher has stopped. */
    async stop(): Promise<void> {
      await Promise.all([renderer.stop(), opens.stop()]);
    },
  };
}

export type MailSending = Awaited<ReturnType<typeof createMailSending>>;

function openLink(
  relay: RelaySettings,
  name: string,
  renderer: MailRenderer,
  deps: MailSendingDeps,
): MailConnector {
  return new MailConnector(relay, {
    name,
    log: deps.log,
    read: (message) => renderer.read(message),
    refused: { recipient: status.undelivered, content: status.rejected },
    window: WINDOW,
    dkim: deps.dkim,
  });
}

/** The migration that came with tokens of 128 bits. */
const LONG_TOKENS = 31;

/** When this installation began to write tokens of 128 bits, in milliseconds since the epoch. */
async function timeOfLongTokens(sql: Sql): Promise<number> {
  const [row] = await sql<{ applied_at: number }[]>`
    SELECT applied_at FROM migrations WHERE number = ${LONG_TOKENS}`;
  return row?.applied_at ?? 0;
}
