import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { enforceAccess } from '../../server/api/access.ts';
import { SendKeys } from '../../server/api/send-keys/send-keys.ts';
import { bind } from '../../server/api/v1/kit/route.ts';
import { v1Api } from '../../server/api/v1/plugin.ts';
import { RequestContext } from '../../server/kit/request-context.ts';
import { Blacklist } from '../../server/modules/audience/blacklist.ts';
import { Suppressions } from '../../server/modules/audience/suppressions.ts';
import { blacklistRoutes } from '../../server/modules/audience/v1/blacklist.ts';
import { createEventModule } from '../../server/run/app-context.ts';
import { withToken } from '../api/v1/calls.ts';
import { MAIL_TOKEN } from '../channels/mail-api/support.ts';
import { waitingStatements } from '../support/lock-waits.ts';
import { withLockedTables } from '../support/locked-tables.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * A client that goes away in the middle of its upload. Its error says ECONNRESET, as that of a database does that is away:
 * nobody is to be woken for it.
 */

const lines: string[] = [];
const service = await startTestService({
  logTo: (line) => void lines.push(line),
  settings: { LOG_LEVEL: 'debug', CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN },
});
const { port } = new URL(service.url);
const { id: list } = await withToken(service.url, DEMO_TOKEN).post<{ id: string }>('/contact-lists', {
  name: 'Customers',
});

const paths: readonly [path: string, authorization: string][] = [
  ['/api', `Bearer ${DEMO_TOKEN}`],
  ['/api/test', `Bearer ${DEMO_TOKEN}`],
  // Before the sign-in: it may carry a password.
  ['/api', ''],
  ['/api/Mailer/token', ''],
  ['/chat-api/send-buttons', `Bearer ${DEMO_TOKEN}`],
  ['/api/Mailer/AddUsersToLists', MAIL_TOKEN],
  ['/v1/sms', `Bearer ${DEMO_TOKEN}`],
  [`/v1/contact-lists/${list}/preview`, `Bearer ${DEMO_TOKEN}`],
  [`/v1/contact-lists/${list}/import`, `Bearer ${DEMO_TOKEN}`],
];
/** Those that read few bytes and have nothing to say of it. */
const quiet = ['/chat-webhooks', '/u/abc'];

/** Sends the beginning of a body, and leaves in one of the two ways once the service reads it. */
async function abort(path: string, authorization: string, reset: boolean): Promise<void> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
    'Content-Length: 4000',
  ];
  // The service says that it begins to read.
  socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 100 Continue/, path);
  await new Promise<void>((resolve) => socket.write('{"half', () => resolve()));
  if (reset) socket.resetAndDestroy();
  else socket.end();
  await waitFor('the connection to be gone', () => socket.closed);
}

test('clients that go away during an upload are no trouble of the database, and no fault', async () => {
  for (const [path, authorization] of paths) {
    for (const reset of [true, false]) await abort(path, authorization, reset);
  }
  for (const path of quiet) await abort(path, '', true);
  const told = () => lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  const aborted = () => told().filter(({ msg }) => msg === 'a body did not come whole').length;
  // The service reads the end of a connection later than the client has closed it.
  await waitFor('each to be logged', () => aborted() >= 2 * paths.length);
  // Every request has come to its end then.
  await service.stop();
  assert.equal(aborted(), 2 * paths.length, 'each is logged once');
  assert.deepEqual(
    told().filter(({ level, msg }) => level >= 40 || /database/.test(msg)),
    [],
  );
});

test('a change whose client has left is in the audit log, even if the service stops during it', async () => {
  const { appContext, sql, demo } = await startTestService();
  const events = createEventModule(appContext, { allowPrivate: false, deliver: false });
  const blacklist = new Blacklist({ ...appContext, events, suppressions: new Suppressions(appContext) });
  const app = fastify();
  app.addHook('onRequest', (request, _reply, done) => {
    request.context = new RequestContext();
    done();
  });
  enforceAccess(app, { aliases: new Map(), rules: {} });
  app.register(v1Api, {
    routes: bind(blacklistRoutes, { ...appContext, blacklist, imports: undefined as never }),
    signIn: appContext,
    sendKeys: new SendKeys(appContext),
    log: appContext.log,
    accountLimit: 0,
    addressLimit: 0,
  });
  const address = new URL(await app.listen({ port: 0 }));
  const body = JSON.stringify({ phones: ['0501234567'] });
  const head = `POST /v1/blacklist HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\n`;
  const socket = connect(Number(address.port), '127.0.0.1');
  let isClosed = false;
  let closing: Promise<void> | undefined;
  await withLockedTables(sql, ['blacklist'], 'ACCESS EXCLUSIVE', async (tx) => {
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await waitFor('the request waits for the table', async () => {
      const waiting = await waitingStatements(sql);
      return waiting.some((statement) => statement.includes('blacklist'));
    });
    socket.resetAndDestroy();
    closing = app.close().then(() => {
      isClosed = true;
    });
    await once(app.server, 'close');
    // Statements of this transaction leave the server time to end, which it must not use.
    for (let i = 0; i < 20; i++) await tx`SELECT 1`;
    assert.equal(isClosed, false);
  });
  await closing;
  const entries =
    await sql`SELECT FROM audit_log WHERE account_id = ${demo.id} AND action = 'POST /v1/blacklist'`;
  assert.equal(entries.length, 1);
});
