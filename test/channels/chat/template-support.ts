import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import {
  type ChatNumber,
  ChatNumbers,
  type Portfolio,
} from '../../../server/channels/chat/business-numbers.ts';
import type { TemplateDraft } from '../../../server/channels/chat/template-check.ts';
import { type Template, Templates, type TemplatesDeps } from '../../../server/channels/chat/templates.ts';
import type { Sql } from '../../../server/database/connection.ts';
import type { TemplateStatusChanged } from '../../../server/engine/events/types.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createGuardedAgent } from '../../../server/kit/http/ssrf-guard.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { type Account, Accounts } from '../../../server/modules/accounts/accounts.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import type { TemplateStatusFact } from '../../../server/protocols/chat-platform/facts.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { parseNotification } from '../../../server/protocols/chat-platform/webhooks.ts';
import type { SandboxPlatformBehaviour } from '../../../server/sandbox/chat-platform/options.ts';
import { SandboxChatPlatform } from '../../../server/sandbox/chat-platform/platform.ts';
import type { SandboxTemplate } from '../../../server/sandbox/chat-platform/prepared.ts';
import { type Receiver, startEvents, startReceiver } from '../../engine/events/support.ts';
import { createDatabase } from '../../support/database.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import { orderContent } from './plain-template.ts';

export const BUSINESS = '1029384756';
export const TOKEN = 'business token';
export const APP = '555000';
export const PHONE = '972550000007';
const HOUR = 3_600_000;

/** What stands between the client and the sandbox's platform, to be away, late or silent. */
export interface Front {
  readonly url: string;
  /** Method and path of every request that came, without query. */
  readonly requests: string[];
  /** The outcome of a request; undefined lets it through, a promise lets its answer wait. */
  treat: (request: IncomingMessage) => 'away' | 'cut-answer' | Promise<void> | undefined;
}

/**
 * A module of templates as the service has it, on a database of its own, with the sandbox's platform at its other end.
 */
export interface TemplatesUnderTest {
  readonly sql: Sql;
  readonly clock: AdjustableClock;
  readonly account: Account;
  readonly numbers: ChatNumbers;
  readonly portfolio: Portfolio;
  readonly number: ChatNumber;
  readonly templates: Templates;
  readonly platform: SandboxChatPlatform;
  readonly front: Front;
  readonly receiver: Receiver;
  /** Another process on the same database. */
  another(deps?: Partial<TemplatesDeps>): Templates;
  /** A second number of the portfolio. */
  addNumber(phone: string, numberPlatformId: string): Promise<ChatNumber>;
  /** The events that webhooks brought, in the order of their time. */
  events(): TemplateStatusChanged[];
  /** Waits until a template has this status; meanwhile `run` is called as the role `jobs` does. */
  status(template: Pick<Template, 'id'>, status: number): Promise<Template>;
  /** The statuses of a template's history. */
  history(template: Pick<Template, 'id'>): Promise<number[]>;
  /** Makes a template on the platform without us. */
  elsewhere(name: string, components?: readonly object[]): SandboxTemplate;
}

// One database for the tests of a file, one after another: each has an account of its own, and tables without others.
const { sql } = await createDatabase();
const clock = new AdjustableClock();
const events = await startEvents(sql, clock);
let modules = 0;
let processes = 0;

/** For one test at a time: it empties the tables of templates and numbers. */
export async function startTemplates(
  t: TestContext,
  behaviour: Partial<SandboxPlatformBehaviour> & { readonly templates?: readonly SandboxTemplate[] } = {},
): Promise<TemplatesUnderTest> {
  await sql`
    TRUNCATE chat_portfolios, chat_numbers, chat_templates, chat_template_statuses, chat_template_submissions,
      chat_template_syncs, chat_reach, work`;
  const ids = createIdSource(++processes % 63, clock);
  const log = createLogger('silent');
  const account = await new Accounts(sql, ids, clock).create({ username: `shop-${++modules}`, name: 'Shop' });
  const receiver = await startReceiver();
  await events.endpoints.register({ accountId: account.id, kind: 'webhook', url: receiver.url });
  const numbers = new ChatNumbers({ sql, ids, clock, secrets });
  const portfolio = await numbers.createPortfolio({
    accountId: account.id,
    name: 'Shop',
    tier: 250,
    platformId: BUSINESS,
    accessToken: TOKEN,
  });
  const addNumber = (phone: string, platformId: string) =>
    numbers.addNumber({
      phone,
      accountId: account.id,
      portfolioId: portfolio.id,
      name: 'Shop',
      platformId,
      messagesPerSecond: 80,
    });
  const number = await addNumber(PHONE, '660077');
  const { templates: given, ...rest } = behaviour;
  const platform = new SandboxChatPlatform({
    appId: APP,
    appSecret: 'app secret',
    businesses: [
      {
        accountId: BUSINESS,
        token: TOKEN,
        numbers: [{ phoneNumberId: '660077', number: PHONE }],
        ...(given && { templates: given }),
      },
    ],
    clock,
    log,
    reviewDelayMs: 5,
    webhookRetryMs: 5,
    ...rest,
  });
  const port = await platform.listen(0);
  const front = await startFront(t, port);
  const made: Templates[] = [];
  const another = (deps: Partial<TemplatesDeps> = {}) => {
    const client = new ChatPlatformClient({
      baseUrl: front.url,
      contactPage: 'https://carillon.example/contact',
    });
    const media = createGuardedAgent({ allowPrivate: true });
    t.after(() => Promise.all([client.close(), media.close()]));
    const owner = `process-${made.length}`;
    const process = new Templates({
      sql,
      ids: made.length === 0 ? ids : createIdSource(++processes % 63, clock),
      clock,
      log,
      events,
      numbers: made.length === 0 ? numbers : new ChatNumbers({ sql, ids, clock, secrets }),
      platform: client,
      appId: APP,
      media,
      work: workFor({ sql, clock }, owner),
      syncEveryMs: HOUR,
      ...deps,
    });
    made.push(process);
    return process;
  };
  const templates = another();
  platform.notifier.callbackUrl = await startWebhooks(t, templates);
  t.after(async () => {
    await platform.close();
    await Promise.all(made.map((process) => process.stop()));
  });

  return {
    sql,
    clock,
    account,
    numbers,
    portfolio,
    number,
    templates,
    platform,
    front,
    receiver,
    another,
    addNumber,
    events: () =>
      receiver.received
        .map(
          ({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: TemplateStatusChanged },
        )
        .filter(({ type }) => type === 'template.status')
        .toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp))
        .map(({ data }) => data),
    status: ({ id }, status) =>
      waitFor(`status ${status}`, async () => {
        await runTemplates(templates);
        const template = await templates.byRowId(account.id, id);
        return template?.status === status && template;
      }),
    async history({ id }) {
      return (await templates.history(account.id, id)).map(({ status }) => status);
    },
    elsewhere: (name, components = [{ type: 'BODY', text: 'Made elsewhere.' }]) =>
      platform.submit(TOKEN, { name, language: 'en', category: 'UTILITY', components }, () => undefined),
  };
}

/** A template that nothing is wrong with, but for what is given. */
export function draft(name: string, content: Partial<TemplateContent> = {}, language = 'en'): TemplateDraft {
  return { name, language, content: { ...orderContent, ...content } };
}

/** A review of a template as the platform's webhook tells it; `at` in milliseconds. */
export function review(
  template: Pick<Template, 'platformId' | 'name' | 'language'>,
  event: string,
  status: TemplateStatusFact['status'],
  at: number,
  reason = 'NONE',
): TemplateStatusFact {
  return {
    kind: 'template-status',
    accountId: BUSINESS,
    templateId: template.platformId ?? '',
    name: template.name,
    language: template.language,
    status,
    event,
    reason,
    at: Math.floor(at / 1_000) * 1_000,
  };
}

/** An HTTP server for the time of a test. */
export async function startServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startFront(t: TestContext, port: number): Promise<Front> {
  const front: Omit<Front, 'url'> = { requests: [], treat: () => undefined };
  const url = await startServer(t, (incoming, answer) => {
    front.requests.push(`${incoming.method} ${incoming.url!.split('?')[0]}`);
    const treatment = front.treat(incoming);
    if (treatment === 'away') answer.writeHead(503).end();
    else pass(port, incoming, answer, treatment);
  });
  return Object.assign(front, { url });
}

function pass(
  port: number,
  incoming: IncomingMessage,
  answer: ServerResponse,
  treatment: 'cut-answer' | Promise<void> | undefined,
): void {
  const { method, url, headers } = incoming;
  const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    if (treatment === 'cut-answer') {
      answer.socket!.destroy();
      return;
    }
    await treatment;
    answer.writeHead(response.statusCode!, response.headers).end(Buffer.concat(chunks));
  });
  forwarded.on('error', () => answer.socket?.destroy());
  incoming.pipe(forwarded);
}

/** Takes the platform's webhooks as the service does, in the order in which they come. */
async function startWebhooks(t: TestContext, templates: Templates): Promise<string> {
  return startServer(t, async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    for (const fact of parseNotification(Buffer.concat(chunks), Date.now()).facts ?? []) {
      if (fact.kind === 'template-status') await templates.applyReview(fact);
    }
    answer.end();
  });
}

/** What the jobs do of templates: submits what waits, and fetches what is due. */
export async function runTemplates(templates: Pick<Templates, 'submitDue' | 'fetchDue'>): Promise<void> {
  await Promise.all([templates.submitDue(), templates.fetchDue()]);
}
