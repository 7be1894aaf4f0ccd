import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jsonOf, startProvider } from '../../protocols/http-carrier/support.ts';
import { newPhone } from '../../support/phones.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The real program sends batches over a provider with an HTTP interface, and is killed. */

const WINDOW = 40;
const MAX = 10;
const MESSAGES = 300;

/** Number of requests that had each message. */
const received = new Map<string, number>();
let answered = 0;
let isSilent = false;
const sizes: number[] = [];

const provider = await startProvider({ after }, (request) => {
  const list = jsonOf(request).messages as { id: string }[];
  sizes.push(list.length);
  for (const { id } of list) received.set(id, (received.get(id) ?? 0) + 1);
  if (isSilent) return 'silent';
  answered += list.length;
  if (answered >= MESSAGES / 3) isSilent = true;
  return { status: 200, body: { messages: list.map(({ id }) => ({ id, state: 'ok' })) } };
});

const installation = new Installation({ SANDBOX: 'off' });
const file = join(installation.folder, 'carriers.json');
await writeFile(
  file,
  JSON.stringify({
    http: [
      {
        ...{ name: 'provider', window: WINDOW, allowPrivate: true },
        description: {
          send: {
            url: `${provider.origin}/messages`,
            body: { json: { messages: [{ id: '{id}', to: '{to.plus}', text: '{text}' }] } },
            batch: { list: '/messages', max: MAX },
          },
          answer: {
            rules: [{ when: { status: 429 }, then: 'throttled' }],
            items: {
              each: '/messages/*',
              ref: '/id',
              rules: [{ when: { at: '/state', is: 'ok' }, then: 'accepted' }],
            },
          },
        },
      },
    ],
  }),
);
const environment = { CARRIERS_FILE: file };

test('a killed process sends at most one window again, and no message is lost', async () => {
  const killed = await installation.start({ environment });
  const { token } = await installation.account(killed.url, 'shop', 1_000);
  const phones = Array.from({ length: MESSAGES }, () => newPhone());
  const response = await fetch(`${killed.url}/v1/sms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'Shop', message: 'Hello', phones }),
  });
  assert.equal(response.status, 202);
  await waitFor('requests without an answer fill the window', () => {
    const open = [...received.values()].length - answered;
    return open >= WINDOW / 2;
  });
  await killed.kill();
  const before = received.size;
  assert.ok(before - answered <= WINDOW);
  isSilent = false;
  answered = Number.NEGATIVE_INFINITY;
  await installation.start({ environment });
  const sql = await installation.sql();
  await waitFor('all messages are submitted', async () => {
    const [row] = await sql<{ n: number }[]>`
      SELECT count(*)::integer AS n FROM messages WHERE handed_at IS NOT NULL`;
    return row!.n === MESSAGES;
  });
  assert.equal(received.size, MESSAGES);
  const repeated = [...received.values()].filter((count) => count > 1);
  assert.ok(repeated.length <= WINDOW, `${repeated.length} messages were sent again`);
  assert.ok(repeated.every((count) => count === 2));
  // It sends in batches, and none is larger than the maximum.
  assert.equal(Math.max(...sizes), MAX);
});
