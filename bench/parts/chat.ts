import { connect, type Sql } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import type { PlatformAccess } from '../children/chat-platform.ts';
import { startChild } from '../support/child.ts';
import type { Field } from '../support/field.ts';
import { cpuOf } from '../support/proc.ts';
import { until } from '../support/wait.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** The business number of the bench, and its ids on the platform. */
export const access: PlatformAccess = {
  businessId: '100',
  numberId: '200',
  number: '972550000088',
  token: 'bench',
  appSecret: 'the secret of the bench',
  verifyToken: 'the token of the bench',
};
const TIER = '1000000';
const WARM_UP = 2_000;

type Target = LoadTarget & { kind: 'carillon' };

export interface ChatOptions {
  readonly field: Field;
  readonly folder: string;
  /** Contacts of the campaign. */
  readonly contacts: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Chat {
  readonly contacts: number;
  /** Milliseconds from the request to its answer. */
  readonly answerMs: number;
  /** Messages per second: accepted by the platform, and until the status `delivered` of the last one was stored. */
  readonly sentPerSecond: number;
  readonly deliveredPerSecond: number;
  /** CPU microseconds per message, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Maximum resident memory of the server process in bytes: after the warm-up, half-way, at the end. */
  readonly memoryBefore: number;
  readonly memoryHalf: number;
  readonly memoryEnd: number;
}

/** Sends a template campaign to a contact list through the sandbox's chat platform, without a rate limit. */
export async function chat(options: ChatOptions): Promise<Chat> {
  const { field, folder, contacts, progress } = options;
  const platform = await startChild('chat-platform.ts');
  const port = await platform.ask<number>('listen', access);
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile: options.profile,
    settings: {
      CHAT_PLATFORM_URL: `http://127.0.0.1:${port}`,
      CHAT_APP_SECRET: access.appSecret,
      CHAT_VERIFY_TOKEN: access.verifyToken,
      CHAT_CLIENT_PAUSE_MS: '0',
    },
  });
  const target = carillon.target as Target;
  await platform.ask('subscribe', {
    url: `http://127.0.0.1:${target.port}/chat-webhooks`,
    verifyToken: access.verifyToken,
  });
  await addNumber(carillon, target);
  const template = await fetchTemplate(target);
  const { target: database } = await attachEmbedded(folder);
  const sql = connect(database, { max: 2 });
  const cpu = () => ({ ...carillon.cpu(), platform: cpuOf(platform.pid) });
  const taken = async () => (await platform.ask<{ accepted: number }>('counts')).accepted;
  try {
    progress('warming up');
    await fill(sql, target.username, 1, WARM_UP, 0);
    await campaign(target, template, 1);
    await allDelivered(sql, WARM_UP);
    await fill(sql, target.username, 2, contacts, WARM_UP);

    progress(`a campaign to ${contacts} contacts`);
    const memoryBefore = carillon.memory().most;
    const [cpuBefore, before] = [cpu(), await taken()];
    const startedAt = performance.now();
    await campaign(target, template, 2);
    const answerMs = performance.now() - startedAt;
    const passed = (count: number) => async () => (await taken()) >= before + count;
    const wait = { withinMs: 900_000, everyMs: 20 };
    await until(passed(contacts / 2), 'half of it is sent', wait);
    const memoryHalf = carillon.memory().most;
    await until(passed(contacts), 'all of it is sent', wait);
    const sentMs = performance.now() - startedAt;
    await allDelivered(sql, WARM_UP + contacts);
    const deliveredMs = performance.now() - startedAt;
    const cpuAfter = cpu();
    const rate = (milliseconds: number) => contacts / (milliseconds / 1_000);
    return {
      contacts,
      answerMs,
      sentPerSecond: rate(sentMs),
      deliveredPerSecond: rate(deliveredMs),
      cpu: Object.fromEntries(
        Object.entries(cpuAfter).map(([name, seconds]) => [
          name,
          ((seconds - cpuBefore[name as keyof typeof cpuBefore]!) / contacts) * 1e6,
        ]),
      ),
      memoryBefore,
      memoryHalf,
      memoryEnd: carillon.memory().most,
    };
  } finally {
    await sql.end();
    await carillon.stop();
  }
}

/** Adds the business number to the account of the bench. */
export async function addNumber(carillon: Carillon, { username }: Target): Promise<void> {
  const { businessId, numberId, number, token } = access;
  const portfolio = ['chat-portfolio', 'add', username, 'Bench', '--platform-id', businessId];
  const { id } = await carillon.command<{ id: number }>(...portfolio, '--token', token, '--tier', TIER);
  const add = ['chat-number', 'add', username, number, '--platform-id', numberId, '--rate', '0'];
  await carillon.command(...add, '--portfolio', String(id));
}

/** Fetches the templates of the platform. Returns the id of one without variables. */
export async function fetchTemplate(target: Target): Promise<string> {
  const headers = { authorization: `Bearer ${target.token}` };
  const address = `http://127.0.0.1:${target.port}`;
  let found: string | undefined;
  await until(
    async () => {
      await fetch(`${address}/v1/chat/numbers/${access.number}/sync`, { method: 'POST', headers });
      const response = await fetch(`${address}/chat-api/get-phone-templates/${access.number}`, { headers });
      const { templates = [] } = (await response.json()) as {
        templates?: { name: string; templateId: string }[];
      };
      found = templates.find(({ name }) => name === 'plain')?.templateId;
      return found !== undefined;
    },
    'the templates are fetched',
    { withinMs: 30_000, everyMs: 500 },
  );
  return found!;
}

/** Creates a list with this many contacts directly in the tables. */
async function fill(sql: Sql, username: string, id: number, count: number, first: number): Promise<void> {
  const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = ${username}`;
  await sql`
    INSERT INTO contact_lists (account_id, id, name, count, created_at)
    VALUES (${account!.id}, ${id}, 'bench', ${count}, ${Date.now()})`;
  await sql`
    -- None of those whose ending has a meaning in the sandbox.
    INSERT INTO contacts (account_id, list_id, phone)
    SELECT ${account!.id}::bigint, ${id}::bigint, (972520000017 + (${first} + n) * 100)::text
    FROM generate_series(0, ${count - 1}) n`;
  await sql`ANALYZE contacts`;
}

async function campaign({ port, token }: Target, template: string, list: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/chat-api/create-campaign-wa`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source: access.number,
      destinations: { cl: [String(list)] },
      campaign_message: template,
      future_campaign: 'instant',
    }),
  });
  const { data } = (await response.json()) as { data: { success: boolean; message?: string } };
  if (!data.success) throw new Error(`the campaign was refused: ${data.message}`);
}

async function allDelivered(sql: Sql, count: number): Promise<void> {
  // Counting 100,000 rows takes CPU from the service, so it is done rarely, and only near the end.
  const delivered = async () => {
    const [row] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM messages WHERE status = 102`;
    return row!.n >= count;
  };
  await until(delivered, 'every message is delivered', { withinMs: 900_000, everyMs: 250 });
}
