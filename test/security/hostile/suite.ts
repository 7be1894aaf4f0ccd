import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { freePort } from '../../../bench/support/wait.ts';
import type { AccessRule } from '../../../server/api/access/rules.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createIdSource, PROCESS_NUMBERS } from '../../../server/kit/ids.ts';
import { Sessions } from '../../../server/modules/people/sessions.ts';
import { type Operation, openDescription } from '../../docs/openapi-support.ts';
import { png, zip } from '../../modules/media/samples.ts';
import { isOfInterface, routeRules, smsOperations } from '../../support/access-table.ts';
import { WatchedProgram } from '../../support/loop-watch.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { csvFiles } from './csv.ts';
import { fullArrays, longTexts, structures } from './json.ts';
import { mailBodies } from './mail-api.ts';
import { hostileCommands, hostileMails, sayToServer, sendMail } from './mails.ts';
import { mcpBodies } from './mcp.ts';
import { type HostileBody, hostileRequests, type RouteContext, SHORT_TEXT } from './requests.ts';
import { SHORT_PART, smsBodies, storedBodies, wholeInShortForm } from './sms-api.ts';
import { pieceCount } from './texts.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const TOKEN = 'the-token-of-the-demo-account';
const MAIL_TOKEN = 'the-mail-token-of-the-demo-account';
const APP_SECRET = 'the-secret-of-the-app-of-tests';
const BUSINESS_NUMBER = '972550000001';

/** What routes read of a body, where it is not a megabyte. */
const limits: Readonly<Record<string, number>> = {
  'POST /api': 10 * MIB,
  'POST /api/test': 10 * MIB,
  'POST /v1/sms': 10 * MIB,
  'POST /v1/sms/estimate': 10 * MIB,
  'POST /v1/chat/campaigns': 10 * MIB,
  'POST /v1/chat/campaigns/estimate': 10 * MIB,
  'POST /chat-api/create-campaign-wa': 10 * MIB,
  'POST /v1/mail/lists/:id/users': 20 * MIB,
  'POST /api/Mailer/AddUsersToLists': 20 * MIB,
  'POST /chat-webhooks': 3 * MIB,
  'POST /mcp': 256 * KIB,
  'POST /carrier-requests/:connector/:secret/reports': 256 * KIB,
  'POST /carrier-requests/:connector/:secret/incoming': 256 * KIB,
};

const nextYear = new Date().getFullYear() + 1;
/** What is accepted waits for a year, so that the network of the sandbox has nothing to do with it. */
const later: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /v1/sms': { at: `${nextYear}-01-01T00:00:00Z` },
  'POST /v1/chat/campaigns': { at: `${nextYear}-01-01T00:00:00Z` },
  'POST /v1/mail/campaigns': { at: `${nextYear}-01-01T00:00:00Z` },
  'POST /chat-api/create-campaign-wa': { future_campaign: 'future', from_date: `01/01/${nextYear} 00:00` },
};

/**
 * The watch on the event loop, as tests. Short: each kind of body at each route; full: each text of each body in many
 * ways, files of 20 MiB, and every structure of JSON at every route. Tests that begin when its time is over are skipped.
 */
export async function hostileSuite({
  full,
  isOver = () => false,
}: {
  readonly full: boolean;
  readonly isOver?: () => boolean;
}): Promise<void> {
  const check = (name: string, work: () => Promise<void>) =>
    test(name, (t) => (isOver() ? t.skip('the time is over') : work()));
  const bouncePort = await freePort();
  const watched = await WatchedProgram.start({
    SANDBOX: 'on',
    CARILLON_DEMO_TOKEN: TOKEN,
    CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN,
    CHAT_APP_SECRET: APP_SECRET,
    HTTP_CONNECTIONS_PER_ADDRESS: '0',
    MAIL_BOUNCE_PORT: String(bouncePort),
    MCP_API: 'on',
  });
  const { installation, program } = watched;
  const sql = await installation.sql();
  await sql`UPDATE wallets SET balance = balance + 100000000`;
  const { operations: described } = await openDescription(program.url);
  const operations = [...described, ...otherPaths(described)];
  const sessions = new Sessions(sql, createIdSource(PROCESS_NUMBERS - 1, systemClock), systemClock, secrets);

  /** What a browser sends in which one of the two people of a sandbox is signed in. */
  async function sessionOf(username: 'demo' | 'operator'): Promise<Record<string, string>> {
    const [person] = await sql<{ id: number }[]>`SELECT id FROM people WHERE username = ${username}`;
    const token = await sessions.start(sql, person!.id, { address: '127.0.0.1', agent: 'test' });
    return { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' };
  }
  const demo = await sessionOf('demo');

  /** A session is for one row: what is asked there may end all others. */
  async function headersOf(rule: AccessRule): Promise<Readonly<Record<string, string>>> {
    if (rule.open !== undefined) {
      return rule.open === 'operation' ? { authorization: `Bearer ${TOKEN}` } : { 'x-carillon-csrf': '1' };
    }
    if (rule.mailToken) return { authorization: `Bearer ${MAIL_TOKEN}` };
    if (rule.sandbox || rule.roles.length === 0) return { authorization: `Bearer ${TOKEN}` };
    return sessionOf(rule.roles.includes('operator') ? 'operator' : 'demo');
  }

  const asDemo = { ...demo, 'content-type': 'application/json' };
  async function made(path: string, body: object): Promise<string> {
    const answer = await fetch(program.url + path, {
      method: 'POST',
      headers: asDemo,
      body: JSON.stringify(body),
    });
    const { id } = (await answer.json()) as { id?: string };
    assert.ok(id !== undefined, `${path}: ${answer.status}`);
    return id;
  }
  const contactList = await made('/v1/contact-lists', { name: 'Customers' });
  const mailList = await made('/v1/mail/lists', { name: 'Newsletter' });

  const files = (bytes: number): (() => Iterable<HostileBody>) =>
    function* () {
      for (const file of Object.values(csvFiles)) {
        yield { body: file(bytes), headers: { 'content-type': 'text/csv' } };
      }
    };
  /** Files that libraries look into: of very many parts, of what unpacks to very much, of what says nothing. */
  const uploads = (query: string) => () =>
    [
      zip(
        Object.fromEntries(Array.from({ length: full ? 60_000 : 5_000 }, (_, index) => [`${index}/x`, 'x'])),
      ),
      zip({ '[Content_Types].xml': Buffer.alloc((full ? 512 : 64) * MIB) }, true),
      Buffer.concat([png, Buffer.alloc(full ? 12 * MIB : MIB, 'IDAT')]),
      Buffer.alloc(full ? 12 * MIB : MIB, 'א'),
    ].map((body) => ({ body, query, headers: { 'content-type': 'application/octet-stream' } }));
  const form = (bytes: number): HostileBody[] => [
    {
      body: `code=${'%41'.repeat(bytes / 3)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { body: 'a=&'.repeat(bytes / 3), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { body: '<'.repeat(bytes), headers: { 'content-type': 'text/html' } },
  ];
  const pages = () => form(4_000);
  const carrierRequests = () => [...form(240 * KIB), { body: structures[0]!(256 * KIB) }];
  const wrongMethod = () => form(64 * KIB);
  const simulated = (fields: object) => () =>
    ['x', ' ', '<', 'א'].map((piece) => ({
      body: JSON.stringify({ ...fields, text: piece.repeat(400 * KIB) }),
    }));
  const bodies: RouteContext['bodies'] = {
    'POST /api': () => Object.values(storedBodies((nextYear - 1) % 100, full)).map((body) => ({ body })),
    'POST /api/test': smsOperationBodies,
    ...Object.fromEntries(
      ['/api', '/api/test'].flatMap((path) =>
        ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [`${method} ${path}`, wrongMethod]),
      ),
    ),
    'POST /api/Mailer/AddUsersToLists': () => mailBodies(Number(mailList), full),
    'POST /chat-webhooks': notifications,
    'POST /carrier-requests/:connector/:secret/reports': carrierRequests,
    'POST /carrier-requests/:connector/:secret/incoming': carrierRequests,
    'POST /mcp': () => mcpBodies(full ? pieceCount : 1),
    'POST /oidc/:slug/logout': () => form(12_000),
    'POST /u/:code': pages,
    'POST /v/:token': pages,
    'POST /a/:token': pages,
    'POST /mail/remove/:code': pages,
    'POST /mail/confirm/:code': pages,
    'POST /v1/contact-lists/:id/preview': files(256 * KIB - 1),
    'POST /v1/recipients/preview': files(256 * KIB - 1),
    'POST /v1/contact-lists/:id/import': files(full ? 4 * MIB : 16 * KIB),
    'POST /v1/mail/lists/:id/import': files(full ? 4 * MIB : 16 * KIB),
    'POST /v1/blacklist/import': files(full ? 4 * MIB : 16 * KIB),
    'POST /v1/media': uploads('?kind=document&file_name=a.docx'),
    'POST /v1/pictures': uploads('?name=a.png'),
    'POST /v1/sandbox/phones/:number/files': uploads(
      `?to=${BUSINESS_NUMBER}&type=document&mime_type=application/zip&file_name=a.docx`,
    ),
    'POST /v1/sandbox/phones/:number/sms': simulated({ to: '0501234567' }),
    'POST /v1/sandbox/phones/:number/chat': simulated({ to: BUSINESS_NUMBER }),
    'POST /v1/sandbox/phones/:number/call': simulated({ to: '0501234567' }),
    'POST /v1/sandbox/mailboxes/:address/:id/answers': simulated({ text: 'x' }),
    'POST /v1/sandbox/endings': simulated({ number: 'x', ending: 'x' }),
    'POST /v1/sandbox/clock': simulated({ advance: 'x' }),
  };
  const context: RouteContext = {
    headers: {},
    operations,
    limits,
    bodies,
    later,
    full,
    idOf(row) {
      if (row.includes('/contact-lists/:id')) return contactList;
      if (row.includes('/mail/lists/:id')) return mailList;
      if (row.includes('/phones/:number')) return '0501234567';
      return '1';
    },
  };

  function* smsOperationBodies(): Generator<HostileBody> {
    for (const [name, body] of Object.entries(smsBodies)) {
      yield { body: body(full || wholeInShortForm.includes(name) ? 1 : SHORT_PART) };
    }
    for (const [index, root] of Object.keys(smsOperations).entries()) {
      // A root in another spelling is described once.
      const described = operations.find(({ path }) => path.toLowerCase() === `/api#${root.toLowerCase()}`);
      const content = described?.operation.requestBody?.content['application/json'];
      assert.ok(content, `${root} is not described`);
      // Lists of 10 MiB are among `smsBodies`.
      const bytes = full ? 10 * MIB : SHORT_TEXT;
      const longest = full ? 2 * MIB - KIB : SHORT_TEXT;
      for (const body of longTexts(content.example, longest, index, full ? pieceCount : 1)) yield { body };
      for (const body of fullArrays(content.example, content.schema, bytes, full)) yield { body };
    }
  }

  /** Signed by the chat platform, or by whoever has its secret. */
  function* notifications(): Generator<HostileBody> {
    const signed = (body: string): HostileBody => {
      const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
      return { body, headers: { 'x-hub-signature-256': `sha256=${signature}` } };
    };
    const bytes = 3 * MIB;
    const notification = (value: string) =>
      `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":${value}}]}]}`;
    const about = `"messaging_product":"whatsapp","metadata":{"display_phone_number":"${BUSINESS_NUMBER}","phone_number_id":"1"}`;
    const message = (i: number) =>
      `{"from":"9725${10_000_000 + i}","id":"wamid.${i}","timestamp":"1789999999","type":"text","text":{"body":"x"}}`;
    const status = (i: number) =>
      `{"id":"wamid.${i}","status":"sent","timestamp":"1789999999","recipient_id":"9725${10_000_000 + i}"}`;
    const some = (count: number, one: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => one(i)).join(',');
    for (const structure of full ? structures : structures.slice(0, 1)) yield signed(structure(bytes));
    yield signed(notification(`{${about},"messages":[${some(full ? 24_000 : 8_000, message)}]}`));
    yield signed(notification(`{${about},"statuses":[${some(full ? 30_000 : 10_000, status)}]}`));
    yield signed(
      notification(`{${about},"messages":[${message(1).replace('"x"', `"${'x'.repeat(bytes - 1_000)}"`)}]}`),
    );
    yield { body: structures[0]!(bytes), headers: { 'x-hub-signature-256': `sha256=${'a'.repeat(64)}` } };
  }

  /** Files are read by jobs after they are taken in. */
  async function importsEnded(): Promise<void> {
    await waitFor(
      'the imports to end',
      async () => {
        const [row] =
          await sql`SELECT 1 FROM csv_jobs WHERE state IN ('receiving', 'waiting', 'running') LIMIT 1`;
        return row === undefined;
      },
      60_000,
    );
  }

  describe('hostile mails of', () => {
    for (const [name, mail] of Object.entries(hostileMails)) {
      check(name, async () => {
        const sent = mail(full ? MIB : 64 * KIB);
        await watched.checkWork(name, async () => {
          assert.match(await sendMail(bouncePort, sent), /^[245]\d\d /);
        });
      });
    }
    check('command lines', async () => {
      for (const line of hostileCommands) {
        await watched.checkWork(line.slice(0, 20), () => sayToServer(bouncePort, line));
      }
    });
  });

  describe('hostile requests to', () => {
    for (const [row, rule] of Object.entries(routeRules)) {
      // Off in this service; test/api/http-interfaces has hostile requests.
      if (isOfInterface(row)) continue;
      check(row, async () => {
        const statuses = await watched.check(
          row,
          hostileRequests(row, rule, { ...context, headers: await headersOf(rule) }),
        );
        if (row.endsWith('/import')) await watched.checkWork(`${row}: its jobs`, importsEnded);
        assert.ok(
          rule.open !== undefined || statuses.some((status) => ![0, 401, 403, 429].includes(status)),
          `${row} let nothing in: ${statuses.join()}`,
        );
      });
    }
  });
}

/** Operations at further paths, which the description names once: those of the chat API for one template. */
function otherPaths(described: readonly Operation[]): Operation[] {
  const one = described.find(({ path }) => path === '/chat-api/send-template-message')!;
  return ['send-template', 'send-whatsapp-template'].map((name) => ({ ...one, path: `/chat-api/${name}` }));
}
