import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { MAIL_TOKEN } from '../mail-api/support.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { withToken } from '../v1/calls.ts';

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
  // Every request has come to its end then.
  await service.stop();
  const told = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  assert.deepEqual(
    told.filter(({ level, msg }) => level >= 40 || /database/.test(msg)),
    [],
  );
  const aborted = told.filter(({ msg }) => msg === 'a body did not come whole');
  assert.equal(aborted.length, 2 * paths.length, 'each is told of once');
});
