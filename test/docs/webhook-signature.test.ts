import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verifyWebhook } from '../../client/src/webhooks.ts';
import { webhookHeaders } from '../../server/engine/events/payloads.ts';

/* The worked example of docs/events.md, computed from the text of the page. */

const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
const block = (name: string) =>
  new RegExp(`^\`\`\`\\w+ signed=${name}\\n([^]*?)\\n\`\`\`$`, 'm').exec(page)![1]!;
const row = (name: string) => page.split(`\n| ${name} | \``)[1]!.split('`')[0]!;

const secret = row('secret of the endpoint');
const id = row('`webhook-id`');
const timestamp = row('`webhook-timestamp`');
const body = block('body');
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const now = Number(timestamp) * 1_000;
const [name, value] = block('header').split(': ') as [string, string];
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, [name]: value };

test('the example shows the headers that the service sends', () => {
  assert.equal(key.toString('hex'), row('key (hexadecimal)'));
  assert.equal(block('string'), `${id}.${timestamp}.${body}`);
  const sent = webhookHeaders([key], { key: id }, now, body);
  assert.deepEqual(
    Object.fromEntries(sent.map((text, at) => [text, sent[at + 1]]).filter((_, at) => at % 2 === 0)),
    headers,
  );
});

test('the client library accepts the example and refuses another body', async () => {
  const event = await verifyWebhook(secret, headers, body, { now });
  assert.equal(event.type, 'blacklist.added');
  await assert.rejects(verifyWebhook(secret, headers, `${body}\n`, { now }));
});

test('the program of the page accepts genuine requests alone', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now });
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(block('program'))}`)) as {
    isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean;
  };
  assert.equal(isGenuine(secret, headers, body), true);
  assert.equal(isGenuine(secret, { ...headers, [name]: `v1,AAAA ${value}` }, body), true);
  assert.equal(isGenuine(secret, headers, body.replace('972501000001', '972501000002')), false);
  assert.equal(isGenuine(`whsec_${'A'.repeat(44)}`, headers, body), false);
  t.mock.timers.setTime(now + 301_000);
  assert.equal(isGenuine(secret, headers, body), false);
});
