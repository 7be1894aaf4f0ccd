import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, type Calls, withToken } from '../api/v1/calls.ts';
import { openStream } from '../api/v1/live-support.ts';
import { SOURCE } from '../channels/chat-api/support.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * A viewer, or a token that only reads contacts, looks for what is not for them in every answer: texts of messages, of
 * incoming ones, of mail campaigns and on simulated phones, targets of links, example values of templates, keys in
 * addresses of webhooks, and what deliveries carry.
 */

const service = await startTestService();
const { url, demo, appContext, sql } = service;
const owner = await asPerson(service, 'owner', demo.id);
const sender = await asPerson(service, 'sender', demo.id);
const viewer = await asPerson(service, 'viewer', demo.id);
const reader = withToken(url, (await appContext.tokens.mint(demo.id, { scopes: ['read'] })).token);

const receiver = await startReceiver();
receiver.answer = (response) => response.writeHead(500).end('canary-answer');
const phone = newPhone();
const { port } = new URL(receiver.url);
const hook = await owner.post<{ id: string }>('/webhooks', {
  url: `http://localhost:${port}/canary-path?key=canary-query`,
});
const sent = await owner.post<{ shipment_id: string }>(
  '/sms',
  {
    source: 'Shop',
    phones: [phone],
    message: 'canary-text [link-1]',
    links: [{ id: '1', url: 'https://shop.example.com/canary-link?order=17' }],
  },
  202,
);
const { template_id: template } = await owner.post<{ template_id: string }>(
  '/chat/templates',
  {
    phone: SOURCE,
    name: 'looked_for',
    language: '2',
    category: 'utility',
    body: 'Hello {{1}}, it is here.',
    body_samples: ['canary-sample'],
    buttons: [
      {
        kind: 'website',
        text: 'Open it',
        url: 'https://www.example.com/orders/{{1}}',
        sample: 'https://www.example.com/orders/canary-button',
      },
    ],
  },
  202,
);
const list = await owner.post<{ id: string }>('/mail/lists', { name: 'Newsletter' });
const mailbox = 'dana@example.com';
await owner.post(`/mail/lists/${list.id}/users`, { users: [{ email: mailbox }] });
const campaign = await owner.post<{ id: string }>(
  '/mail/campaigns',
  {
    from: { address: 'news@example.com' },
    subject: 'canary-subject',
    html: '<p>canary-html</p>',
    text: 'canary-mail',
    lists: [list.id],
  },
  202,
);
await service.call('json', 'addNumBL', { bl: { phone: newPhone() } });
const delivery = await waitFor('a delivery that fails', async () => {
  const { deliveries } = await owner.get<{ deliveries: { id: string; answer: { body: string | null } }[] }>(
    '/webhook-deliveries',
  );
  return deliveries.find(({ answer }) => answer.body !== null)?.id;
});
const replied = newPhone();
await service.sendFromPhone(replied, '0559876543', 'canary-incoming');
await waitFor('the incoming SMS to be on its way to the webhook', async () => {
  const answer = await owner.fetch('GET', '/webhook-deliveries');
  return (await answer.text()).includes('canary-incoming');
});
const message = await waitFor('the message', async () => {
  const { messages } = await owner.get<{ messages: { id: string }[] }>(
    `/messages?shipment_id=${sent.shipment_id}`,
  );
  return messages[0]?.id;
});

await waitFor('the mail', async () =>
  (await (await owner.fetch('GET', `/sandbox/mailboxes/${mailbox}`)).text()).includes('canary-mail'),
);

const ids = [hook.id, sent.shipment_id, message, delivery, template, campaign.id, '1'];
const { operations } = await openDescription(url);
/** They go on and on. */
const streams = new Set(['/v1/live', '/v1/events/stream']);
const paths = [
  ...operations
    .filter(({ method, path }) => method === 'get' && path.startsWith('/v1/') && !streams.has(path))
    .flatMap(({ path }) => ids.map((id) => path.replace('/v1', '').replace('{id}', id))),
  `/sandbox/phones/${phone}`,
  `/sandbox/handsets/${phone}`,
  `/sandbox/handsets/${replied}`,
  `/sandbox/mailboxes/${mailbox}`,
  `/sandbox/mailboxes/${mailbox}/mail-1.eml`,
  '/sandbox/arrivals',
];

/** The canaries that somebody finds, by all routes that only read. */
async function found(calls: Calls): Promise<string[]> {
  const seen = new Set<string>();
  for (const path of new Set(paths)) {
    const { text } = await calls.text('GET', path);
    for (const [canary] of text.matchAll(/canary-\w+/g)) seen.add(canary);
  }
  return [...seen].toSorted();
}

const texts = [
  'canary-button',
  'canary-html',
  'canary-incoming',
  'canary-link',
  'canary-mail',
  'canary-sample',
  'canary-subject',
  'canary-text',
];
const everything = ['canary-answer', ...texts, 'canary-path', 'canary-query'].toSorted();

test('an owner finds all of it, so that there is something to be found', async () => {
  assert.deepEqual(await found(owner), everything);
});

test('a sender finds texts and what deliveries carry', async () => {
  assert.deepEqual(await found(sender), ['canary-answer', ...texts]);
});

test('a viewer finds nothing', async () => {
  assert.deepEqual(await found(viewer), []);
  const { webhooks } = await viewer.get<{ webhooks: { url: string }[] }>('/webhooks');
  assert.equal(webhooks[0]!.url, `http://localhost:${port}/••••••`);
  const { links } = await viewer.get<{ links: { url: string }[] }>(`/shipments/${sent.shipment_id}/links`);
  assert.equal(links[0]!.url, 'https://shop.example.com/••••••');
  const shown = await viewer.get<{ subject: string; html: string | null }>(`/mail/campaigns/${campaign.id}`);
  assert.deepEqual([shown.subject, shown.html], ['••••••', null]);
});

test('a viewer watches no simulated phone', async () => {
  assert.deepEqual(await viewer.refused('GET', `/live?phones=${phone}`), ['not-allowed', 'phones', 403]);
  const { token } = await appContext.tokens.mint(demo.id, { scopes: ['read'] });
  const stream = await openStream(`${url}/v1/live?phones=${phone}`, token);
  await stream.close();
});

test('user name and password in the address of a webhook are for owners alone', async () => {
  const address = `http://someone:canary-password@localhost:${port}/`;
  assert.deepEqual(await owner.refused('POST', '/webhooks', { url: address }), ['bad-field', undefined, 400]);
  // As one that was stored before they were refused.
  const { id } = await owner.post<{ id: string }>('/webhooks', { url: `http://localhost:${port}/` });
  await sql`UPDATE event_endpoints SET url = ${address} WHERE account_id = ${demo.id} AND id = ${Number(id)}`;
  const seenBy = async (calls: Calls) => (await calls.get<{ url: string }>(`/webhooks/${id}`)).url;
  assert.equal(await seenBy(owner), address);
  for (const calls of [sender, viewer]) assert.equal(await seenBy(calls), `http://localhost:${port}/••••••`);
});

test('a token with read alone finds texts', async () => {
  assert.deepEqual(await found(reader), texts);
});
