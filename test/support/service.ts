import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from '../../server/api/sms/wire/decode.ts';
import { checkAnswers } from '../../server/api/v1/kit/answer-check.ts';
import { channels } from '../../server/channels/index.ts';
import type { Sql } from '../../server/database/connection.ts';
import type { AdjustableClock, Clock } from '../../server/kit/clock.ts';
import { readConfig } from '../../server/kit/config.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { roles } from '../../server/kit/process-roles.ts';
import type { Account, NewAccount } from '../../server/modules/accounts/accounts.ts';
import { CREDIT } from '../../server/modules/accounts/money.ts';
import { mediaThread } from '../../server/protocols/sip/media-thread.ts';
import { type AppContext, closeAppContext } from '../../server/run/app-context.ts';
import { openAppContext } from '../../server/run/open-app-context.ts';
import { startService } from '../../server/run/service.ts';
import { loadClock } from '../../server/sandbox/clock-store.ts';
import { startSandbox } from '../../server/sandbox/sandbox.ts';
import { assertBooksBalance } from './books.ts';
import { atEnd, createDatabase } from './database.ts';
import { VOICE_ESPEAK } from './espeak.ts';
import { once } from './once.ts';
import { newPhone } from './phones.ts';
import { SECRET_KEY } from './secrets.ts';
import { type PlainAnswer, sendRequest } from './send-request.ts';
import { toXml } from './xml.ts';

// A /v1 response that does not match its schema is a failure in every test.
checkAnswers();

export const DEMO_TOKEN = 'the-token-of-the-demo-account';
export const DEMO_PASSWORD = 'the password of demo';

export type Form = 'xml' | 'json';
export const forms: readonly Form[] = ['xml', 'json'];
export type Content = Record<string, unknown>;

/** The content of a send of one SMS to a phone of its own. */
export const oneSms = (over: Content = {}): Content => ({
  source: 'Shop',
  destinations: { phone: newPhone() },
  message: 'Hello',
  ...over,
});
export type Fields = Record<string, unknown>;

export interface Answer {
  readonly http: number;
  readonly headers: Headers;
  readonly status: number;
  readonly message: string;
  /** Every field of the answer; of XML, all values are texts and a list is an array as in JSON. */
  readonly fields: Fields;
  readonly form: Form;
  /** The root element of an XML answer. */
  readonly root: string | undefined;
}

export interface CallOptions {
  /** undefined: the demo account's; null: none. */
  readonly token?: string | null | undefined;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Calls one operation. Without `user` in the content it is for the demo account. */
export type Calls = (root: string, content: Content, options?: CallOptions) => Promise<Answer>;

export interface TestService {
  readonly url: string;
  readonly sql: Sql;
  readonly appContext: AppContext;
  readonly demo: Account;
  /** Posts a body as it is. */
  post(body: string | Uint8Array, options?: CallOptions): Promise<Answer>;
  /** Calls an operation in one of the forms. */
  call(form: Form, root: string, content: Content, options?: CallOptions): Promise<Answer>;
  /** Texts that arrived at a phone of the sandbox, oldest first. */
  phone(number: string): Promise<{ id: string; from: string; text: string; at: string }[]>;
  /** Lets a phone of the sandbox send an SMS. */
  sendFromPhone(number: string, to: string, text: string): Promise<void>;
  /** Moves the sandbox's clock on. */
  advance(seconds: number): Promise<void>;
  /** An account with a token and credits. */
  addAccount(
    account: Partial<NewAccount> & { username: string },
    credits?: number,
  ): Promise<Account & { token: string }>;
  balance(accountId?: number): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the whole service in this process on a fresh database, with the sandbox unless `sandbox` is false. When the file
 * ends, checks the books and stops the service.
 */
export async function startTestService(
  options: {
    settings?: Record<string, string>;
    sandbox?: boolean;
    phoneClock?: Clock;
    /** `migrate` for a channel that brings migrations of its own. */
    schema?: 'migrate';
    /** Receives the log line by line; the default is standard error. */
    logTo?: (line: string) => void;
  } = {},
): Promise<TestService> {
  const { target, sql } = await createDatabase();
  const config = readConfig(
    {
      DATABASE_URL: `postgres://carillon:${target.password}@localhost:${target.port}/${target.database}?host=${encodeURIComponent(target.host)}`,
      DATABASE_CONNECTIONS: '6',
      SECRET_KEY,
      PORT: '0',
      LOG_LEVEL: 'error',
      CARILLON_DEMO_TOKEN: DEMO_TOKEN,
      CARILLON_DEMO_PASSWORD: DEMO_PASSWORD,
      SANDBOX_RECEIPT_DELAY_MS: '10',
      MEDIA_DIR: join(tmpdir(), `media-${target.database}`),
      ERASURES_DIR: join(tmpdir(), `erasures-${target.database}`),
      ...(VOICE_ESPEAK !== undefined && { VOICE_ESPEAK }),
      ...options.settings,
    },
    channels,
  );
  const log = createLogger(config.LOG_LEVEL, options.logTo && { write: options.logTo });
  let clock: AdjustableClock | undefined;
  const appContext = await openAppContext(
    config,
    channels,
    log,
    async (database) => {
      clock = await loadClock(database.sql);
      return clock;
    },
    options,
  );
  const withSandbox = options.sandbox ?? true;
  if (withSandbox) {
    // Shared by the services of all files, because starting it takes 0.1 s of processor time.
    once(
      'media thread',
      () => mediaThread.hold(),
      (release) => release(),
    );
  }
  const sandbox = withSandbox ? await startSandbox({ ...appContext, clock: clock!, sql }) : undefined;
  const service = await startService(appContext, withSandbox ? roles : ['api'], sandbox, (error) => {
    throw error;
  }).catch(async (error: unknown) => {
    // Open sockets would keep the process of the tests.
    await sandbox?.close();
    await closeAppContext(appContext);
    throw error;
  });
  const url = service.url!;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop(5_000);
    return stopped;
  };
  atEnd(async () => {
    await stop();
    await assertBooksBalance(sql);
  });

  async function api(path: string, body?: object): Promise<unknown> {
    const { status, text } = await sendRequest(`${url}/v1/sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    assert.equal(status, 200, `the sandbox's API answered ${status}`);
    return JSON.parse(text);
  }

  async function post(body: string | Uint8Array, { token, path, headers }: CallOptions = {}) {
    const answer = await sendRequest(`${url}${path ?? '/api'}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'text/plain;charset=UTF-8',
        ...(token !== null && { authorization: `Bearer ${token ?? DEMO_TOKEN}` }),
        ...headers,
      },
    });
    return readAnswer(answer);
  }

  const demo = sandbox ? (await appContext.accounts.byUsername('demo'))! : undefined;
  return {
    url,
    sql,
    appContext,
    get demo() {
      return demo!;
    },
    post,
    call: (form, root, content, callOptions) => post(write(form, root, content), callOptions),
    async phone(number) {
      return ((await api(`phones/${number}`)) as { sms: [] }).sms;
    },
    async sendFromPhone(number, to, text) {
      await api(`phones/${number}/sms`, { to, text });
    },
    async advance(seconds) {
      await api('clock', { advance: seconds });
    },
    async addAccount(account, credits = 1_000) {
      const { accounts, wallets, tokens } = appContext;
      const made = await accounts.create({ name: account.username, ...account });
      if (credits > 0) await wallets.topUp(made.id, credits * CREDIT, 'test');
      const { token } = await tokens.mint(made.id);
      return { ...made, token };
    },
    async balance(accountId = demo!.id) {
      return (await appContext.wallets.balance(accountId)) / CREDIT;
    },
    stop,
  };
}

/** A request in one of the two forms, from the shape that JSON has. */
export function write(form: Form, root: string, content: Content): string {
  const whole = { user: { username: 'demo' }, ...content };
  return form === 'json' ? JSON.stringify({ [root]: whole }) : toXml(root, whole);
}

function readAnswer({ status, headers, text }: PlainAnswer): Answer {
  const type = String(headers['content-type'] ?? '');
  const common = { http: status, headers: headersOf(headers) };
  if (type.startsWith('application/json')) {
    const fields = JSON.parse(text) as Fields;
    return {
      ...common,
      form: 'json',
      root: undefined,
      fields,
      status: fields.status as number,
      message: String(fields.message),
    };
  }
  assert.equal(type, 'application/xml; charset=utf-8');
  assert.ok(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n'), text.slice(0, 60));
  const { root, content } = decode(Buffer.from(text));
  const fields = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, unwrap(name, value)]),
  );
  return {
    ...common,
    form: 'xml',
    root,
    fields,
    status: Number(fields.status),
    message: String(fields.message),
  };
}

const headersOf = (headers: PlainAnswer['headers']) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])) as [
      string,
      string,
    ][],
  );

const lists = new Set([
  'transactions',
  'errors',
  'identifiers',
  'contact_lists',
  'balances',
  'verified_phones',
]);

/** `<errors><error>a</error></errors>` as `['a']`. */
function unwrap(name: string, value: unknown): unknown {
  if (!lists.has(name)) return value;
  if (value === '') return [];
  const [entries] = Object.values(value as Fields);
  return Array.isArray(entries) ? entries : [entries];
}
