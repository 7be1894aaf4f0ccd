import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { openBounceListener } from '../../../server/channels/mail/smtp-server.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The server for bounces, as mail servers speak to it that do not wait for one another. */

const taken: { to: string; raw: string }[] = [];
let store: () => Promise<void> = async () => {};
const server = await openBounceListener({
  bounces: {
    accepts: (address) => address.endsWith('@bounces.example.com'),
    async take(to, raw) {
      await store();
      taken.push({ to, raw: raw.toString() });
    },
  },
  incoming: { accepts: () => false, take: async () => false },
  log: createLogger('silent'),
  host: '127.0.0.1',
  port: 0,
  name: 'bounces.example.com',
});
after(() => server.close());

const bounce = readFileSync(new URL('./bounces/exim-unknown.eml', import.meta.url), 'utf8')
  .replace(/\n/g, '\r\n')
  .replace(/^\./gm, '..');
const commands = ['EHLO mx.example.org', 'MAIL FROM:<>', 'RCPT TO:<b-x@bounces.example.com>', 'DATA'];

/** A client that has said all up to the mail, with what it has heard. */
async function speak(): Promise<{ socket: Socket; heard: () => string; ended: Promise<void> }> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('end', resolve);
    socket.once('error', reject);
  });
  for (const [index, command] of commands.entries()) {
    await waitFor('the answer before', () => heard.match(/^\d{3} /gm)?.length === index + 1);
    socket.write(`${command}\r\n`);
  }
  await waitFor('the word to go on', () => heard.includes('354 '));
  return { socket, heard: () => heard.slice(heard.indexOf('354 ')), ended };
}

test('a client that ends its side after the mail and QUIT hears both answers', async () => {
  taken.length = 0;
  const gate = Promise.withResolvers<void>();
  store = () => gate.promise;
  const { socket, heard, ended } = await speak();
  socket.end(`${bounce}\r\n.\r\nQUIT\r\n`);
  await waitFor('our side to be read to its end', () => socket.writableFinished);
  // Long after the client has ended its side.
  gate.resolve();
  await ended;
  assert.match(heard(), /^354 .*\r\n250 .*\r\n221 .*\r\n$/);
  assert.equal(taken.length, 1);
  assert.match(taken[0]!.raw, /Final-Recipient: rfc822;unknown@mail\.example\.com/);
});

test('a report that cannot be stored is refused temporarily', async () => {
  store = () => Promise.reject(new Error('the database is away'));
  const { socket, heard, ended } = await speak();
  socket.end(`${bounce}\r\n.\r\nQUIT\r\n`);
  await ended;
  assert.match(heard(), /^354 .*\r\n451 .*\r\n221 .*\r\n$/);
});

test('one that ends its side without QUIT is answered, and has no connection for long', async () => {
  store = async () => {};
  const { socket, heard, ended } = await speak();
  socket.end(`${bounce}\r\n.\r\n`);
  await ended;
  assert.match(heard(), /^354 .*\r\n250 /);
});

test('a client that ends its side in the middle of the mail gets no answer, and the mail is discarded', async () => {
  taken.length = 0;
  const { socket, heard, ended } = await speak();
  socket.end(bounce.slice(0, 200));
  await ended;
  assert.doesNotMatch(heard(), /^250 /m);
  assert.equal(taken.length, 0);
});
