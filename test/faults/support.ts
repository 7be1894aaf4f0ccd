import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Sql } from '../../server/database/connection.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import type { SandboxBehaviour, SandboxSubmit } from '../../server/sandbox/smsc/options.ts';
import { SandboxSmsc } from '../../server/sandbox/smsc/smsc.ts';
import { assertBooksBalance } from '../support/books.ts';
import { waitFor } from '../support/wait-for.ts';

const SYSTEM_ID = 'carillon';

/** A network on a socket that writes down every message it takes. */
export interface Network {
  readonly smsc: SandboxSmsc;
  readonly port: number;
  /** In the order in which they were taken. */
  readonly submits: SandboxSubmit[];
  /** How many times a message to each number was taken. */
  readonly taken: ReadonlyMap<string, number>;
  /** Messages taken more than once, the first time not counted. */
  duplicates(): number;
  /** The setting SMPP_URL to reach it; options of the connector as query parameters. */
  url(options?: Readonly<Record<string, string | number>>): string;
}

/** Starts a network, closed with the test file. */
export async function startNetwork(behaviour: Partial<SandboxBehaviour> = {}): Promise<Network> {
  const submits: SandboxSubmit[] = [];
  const taken = new Map<string, number>();
  const smsc = new SandboxSmsc({
    accounts: { [SYSTEM_ID]: SYSTEM_ID },
    log: createLogger('silent'),
    clock: systemClock,
    receiptDelayMs: 20,
    redeliverMs: 50,
    keepTexts: false,
    onSubmit(submit) {
      submits.push(submit);
      taken.set(submit.to, (taken.get(submit.to) ?? 0) + 1);
    },
    ...behaviour,
  });
  const port = await smsc.listen(0);
  after(() => smsc.close());
  return {
    smsc,
    port,
    submits,
    taken,
    duplicates: () => submits.length - taken.size,
    url(options = {}) {
      const query = new URLSearchParams({ reconnectMinMs: '20', reconnectMaxMs: '200' });
      for (const [name, value] of Object.entries(options)) query.set(name, String(value));
      return `smpp://${SYSTEM_ID}:${SYSTEM_ID}@127.0.0.1:${port}?${query}`;
    },
  };
}

/** The number of phone `n`, none of those whose ending has a meaning in the sandbox. */
export const phone = (n: number): string => String(972_500_000_007 + n * 10);

/** `count` different phones from phone `from` on. */
export const phones = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => phone(from + index));

/** Who calls. */
export interface Caller {
  readonly username: string;
  readonly token: string;
}

export interface Answer {
  readonly http: number;
  readonly status: number;
  readonly message: string;
  readonly shipment_id: string;
}

/** Calls an operation. Throws when there is no answer. */
export async function call(
  url: string,
  { username, token }: Caller,
  root: string,
  content: object,
): Promise<Answer> {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ [root]: { user: { username }, ...content } }),
  });
  return { http: response.status, ...((await response.json()) as Omit<Answer, 'http'>) };
}

/** Sends one text to each of these phones; more than one is a campaign, in the lane `bulk`. */
export function send(
  url: string,
  caller: Caller,
  to: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  return call(url, caller, 'sms', {
    source: 'Carillon',
    message: 'Hello',
    destinations: { phone: to },
    ...more,
  });
}

/** Sends, and fails unless it was accepted; the shipment's id. */
export async function mustSend(...args: Parameters<typeof send>): Promise<number> {
  const answer = await send(...args);
  assert.equal(answer.status, 0, answer.message);
  return Number(answer.shipment_id);
}

/**
 * Waits until nothing is left to dispatch and every message has its final status: longer than `COPY_PAUSE_SECONDS`, for which a
 * message waits whose session was lost.
 */
export async function allFinal(sql: Sql, limitMs = 150_000): Promise<void> {
  await waitFor(
    'every message is final',
    async () => {
      const [row] = await sql<{ open: boolean }[]>`
        SELECT EXISTS (SELECT 1 FROM messages WHERE final_at IS NULL) OR EXISTS (SELECT 1 FROM dispatch_batches)
          OR EXISTS (SELECT 1 FROM campaigns WHERE next_at IS NOT NULL) AS open`;
      return !row!.open;
    },
    limitMs,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}, but ${await openWork(sql)}`);
  });
}

/** Describes what is not final: messages by account and status, with and without an answer of the carrier, and batches. */
async function openWork(sql: Sql): Promise<string> {
  const messages = await sql`
    SELECT account_id, status, code, handed_at IS NOT NULL AS is_handed, count(*)::int FROM messages WHERE final_at IS NULL
    GROUP BY 1, 2, 3, 4`;
  const batches = await sql`
    SELECT account_id, lane, route, attempt, count, due_at, lease_until, lease_owner FROM dispatch_batches LIMIT 10`;
  return JSON.stringify({ now: Date.now(), messages, batches });
}

/** How many messages have each status. */
export async function statuses(sql: Sql, accountId?: number): Promise<Record<string, number>> {
  const rows = await sql<{ status: number; count: number }[]>`
    SELECT status, count(*)::int AS count FROM messages
    WHERE ${accountId ?? null}::bigint IS NULL OR account_id = ${accountId ?? null} GROUP BY status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** The books, and that this account has paid for exactly these messages, at 1 credit each. */
export async function assertPaid(sql: Sql, accountId: number, had: number, messages: number): Promise<void> {
  await assertBooksBalance(sql);
  const [row] = await sql<{ balance: string; ledger: string }[]>`
    SELECT balance, (SELECT sum(amount) FROM ledger WHERE account_id = ${accountId}) AS ledger
    FROM wallets WHERE account_id = ${accountId}`;
  assert.equal(Number(row!.balance), had - messages);
  assert.equal(row!.ledger, row!.balance);
}
