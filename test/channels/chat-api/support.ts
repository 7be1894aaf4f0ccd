import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { TemplateButton, TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { plainContent } from '../chat/plain-template.ts';

/** The demo account's business number (decisions, section 5). */
export const SOURCE = '972550000001';
export const templateId = (suffix: string): string => `1_${SOURCE}_${suffix}`;

export type Body = Readonly<Record<string, unknown>>;

export interface ChatAnswer {
  readonly http: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
  readonly success: unknown;
  readonly message: string;
  readonly ans: Readonly<Record<string, unknown>>;
}

export interface PostOptions {
  /** undefined: the demo account's; null: none. */
  readonly token?: string | null;
  readonly prefix?: string;
  readonly headers?: Record<string, string>;
}

/** A phone (`05xxxxxxxx`) that no other test of the file uses, where chat messages arrive. */
export function newChatPhone(): string {
  let phone: string;
  do phone = newPhone();
  while (/000\d$/.test(phone));
  return phone;
}

/** As `newChatPhone`, in E.164 digits. */
export const newClient = (): string => stored(newChatPhone());

/** A notification of the chat platform about the demo account's business number, as the body of its webhook. */
export function notification(value: object): string {
  const metadata = { display_phone_number: SOURCE, phone_number_id: '200000000000001' };
  const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '100000000000001', changes: [change] }],
  });
}

/** Header with the signature of a webhook of the chat platform. */
export const signedWith = (secret: string, body: string | Buffer) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

/** A sandbox with the demo account's business number and templates, and ways to speak to it. */
export async function startChat(settings: Record<string, string> = {}) {
  const service = await startTestService({ settings });
  const { url, sql } = service;

  async function request(path: string, init: RequestInit, options: PostOptions): Promise<ChatAnswer> {
    const { token = DEMO_TOKEN, prefix = '/chat-api', headers } = options;
    const response = await fetch(`${url}${prefix}/${path}`, {
      ...init,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });
    const json = (await response.json()) as Record<string, unknown>;
    return {
      http: response.status,
      headers: response.headers,
      json,
      success: json.success,
      message: String(json.message),
      ans: (json.ans ?? {}) as Record<string, unknown>,
    };
  }

  const get = (path: string, options: PostOptions = {}) => request(path, {}, options);
  const post = (path: string, body: Body | string, options: PostOptions = {}) =>
    request(
      path,
      { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
      { ...options, headers: { 'content-type': 'application/json', ...options.headers } },
    );

  /** Sends what is to be accepted. */
  async function accepted(path: string, body: Body, options?: PostOptions) {
    const answer = await post(path, body, options);
    assert.equal(answer.success, true, answer.message);
    assert.deepEqual([answer.http, answer.ans.status, answer.ans.reason], [200, 'OK', 1]);
    assert.match(String(answer.ans.unique), /^\d{10,}$/);
    return answer;
  }

  /** Sends what is to be refused: with this reason, and nothing happens. */
  async function refused(path: string, body: Body, reason: number, message: RegExp, options?: PostOptions) {
    const before = await countTaken();
    const answer = await post(path, body, options);
    assert.equal(answer.ans.reason, reason, `${JSON.stringify(body).slice(0, 300)}: ${answer.message}`);
    assert.match(answer.message, message);
    assert.deepEqual(
      [answer.http, answer.success, answer.ans.status, answer.ans.unique],
      [200, false, 'FAIL', ''],
    );
    assert.deepEqual(await countTaken(), before);
    return answer;
  }

  /** What was taken of everybody: of money and events only what does not come from earlier messages that failed. */
  async function countTaken(): Promise<Record<string, unknown>> {
    const { ledger, money, events, ...rows } = await countEverything(sql);
    const [charges] = await sql`
      SELECT count(*) FILTER (WHERE amount < 0) AS charges, sum(amount) FILTER (WHERE amount < 0) AS charged
      FROM ledger`;
    return { ...rows, ...charges };
  }

  /** Lets a client write to the business number; fulfilled when their window is open. Our id of what they wrote. */
  async function clientWrites(client: string, body = 'Hello'): Promise<string> {
    const last = await lastIncoming(client);
    const response = await fetch(`${url}/v1/sandbox/phones/${client}/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: SOURCE, body }),
    });
    assert.equal(response.status, 200, await response.text());
    return waitFor('what the client wrote is stored', async () => {
      const id = await lastIncoming(client);
      return id !== last && String(id);
    });
  }

  async function lastIncoming(client: string): Promise<number | undefined> {
    const [row] = await sql<{ id: number }[]>`
      SELECT id FROM chat_incoming WHERE client = ${client} ORDER BY id DESC LIMIT 1`;
    return row?.id;
  }

  /** A client who has just written. */
  async function writingClient(): Promise<string> {
    const client = newClient();
    await clientWrites(client);
    return client;
  }

  /** What arrived by chat at a phone of the sandbox, oldest first, once there is something. */
  async function arrived(client: string): Promise<Record<string, unknown>[]> {
    return waitFor(`something arrives at ${client}`, async () => {
      const response = await fetch(`${url}/v1/sandbox/phones/${client}`, {
        headers: { authorization: `Bearer ${DEMO_TOKEN}` },
      });
      const { chat } = (await response.json()) as { chat: Record<string, unknown>[] };
      return chat.length > 0 && chat;
    });
  }

  /** A template of the demo account's number, as if it had been made and reviewed. */
  async function addTemplate(
    suffix: string,
    content: Partial<TemplateContent>,
    { status = 1, statusAt = service.appContext.clock.now(), language = 'en' } = {},
  ): Promise<string> {
    const whole: TemplateContent = {
      ...plainContent,
      category: 'UTILITY',
      ...content,
    };
    const id = service.appContext.ids.next();
    await sql`
      INSERT INTO chat_templates (account_id, id, template_id, phone, name, language, category, content, status,
        status_at, created_at)
      VALUES (${service.demo.id}, ${id}, ${templateId(suffix)}, ${SOURCE}, ${suffix}, ${language}, ${whole.category},
        ${sql.json(whole as never)}, ${status}, ${statusAt}, ${statusAt})`;
    return templateId(suffix);
  }

  await waitFor('the templates of the demo account', async () => {
    const { json } = await get(`get-phone-templates/${SOURCE}`);
    return (json.templates as unknown[]).length >= 10;
  });
  return {
    ...service,
    get,
    post,
    accepted,
    refused,
    clientWrites,
    writingClient,
    arrived,
    addTemplate,
  };
}

export const website = (url: string, dynamic: boolean): TemplateButton => ({
  kind: 'website',
  text: 'Open it',
  url,
  dynamic,
  sample: `${url}1`,
});

/** A server of files on this machine: `/<bytes>/<anything>.<extension>` has so many bytes; its address. */
export async function startFiles(types: Readonly<Record<string, string>> = {}): Promise<string> {
  const known: Readonly<Record<string, string>> = {
    jpg: 'image/jpeg',
    png: 'image/png',
    mp4: 'video/mp4',
    pdf: 'application/pdf',
    html: 'text/html',
    ...types,
  };
  const server = createServer((request, response) => {
    const [, bytes = '', extension = ''] = /^\/(\d+)\/[^?]*?\.(\w+)/.exec(request.url!) ?? [];
    if (bytes === '') return void response.writeHead(404).end();
    const headers = {
      'content-type': known[extension] ?? 'application/octet-stream',
      'content-length': bytes,
    };
    response.writeHead(200, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
