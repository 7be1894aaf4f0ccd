import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { EPOCH, PER_MILLISECOND } from '../../server/kit/ids.ts';
import type { LoadResult, Plan } from '../children/load.ts';
import type { Field } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { BusinessNumber, ChatWebhooks, LoadTarget } from '../systems/requests.ts';
import { access, addNumber } from './chat.ts';
import { type Answered, answered } from './dlr.ts';

/** Messages per round, and before the first round. */
const MESSAGES = 10_000;
const WARM_UP = 3_000;
/** Parallel webhooks: with 50, the time of an answer limits the rate. */
const CONNECTIONS = [50, 150];
const READS = 200;
/** Accounts that get messages in turns. */
const ACCOUNTS = 200;
/** Milliseconds in which the service notices a new business number: a second, plus a margin. */
const NUMBERS_SEEN_MS = 2_500;
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
  /** Number of accounts, each with a business number. */
  readonly accounts: number;
  /** Number of parallel webhooks. */
  readonly connections: number;
  /** Clients' messages per second, each by a webhook. */
  readonly perSecond: number;
  /** Milliseconds from a webhook to its answer. */
  readonly median: number;
  readonly p99: number;
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
    const rates = async (stored: number, numbers: readonly BusinessNumber[]) => {
      for (let round = 0; round < rounds; round++) {
        for (const connections of CONNECTIONS) {
          const took = await write(field, carillon, target, { clients: stored, numbers, connections });
          progress(
            `${connections} connections: ${show(took.perSecond)}/s, CPU ${show(took.server)} + ${show(took.postgres)} µs`,
          );
          results.push(took);
        }
      }
    };
    const measure = async (stored: number) => {
      await rates(stored, [access]);
      progress('reading');
      for (const [what, path] of await pathsOf(target)) {
        reads.push({ conversations: stored, what, took: await read(target, path) });
      }
    };
    progress('warming up');
    await bring(field, target, WARM_UP, { clients: WARM_UP, numbers: [access] });
    await measure(WARM_UP);
    progress(`${ACCOUNTS} accounts`);
    const numbers = await addAccounts(sql, account!.id);
    // The service notices new numbers within a second; until then their messages are ignored.
    await pause(NUMBERS_SEEN_MS);
    await bring(field, target, WARM_UP, { clients: WARM_UP, numbers });
    await rates(WARM_UP, numbers);
    await sql`DELETE FROM chat_numbers WHERE account_id <> ${account!.id}`;
    const memory = carillon.memory().most;
    await fill(sql, account!.id, many, progress);
    await bring(field, target, WARM_UP, { clients: many, numbers: [access] });
    await measure(many);
    return { rounds: results, reads, memory: [memory, carillon.memory().most] };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

let first = 0;

/** Where messages come from. */
interface Senders {
  /** Number of clients who write in turns; each has a conversation or starts one. */
  readonly clients: number;
  /** Numbers that they write to. */
  readonly numbers: readonly BusinessNumber[];
  readonly connections?: number;
}

/** Sends messages of clients, each by a webhook. */
async function bring(
  field: Field,
  { port }: Target,
  count: number,
  { clients, numbers, connections = CONNECTIONS[0]! }: Senders,
): Promise<LoadResult> {
  const target: ChatWebhooks = {
    kind: 'chat-webhooks',
    port,
    appSecret: access.appSecret,
    numbers,
    clients,
  };
  const plan: Plan = { target, connections, requests: count, size: 1, first };
  first += count;
  const result = await field.load.ask<LoadResult>('run', plan);
  if (result.refused > 0) throw new Error(`a webhook was answered ${result.refusal}`);
  return result;
}

async function write(
  field: Field,
  carillon: Carillon,
  target: Target,
  senders: Senders & { readonly connections: number },
): Promise<ConversationRound> {
  const before = carillon.cpu();
  const { startedAt, endedAt, median, p99 } = await bring(field, target, MESSAGES, senders);
  const after = carillon.cpu();
  const each = (name: string) => ((after[name]! - before[name]!) / MESSAGES) * 1e6;
  return {
    conversations: senders.clients,
    accounts: senders.numbers.length,
    connections: senders.connections,
    perSecond: MESSAGES / ((endedAt - startedAt) / 1_000),
    median,
    p99,
    server: each('server'),
    postgres: each('postgres'),
  };
}

/** Adds accounts with a business number each, all of one portfolio. Returns the numbers. */
async function addAccounts(sql: Sql, like: number): Promise<BusinessNumber[]> {
  const ids = Array.from({ length: ACCOUNTS }, (_, index) => index + 1);
  await sql`
    INSERT INTO accounts (id, username, name, created_at)
    SELECT u.id, 'tenant-' || u.id, 'Tenant', 0 FROM unnest(${ids}::bigint[]) AS u (id)`;
  await sql`INSERT INTO wallets (account_id, balance) SELECT u.id, 0 FROM unnest(${ids}::bigint[]) AS u (id)`;
  const rows = await sql<{ phone: string; platform_id: string }[]>`
    INSERT INTO chat_numbers (phone, account_id, portfolio_id, name, platform_id, messages_per_second, created_at)
    SELECT (972560000000 + u.id)::text, u.id, n.portfolio_id, 'Tenant', (1000 + u.id)::text, 0, 0
    FROM chat_numbers n, unnest(${ids}::bigint[]) AS u (id) WHERE n.account_id = ${like}
    RETURNING phone, platform_id`;
  return rows.map(({ phone, platform_id }) => ({
    ...access,
    number: phone,
    numberId: platform_id,
  }));
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
