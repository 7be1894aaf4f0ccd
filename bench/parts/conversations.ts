import { createHmac } from 'node:crypto';
import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { EPOCH, PER_MILLISECOND } from '../../server/kit/ids.ts';
import type { Field } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';
import { access, addNumber } from './chat.ts';
import { type Answered, answered } from './dlr.ts';

/** Messages per round, and before the first round. */
const MESSAGES = 10_000;
const WARM_UP = 3_000;
/** Parallel webhooks. */
const CONNECTIONS = 16;
const READS = 200;
const DAY = 86_400_000;
/** Conversations stored per statement. */
const STEP = 100_000;

type Target = LoadTarget & { kind: 'carillon' };

export interface ConversationsOptions {
  readonly field: Field;
  readonly folder: string;
  /** Number of stored conversations in the second half. */
  readonly conversations: number;
  readonly rounds: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface ConversationRound {
  /** Number of stored conversations. */
  readonly conversations: number;
  /** Clients' messages per second, each by a webhook. */
  readonly perSecond: number;
  /** CPU microseconds per message. */
  readonly server: number;
  readonly postgres: number;
}

export interface ConversationsBench {
  readonly rounds: readonly ConversationRound[];
  readonly reads: readonly {
    readonly conversations: number;
    readonly what: string;
    readonly took: Answered;
  }[];
  /** Maximum resident memory of the server process in bytes, with few and with all conversations. */
  readonly memory: readonly [number, number];
}

/** Measures clients' messages by webhook, and the console's queries, with few and with very many conversations. */
export async function conversations(options: ConversationsOptions): Promise<ConversationsBench> {
  const { field, folder, conversations: many, rounds, progress } = options;
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile: options.profile,
    settings: {
      CHAT_PLATFORM_URL: 'http://127.0.0.1:9',
      CHAT_APP_SECRET: access.appSecret,
      CHAT_VERIFY_TOKEN: access.verifyToken,
    },
  });
  const target = carillon.target as Target;
  await addNumber(carillon, target);
  const sql = connect((await attachEmbedded(folder)).target, { max: 1, statementMs: 3_600_000 });
  try {
    const [account] = await sql<
      { id: number }[]
    >`SELECT id FROM accounts WHERE username = ${target.username}`;
    const results: ConversationRound[] = [];
    const reads: { conversations: number; what: string; took: Answered }[] = [];
    const measure = async (stored: number) => {
      for (let round = 0; round < rounds; round++) results.push(await write(carillon, target, stored));
      progress('reading');
      for (const [what, path] of await pathsOf(target)) {
        reads.push({ conversations: stored, what, took: await read(target, path) });
      }
    };
    progress('warming up');
    await bring(target, WARM_UP, WARM_UP);
    await measure(WARM_UP);
    const memory = carillon.memory().most;
    await fill(sql, account!.id, many, progress);
    await bring(target, WARM_UP, many);
    await measure(many);
    return { rounds: results, reads, memory: [memory, carillon.memory().most] };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

const client = (index: number) => String(972_520_000_000 + index);

/** Sends messages of clients, chosen from `clients` who each have a conversation or start one. */
async function bring(target: Target, count: number, clients: number): Promise<void> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (sent < count) await bringOne(target, Math.floor((sent++ / count) * clients));
    }),
  );
}

let lastId = 0;

async function bringOne({ port }: Target, index: number): Promise<void> {
  const from = client(index);
  const id = `wamid.${Date.now()}.${++lastId}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: access.number, phone_number_id: access.numberId },
    contacts: [{ wa_id: from, profile: { name: `Client ${index}` } }],
    messages: [{ from, id, timestamp, type: 'text', text: { body: 'Is it open today?' } }],
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: access.businessId, changes: [{ field: 'messages', value }] }],
  });
  const signature = createHmac('sha256', access.appSecret).update(body).digest('hex');
  const response = await fetch(`http://127.0.0.1:${port}/chat-webhooks`, {
    method: 'POST',
    body,
    headers: { 'x-hub-signature-256': `sha256=${signature}` },
  });
  await response.text();
  if (response.status !== 200) throw new Error(`a webhook was answered ${response.status}`);
}

async function write(carillon: Carillon, target: Target, clients: number): Promise<ConversationRound> {
  const before = carillon.cpu();
  const startedAt = performance.now();
  await bring(target, MESSAGES, clients);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = carillon.cpu();
  const each = (name: string) => ((after[name]! - before[name]!) / MESSAGES) * 1e6;
  return {
    conversations: clients,
    perSecond: MESSAGES / seconds,
    server: each('server'),
    postgres: each('postgres'),
  };
}

/** Returns the console's queries. */
async function pathsOf(target: Target): Promise<(readonly [what: string, path: string])[]> {
  const { conversations: rows } = (await get(target, '/conversations?limit=1')) as {
    conversations: { id: string; client: string }[];
  };
  const { id, client: phone } = rows[0]!;
  return [
    ['the list of open ones', '/conversations?state=open&limit=50'],
    ['those of nobody', '/conversations?state=open&assignee=none&limit=50'],
    ['counts', '/conversations/counts'],
    ['a search by number', `/conversations?search=${phone}`],
    ['a search by name', '/conversations?search=Client%20777'],
    ['a conversation', `/conversations/${id}`],
    ['its timeline', `/conversations/${id}/timeline`],
  ];
}

async function get({ port, token }: Target, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  return response.json();
}

async function read(target: Target, path: string): Promise<Answered> {
  for (let i = 0; i < 10; i++) await get(target, path);
  const took: number[] = [];
  for (let i = 0; i < READS; i++) {
    const startedAt = performance.now();
    await get(target, path);
    took.push(performance.now() - startedAt);
  }
  return answered(took);
}

/** Stores conversations of the last days, each with a message, up to this count, directly in the tables. */
async function fill(
  sql: Sql,
  accountId: number,
  count: number,
  progress: (line: string) => void,
): Promise<void> {
  const first = (Date.now() - DAY - EPOCH) * PER_MILLISECOND;
  for (let from = WARM_UP; from < count; from += STEP) {
    const to = Math.min(count, from + STEP) - 1;
    await sql`
      INSERT INTO chat_incoming (account_id, id, number, client, type, body, platform_id, client_name)
      SELECT ${accountId}, ${first} + n, ${access.number}, (972520000000 + n)::text, 'text', 'Is it open today?',
        'stored.' || n, 'Client ' || n
      FROM generate_series(${from}::bigint, ${to}::bigint) n`;
    await sql`
      INSERT INTO conversations (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_text,
        last_from_client, client_at, opened_id, changed_at)
      SELECT ${accountId}, ${first} + n, ${access.number}, (972520000000 + n)::text, 'Client ' || n, 1, 0, 1, ${first} + n,
        'Is it open today?', true, 0, ${first} + n, 0
      FROM generate_series(${from}::bigint, ${to}::bigint) n
      ON CONFLICT DO NOTHING`;
    progress(`${show(to + 1)} conversations`);
  }
  await sql`ANALYZE conversations`;
  await sql`ANALYZE chat_incoming`;
}
