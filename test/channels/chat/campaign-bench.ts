import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import type { CampaignRequest } from '../../../server/channels/chat/campaign-request.ts';
import { ChatCampaignSource } from '../../../server/channels/chat/campaign-source.ts';
import { Campaigns } from '../../../server/channels/chat/campaigns.ts';
import { chatChannel } from '../../../server/channels/chat/channel.ts';
import { chatDelivery } from '../../../server/channels/chat/reversal.ts';
import { chatRoute } from '../../../server/channels/chat/statuses.ts';
import { insertTemplates, templateIdOf } from '../../../server/channels/chat/template-rows.ts';
import { Templates } from '../../../server/channels/chat/templates.ts';
import { channels } from '../../../server/channels/index.ts';
import type { Sql } from '../../../server/database/connection.ts';
import { onePlacement } from '../../../server/database/placements.ts';
import { StatusCallbacks } from '../../../server/engine/callbacks/status-callbacks.ts';
import { CampaignEngine } from '../../../server/engine/campaigns/engine.ts';
import { Expander } from '../../../server/engine/campaigns/expander.ts';
import { findCampaign } from '../../../server/engine/campaigns/rows.ts';
import { loadBatches } from '../../../server/engine/dispatch/batch-messages.ts';
import { claimBatches } from '../../../server/engine/dispatch/batches.ts';
import { Recorder } from '../../../server/engine/dispatch/recorder.ts';
import { Events } from '../../../server/engine/events/events.ts';
import type { Event } from '../../../server/engine/events/types.ts';
import { Canceller } from '../../../server/engine/messages/cancel.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { SecretTexts } from '../../../server/engine/messages/secret-text.ts';
import { createGuardedAgent } from '../../../server/kit/http/ssrf-guard.ts';
import type { IdSource } from '../../../server/kit/ids.ts';
import { displayNumber } from '../../../server/kit/numbers/phone-numbers.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import type { Contact } from '../../../server/modules/audience/contact-lists.ts';
import { ContactLists } from '../../../server/modules/audience/contact-lists.ts';
import { Suppressions } from '../../../server/modules/audience/suppressions.ts';
import { Consents } from '../../../server/modules/consents/consents.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import {
  type TemplateStatus,
  templateStatus,
} from '../../../server/protocols/chat-platform/template-status.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { atEnd } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { secrets } from '../../support/secrets.ts';
import { workFor } from '../../support/work.ts';
import { createChatBench, DAY, ZONE } from './admissions.ts';
import { plainContent } from './plain-template.ts';

/** A message of a campaign as tests look at it. */
export interface CampaignMessageRow {
  readonly id: number;
  readonly phone: string;
  readonly content: { readonly values: { readonly body: string[]; readonly buttons: unknown[] } } | null;
  readonly status: number;
  readonly code: string | null;
  readonly price: number;
  readonly batch_id: number;
}

/** Stores a template of a business number; `over` is what it has other than the plain one. Its id in the interface. */
export async function storeTemplate(
  sql: Sql,
  ids: IdSource,
  now: number,
  { accountId, phone }: Pick<ChatNumber, 'accountId' | 'phone'>,
  over: Partial<TemplateContent> = {},
  status: TemplateStatus = templateStatus.approved,
): Promise<string> {
  const id = ids.next();
  const content = { ...plainContent, ...over };
  const template = {
    ...{ id, accountId, templateId: templateIdOf(phone, id), phone, name: 'greeting', language: 'en' },
    ...{
      category: content.category,
      content,
      status,
      statusAt: now,
      createdAt: now,
      platformId: `template-${id}`,
    },
  };
  await sql.begin((tx) => insertTemplates(tx, ids, accountId, [template]));
  return template.templateId;
}

/** The modules of campaigns, on a database of their own, with a clock that a test moves and nobody who dispatches. */
export async function createCampaignBench() {
  const bench = await createChatBench();
  const { sql, ids, clock, accounts, prices, numbers, reader } = bench;
  const log = createLogger('silent');
  const events = new Events({
    secrets,
    sql,
    ids,
    clock,
    log,
    boot: 'campaigns',
    allowPrivate: true,
    displayNumber,
    timeZoneOf: () => ZONE,
    deliver: false,
  });
  const contactLists = new ContactLists({ sql, ids, clock });
  // Nobody answers there: what is sent goes no further than the queue.
  const platform = new ChatPlatformClient({ baseUrl: 'http://127.0.0.1:9', contactPage: '' });
  const media = createGuardedAgent({ allowPrivate: true });
  atEnd(async () => {
    await platform.close();
    await media.close();
  });
  const templates = new Templates({
    ...{ sql, ids, clock, log, events, numbers, platform, media },
    appId: 'app',
    work: workFor({ sql, clock }),
    syncEveryMs: DAY,
  });
  const paused: number[] = [];
  const resumed: number[] = [];
  const common = {
    ...{ sql, ids, clock, accounts, prices, events, contactLists, templates, log, channels },
    suppressions: new Suppressions({ sql, secrets }),
    numbers: reader,
    ...openGate({
      sql,
      clock,
      accounts,
      channels,
      defaultZone: ZONE,
      consents: new Consents({ sql, clock, secrets }),
    }),
    chatNumbers: numbers,
    defaultZone: ZONE,
    validityMs: DAY,
    notifyDispatcher() {},
  };
  const engine = new CampaignEngine({
    ...common,
    work: workFor({ sql, clock }, 'campaigns'),
    announcePaused: (shipment) => void paused.push(shipment.shipmentId),
    announceResumed: (shipment) => void resumed.push(shipment.shipmentId),
  });
  const source = new ChatCampaignSource({ ...common, forgetUnansweredMs: 0 });
  engine.add(source);
  const { control } = engine;
  const campaigns = new Campaigns({ ...common, checkMedia: async () => {} });
  const canceller = new Canceller({
    sql,
    ids,
    clock,
    unrendered: engine.unrendered,
    endFallback: async () => false,
    announce() {},
  });
  const recorder = new Recorder({
    placements: onePlacement,
    sql,
    ids,
    clock,
    events,
    log,
    channels,
    prices,
    callbacks: new StatusCallbacks({ secrets }),
    hooks: new Map([[chatChannel.id, chatDelivery]]),
  });
  const expanderOf = (owner: string) =>
    new Expander({ ...common, work: workFor({ sql, clock }, owner) }, new Map([[source.channel, source]]));

  /** A template of a number; `over` is what it has other than the plain one. */
  const newTemplate = (number: ChatNumber, over?: Partial<TemplateContent>, status?: TemplateStatus) =>
    storeTemplate(sql, ids, clock.now(), number, over, status);

  async function newList(
    accountId: number,
    contacts: readonly Contact[],
    listColumns: readonly string[] = [],
  ): Promise<string> {
    const [id] = await contactLists.create(accountId, [{ name: 'list', contacts }]);
    await sql`
      UPDATE contact_lists SET columns = ${[...listColumns]} WHERE account_id = ${accountId} AND id = ${id!}`;
    return String(id);
  }

  return {
    ...bench,
    events,
    contactLists,
    campaigns,
    canceller,
    control,
    finisher: engine.finisher,
    recorder,
    paused,
    resumed,
    expanderOf,
    newTemplate,
    newList,
    /** Asks for a campaign of a number, at once unless `over` says otherwise. */
    create: (number: ChatNumber, templateId: string, over: Partial<CampaignRequest>) =>
      campaigns.create({
        accountId: number.accountId,
        source: number.phone,
        phones: [],
        lists: [],
        templateId,
        ...over,
      }),
    expand: () => expanderOf('expander').run(),
    /** The messages of a campaign in their order, with what each is to say. */
    async messagesOf(id: number): Promise<CampaignMessageRow[]> {
      const rows = await sql<
        (Omit<CampaignMessageRow, 'content' | 'price'> & { text: string; price: string })[]
      >`
        SELECT m.id, m.recipient AS phone, coalesce(m.payload, s.payload) AS text, m.status, m.code, m.price, m.batch_id
        FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
        WHERE m.shipment_id = ${id} ORDER BY m.id`;
      return rows.map(({ text, price, ...row }) => ({
        ...row,
        content: JSON.parse(text),
        price: Number(price),
      }));
    },
    async stateOf(id: number) {
      const [row] = await sql<{ account_id: number; expanded: boolean; held: number; total: number }[]>`
        SELECT account_id, next_at IS NULL AS expanded, held::float AS held, total FROM campaigns WHERE id = ${id}`;
      const { account_id: accountId, expanded, held, total } = row!;
      const { state } = (await findCampaign(sql, accountId, chatChannel.id, id))!;
      return { state, expanded, held, total };
    },
    /** Lets the platform take up to `batches` of a number's batches that are due; how many messages that were. */
    async submit(number: ChatNumber, batches = 1_000): Promise<number> {
      const { accountId, phone } = number;
      const now = clock.now();
      const routes = [chatRoute(phone)];
      const { batches: claimed } = await claimBatches(sql, 'dispatcher', now, {
        accountIds: [accountId],
        lane: lanes.bulk,
        routes,
        each: batches,
        messages: Number.MAX_SAFE_INTEGER,
        copyPauseMs: 0,
      });
      const loaded = await loadBatches(sql, claimed, {
        secretTexts: new SecretTexts(secrets),
        log,
        channels,
      });
      const messages = loaded.flatMap((batch) => batch.messages);
      for (const { id: messageId, destination } of messages) {
        const target = { accountId, messageId, phone: destination };
        recorder.add({
          ...target,
          handedAt: now,
          connector: routes[0]!,
          carrierKeys: [`wamid.${messageId}`],
        });
      }
      for (const batch of loaded) recorder.endBatch({ batch, retryAt: now }, () => {});
      await recorder.drain();
      return messages.length;
    },
    /** Every event of the account that was recorded from now on. */
    async hear(accountId: number): Promise<() => Promise<Event[]>> {
      await events.endpoints.register({ accountId, kind: 'webhook', url: 'http://127.0.0.1:9/events' });
      return async () => {
        const rows = await sql<{ events: string }[]>`
          SELECT events FROM event_batches WHERE account_id = ${accountId} ORDER BY id`;
        return rows.flatMap((row) => JSON.parse(row.events) as Event[]);
      };
    },
    balance: async (accountId: number) => (await bench.wallets.balance(accountId)) / CREDIT,
  };
}
