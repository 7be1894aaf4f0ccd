import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { channels } from '../../server/channels/index.ts';
import { leaseClock } from '../../server/database/lease-clock.ts';
import { loadBatches } from '../../server/engine/dispatch/batch-messages.ts';
import { claimBatches } from '../../server/engine/dispatch/batches.ts';
import { lanes } from '../../server/engine/messages/lanes.ts';
import { MASK, SecretTexts } from '../../server/engine/messages/secret-text.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { asPerson, type Calls, withToken } from '../api/v1/calls.ts';
import { openStream } from '../api/v1/live-support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { atEnd } from '../support/database.ts';
import { newPhone, stored } from '../support/phones.ts';
import { watchRoutes } from '../support/registered-routes.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * An account has the service send secrets to others: the link that verifies a stranger's number, the code of somebody who
 * signs in, the link that subscribes an address. It reads all that the service shows it, and finds none of them.
 */

const folder = await mkdtemp(join(tmpdir(), 'carillon-secrets-'));
const log: string[] = [];
const routes = watchRoutes();
const service = await startTestService({
  settings: {
    DATA_DIR: folder,
    VERIFY_SOURCES: 'on',
    LOG_LEVEL: 'trace',
    SANDBOX_RING_MS: '20',
    VERIFY_CALL_TEXT: '[name]: [code]',
  },
  logTo: (line) => log.push(line),
});
// After the service has stopped: steps at the end are taken in turn.
atEnd(() => rm(folder, { recursive: true, force: true }));
const { url, sql } = service;
const receiver = await startReceiver();
const parent = await service.addAccount({ username: 'parent' });
const shop = await service.addAccount({ username: 'shop', parentId: parent.id });
const plain = await startTestService({ sandbox: false, settings: { LOG_LEVEL: 'silent' } });
const account = await plain.addAccount({ username: 'waiting' });
const call = (root: string, content: Record<string, unknown> = {}) =>
  service.call('json', root, { user: { username: 'shop' }, ...content }, { token: shop.token });
await service.appContext.sources.approve(shop.id, 'Shop');
const owner = withToken(url, shop.token);

/** What must be found nowhere, by what it is. */
const canaries = new Map<string, string>();
const phones = { link: newPhone(), code: newPhone(), call: '036123470' };
let stream: Awaited<ReturnType<typeof openStream>>;

/** Whether a text has a secret; codes are looked for as numbers of their own. */
const leaked = (text: string) =>
  [...canaries].filter(([, canary]) =>
    /^\d+$/.test(canary) ? new RegExp(`(?<![\\w.])${canary}(?!\\w)`).test(text) : text.includes(canary),
  );

function assertClean(where: string, text: string): void {
  assert.deepEqual(
    leaked(text).map(([what]) => what),
    [],
    where,
  );
}

/** The first text at a phone of the sandbox that has the pattern; what its group matches. */
function arrived(phone: string, pattern: RegExp): Promise<string> {
  return waitFor(`a text at ${phone}`, async () => {
    const found = (await service.phone(phone)).map(({ text }) => pattern.exec(text)?.[1]);
    return found.find((one) => one !== undefined);
  });
}

/** The code in the first call that a phone of the sandbox has heard to its end. */
function heard(phone: string): Promise<string> {
  return waitFor(
    `a call at ${phone}`,
    async () => {
      const response = await fetch(`${url}/v1/sandbox/phones/${phone}`, {
        headers: { authorization: `Bearer ${DEMO_TOKEN}` },
      });
      const { calls } = (await response.json()) as { calls: { text: string }[] };
      return /\b\d{6}\b/.exec(calls[0]?.text ?? '')?.[0];
    },
    60_000,
  );
}

async function mailedLink(address: string): Promise<string> {
  return waitFor(`a mail to ${address}`, async () => {
    const response = await fetch(`${url}/v1/sandbox/mailboxes/${address}`, {
      headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    });
    const { mails } = (await response.json()) as { mails: { text: string }[] };
    return mails.map(({ text }) => /\/mail\/confirm\/(\S+)/.exec(text)?.[1]).find((one) => one !== undefined);
  });
}

{
  await owner.post('/webhooks', { url: `${receiver.url}/hook` });
  for (const type of ['dlr', 'incoming', 'blacklist']) {
    const pushed = await call('push_url', { type, url: `${receiver.url}/${type}` });
    assert.equal(pushed.status, 0, pushed.message);
  }
  assert.equal((await call('verify_phone', { phone: phones.link })).status, 0);
  assert.equal((await call('send_otp', { phone: phones.code, source: 'Shop' })).status, 0);
  const list = await owner.post<{ id: string }>('/mail/lists', { name: 'News', confirm: true });
  await owner.post(`/mail/lists/${list.id}/users`, { users: [{ email: 'dana@example.com' }] });
  assert.equal((await call('verify_phone', { phone: phones.call })).status, 0);
  await waitFor('the exchange to know the service', async () => {
    const response = await fetch(`${url}/v1/sandbox/phones/${phones.call}/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '037000000' }),
    });
    return response.status === 200;
  });
  await waitFor('the call back to be accepted', async () => {
    const calls = await sql`SELECT 1 FROM messages WHERE account_id = ${shop.id} AND channel = 3`;
    return calls.length > 0;
  });
  const rows = await sql<{ id: number; shipment_id: number }[]>`
    SELECT id, shipment_id FROM messages WHERE account_id = ${shop.id}`;
  const query = `messages=${rows.map(({ id }) => id).join()}&shipments=${rows.map((row) => row.shipment_id).join()}`;
  stream = await openStream(`${url}/v1/live?${query}`, shop.token);
  canaries.set('the link of a verification', await arrived(phones.link, /\/v\/([\w-]{22})/));
  canaries.set('a one-time code', await arrived(phones.code, /\b(\d{6})\b/));
  canaries.set('the link of a confirmation', await mailedLink('dana@example.com'));
  canaries.set('the code of a landline', await heard(phones.call));
  await waitFor('all messages to be final', async () => {
    // A mail has no delivery receipt: that the relay took it is the end.
    const open = await sql`
      SELECT 1 FROM messages WHERE account_id = ${shop.id} AND final_at IS NULL AND (channel <> 2 OR handed_at IS NULL)`;
    return open.length === 0;
  });
}
after(() => stream?.close());

/** Ids of whatever the account has, of every table, and of everything else that stands in paths. */
async function candidates(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute i ON i.attrelid = c.oid AND i.attname = 'id'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`;
  const ids = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql<{ id: number }[]>`
        SELECT id FROM ${sql(name)} WHERE account_id = ${shop.id} ORDER BY id DESC LIMIT 2`;
      return rows.map(({ id }) => String(id));
    }),
  );
  return [
    ...new Set([
      ...ids.flat(),
      String(shop.id),
      phones.link,
      phones.code,
      phones.call,
      'dana@example.com',
      'shop',
    ]),
  ];
}

/** Reads one address; its HTTP status. Streams are read by themselves. */
async function read(who: string, calls: Calls, path: string): Promise<{ status: number; text: string }> {
  const response = await calls.fetch('GET', path);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, text: '' };
  }
  const text = await response.text();
  assertClean(`${who} at ${path}`, `${JSON.stringify([...response.headers])}${text}`);
  return { status: response.status, text };
}

const isWalked = ({ method, url: path }: { method: string; url: string }) =>
  method === 'GET' && !path.startsWith('/v1/sandbox/') && !path.includes('*');

describe('an account that has secrets sent to others', () => {
  test('finds them by no route, whoever reads', async () => {
    const walked = [...new Set(routes.filter(isWalked).map((route) => route.url))];
    assert.ok(walked.length > 60, `${walked.length} routes`);
    const ids = await candidates();
    const day = 86_400_000;
    const now = service.appContext.clock.now();
    const span = `from=${new Date(now - day).toISOString()}&to=${new Date(now + day).toISOString()}`;
    const queries = ['', '?username=shop', `?${span}`, `?phone=${phones.link}`, `?phone=${phones.code}`];
    const bare = (path: string) => (path.startsWith('/v1/') ? path.slice(3) : `/..${path}`);
    const readers: [string, Calls][] = [
      ['the account', owner],
      ['its owner', await asPerson(service, 'owner', shop.id)],
      ['a viewer', await asPerson(service, 'viewer', shop.id)],
      ['the operator', await asPerson(service, 'operator')],
      ['the parent', withToken(url, parent.token)],
    ];
    const paths = walked.flatMap((path) =>
      path.includes(':') ? ids.map((id) => path.replace(/:\w+/g, encodeURIComponent(id))) : [path],
    );
    const found = new Set<string>();
    let masked = 0;
    for (const [who, calls] of readers) {
      const turns = paths.flatMap((path) => {
        const isFixed = walked.includes(path);
        // What is no thing of this kind for the account is none for the others, but for what is the operator's.
        const isWorthIt = isFixed || who === 'the account' || found.has(path);
        if (!isWorthIt && !(who === 'the operator' && path.startsWith('/v1/operator/'))) return [];
        const asked = isFixed ? queries : who === 'the operator' ? queries.slice(0, 2) : [''];
        return asked.map((query) => ({ path, query }));
      });
      const walk = async () => {
        for (let turn = turns.shift(); turn; turn = turns.shift()) {
          const { status, text } = await read(who, calls, bare(turn.path) + turn.query);
          if (status === 200) found.add(turn.path);
          if (text.includes(MASK)) masked++;
        }
      };
      await Promise.all(Array.from({ length: 6 }, walk));
    }
    // The walk sees what it is about: lists and details of messages, with the mask in the place of the secret.
    assert.ok(found.size > 50, `${found.size} answered`);
    assert.ok(masked >= 8, `${masked} answers with masked texts`);
  });

  test('finds them by no operation that reads', async () => {
    const day = 86_400_000;
    const date = (at: number) => {
      const [year, month, of] = new Date(at).toISOString().slice(0, 10).split('-');
      return `${of}/${month}/${year!.slice(2)} 00:00`;
    };
    const now = service.appContext.clock.now();
    const span = { from: date(now - day), to: date(now + day) };
    const ids = (await sql<{ id: number }[]>`SELECT id FROM messages WHERE account_id = ${shop.id}`).map(
      ({ id }) => String(id),
    );
    const reads: [string, Record<string, unknown>][] = [
      ['dlr', { transactions: { external_id: ids }, ...span }],
      ['dlrByDate', span],
      ['ttsDlr', span],
      ['incoming', span],
      ['blacklist', span],
      ['balance', {}],
      ['getVerifiedPhones', { is_subs: 1 }],
      ['getCL', {}],
    ];
    for (const [root, content] of reads) {
      const answer = await call(root, content);
      assertClean(root, JSON.stringify(answer.fields));
    }
  });

  test('hears of them by no event, push or stream', async () => {
    await waitFor('the end of each message to be told', async () => {
      const told = receiver.received.map(({ body }) => body).join('\n');
      return [phones.link, phones.code].every(
        (phone) => told.includes(phone) || told.includes(stored(phone)),
      );
    });
    await stream.until('a message', ({ type }) => type === 'message');
    assertClean('what was pushed', JSON.stringify(receiver.received));
    assertClean('what was streamed', JSON.stringify(stream.events));
  });

  test('finds them in no column once the messages are final', async () => {
    const columns = await sql<{ table: string; column: string; type: string }[]>`
      SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND c.data_type IN ('text', 'jsonb', 'json', 'bytea', 'character varying', 'ARRAY')`;
    assert.ok(columns.length > 100, `${columns.length} columns`);
    for (const { table, column, type } of columns) {
      for (const [what, canary] of canaries) {
        const value = type === 'bytea' ? sql`encode(${sql(column)}, 'escape')` : sql`${sql(column)}::text`;
        const rows =
          await sql`SELECT 1 FROM ${sql(table)} WHERE ${value} ~ ${`(^|[^0-9A-Za-z])${canary}($|[^0-9A-Za-z])`} LIMIT 1`;
        assert.equal(rows.length, 0, `${what} stands in ${table}.${column}`);
      }
    }
    const kept = await sql`SELECT 1 FROM messages WHERE secret_text IS NOT NULL`;
    assert.equal(kept.length, 0);
  });

  test('finds them in no line of the log, and the host in no file', async () => {
    assert.ok(log.length > 0);
    assertClean('the log', log.join('\n'));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const file of files) {
      assertClean(file.name, readFileSync(join(file.parentPath, file.name), 'latin1'));
    }
  });
});

describe('a secret that waits to be sent', () => {
  const ask = async () => {
    const content = { user: { username: account.username }, phone: newPhone() };
    assert.equal((await plain.call('json', 'verify_phone', content, { token: account.token })).status, 0);
    const [row] = await plain.sql<
      { id: number; shipment_id: number; text: string; secret_text: Uint8Array | null }[]
    >`SELECT id, shipment_id, payload AS text, secret_text FROM messages WHERE account_id = ${account.id} ORDER BY id DESC LIMIT 1`;
    return row!;
  };
  const secretTexts = new SecretTexts(plain.appContext.secrets);
  const due = {
    ...{ accountIds: [account.id], lane: lanes.single, routes: [''] },
    ...{ each: 10, messages: 1_000, copyPauseMs: 0 },
  };

  test('is sealed, and opens for whoever dispatches it, again and again', async () => {
    const { id, text, secret_text } = await ask();
    assert.ok(text.includes(`/v/${MASK}`));
    assert.ok(!Buffer.from(secret_text!).toString('latin1').includes('/v/'));
    // As processes do that take the batch from one another when its lease has run out.
    for (const owner of ['first', 'second']) {
      const leaseNow = leaseClock.now() + (owner === 'first' ? 0 : 60_000);
      const now = plain.appContext.clock.now();
      const { batches: claimed } = await claimBatches(plain.sql, owner, now, due, leaseNow);
      const loaded = await loadBatches(plain.sql, claimed, {
        secretTexts,
        log: createLogger('silent'),
        channels,
      });
      const message = loaded.flatMap(({ messages }) => messages).find((one) => one.id === id);
      assert.match(message!.payload as string, /\/v\/[\w-]{22} /);
      assert.equal(message!.isSecret, true);
    }
  });

  test('is erased when it is cancelled, and nothing can end a message that keeps it', async () => {
    const { id, shipment_id } = await ask();
    await assert.rejects(
      plain.sql`UPDATE messages SET final_at = 1, status = 104 WHERE account_id = ${account.id} AND id = ${id}`,
      /messages_secret_check/,
    );
    await assert.rejects(
      plain.sql`UPDATE messages SET handed_at = 1 WHERE account_id = ${account.id} AND id = ${id}`,
      /messages_secret_check/,
    );
    const content = { user: { username: account.username }, campaign_id: String(shipment_id) };
    assert.equal((await plain.call('json', 'cancel', content, { token: account.token })).status, 0);
    const [row] =
      await plain.sql`SELECT secret_text FROM messages WHERE account_id = ${account.id} AND id = ${id}`;
    assert.equal(row!.secret_text, null);
  });

  test('fails where it cannot be opened, and its mask is never sent', async () => {
    const { id } = await ask();
    await plain.sql`
      UPDATE messages SET secret_text = ${Buffer.alloc(80, 1)} WHERE account_id = ${account.id} AND id = ${id}`;
    const now = plain.appContext.clock.now();
    const { batches: claimed } = await claimBatches(plain.sql, 'third', now, due);
    const loaded = await loadBatches(plain.sql, claimed, {
      secretTexts,
      log: createLogger('silent'),
      channels,
    });
    const message = loaded.flatMap(({ messages }) => messages).find((one) => one.id === id);
    assert.deepEqual([message!.payload, message!.isUnreadable], [undefined, true]);
  });

  test('is read in one place', () => {
    const server = join(import.meta.dirname, '../../server');
    const reading = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          name.endsWith('.ts') &&
          /SELECT[^`]*\bsecret_text\b|\bsecret_text AS\b/.test(readFileSync(join(server, name), 'utf8')),
      )
      .sort();
    assert.deepEqual(reading, ['engine/dispatch/batch-messages.ts']);
  });
});
