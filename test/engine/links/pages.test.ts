import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { covers } from '../../conformance/covers.ts';
import { stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { follow, openLinks, sendWithLinks } from './support.ts';

const service = await startTestService();
const links = await openLinks(service);

async function clicksOf(shipmentId: number) {
  const rows = await service.sql<{ link_id: number; message_id: number; visitor: number }[]>`
    SELECT link_id, message_id, visitor FROM clicks WHERE shipment_id = ${shipmentId} ORDER BY id`;
  return rows.map(({ link_id, message_id, visitor }) => [link_id, message_id, visitor]);
}

/** Small letters for capitals and the other way round: another code. */
const otherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const isBlacklisted = async (phone: string, accountId = service.demo.id) =>
  (await service.sql`SELECT 1 FROM blacklist WHERE account_id = ${accountId} AND phone = ${stored(phone)}`)
    .length === 1;

test(
  'a short link redirects immediately and uncached, and its visitor is counted',
  covers('texts.short links'),
  async () => {
    const sent = await sendWithLinks(service, links, ['https://example.com/a?x=1', 'https://example.org/b']);
    const text = links.linkText(sent.codes[0]!);
    assert.equal(text, `${service.url}/l/${sent.codes[0]!.text}`);

    const person = await follow(text);
    assert.equal(person.status, 302);
    assert.equal(person.headers.get('location'), 'https://example.com/a?x=1');
    assert.equal(person.headers.get('cache-control'), 'no-store');
    const head = await follow(text, { method: 'HEAD' });
    assert.equal(head.status, 302);
    assert.equal(head.headers.get('location'), 'https://example.com/a?x=1');
    await follow(text, { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } });
    await follow(text, { headers: { 'user-agent': 'curl/8.5.0' } });
    const second = await follow(links.linkText(sent.codes[1]!));
    assert.equal(second.headers.get('location'), 'https://example.org/b');

    const [a, b] = sent.links;
    const expected = [
      [a!.id, sent.messageId, 0],
      [a!.id, sent.messageId, 1],
      [a!.id, sent.messageId, 1],
      [a!.id, sent.messageId, 2],
      [b!.id, sent.messageId, 0],
    ];
    await waitFor(
      'the clicks are stored',
      async () => (await clicksOf(sent.shipmentId)).length === expected.length,
    );
    assert.deepEqual(await clicksOf(sent.shipmentId), expected);
  },
);

test('many concurrent visitors are all redirected by their own code, and all counted', async () => {
  const campaign = await Promise.all(
    Array.from({ length: 5 }, (_, index) => sendWithLinks(service, links, [`https://example.com/${index}`])),
  );
  const visits = Array.from({ length: 300 }, (_, index) => index % campaign.length);
  await Promise.all(
    visits.map(async (index) => {
      const response = await follow(links.linkText(campaign[index]!.codes[0]!));
      assert.equal(response.headers.get('location'), `https://example.com/${index}`);
    }),
  );
  for (const { shipmentId } of campaign) {
    await waitFor('every click is stored', async () => (await clicksOf(shipmentId)).length === 60);
  }
});

test('unknown, garbled and mistaken codes return an error page in the language of the browser', async () => {
  const sent = await sendWithLinks(service, links, ['https://example.com/']);
  const [unused] = await links.codesFor(1);
  for (const path of [
    `/l/${unused!.text}`,
    `/u/${unused!.text}`,
    '/l/abc',
    '/l/%00',
    '/u/..%2f..%2fapi',
    `/l/${otherCase(sent.codes[0]!.text)}`,
    // The code of the one kind is not one of the other.
    `/l/${sent.removal.text}`,
    `/u/${sent.codes[0]!.text}`,
  ]) {
    const response = await follow(service.url + path);
    const text = await response.text();
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type')!, /^text\/html/);
    assert.match(text, /This link is not valid/);
    assert.equal(response.headers.get('location'), null);
  }
  const hebrew = await follow(`${service.url}/l/${unused!.text}`, {
    headers: { 'accept-language': 'he-IL' },
  });
  assert.match(await hebrew.text(), /<html lang="he" dir="rtl">/);
  const pressed = await follow(`${service.url}/u/${unused!.text}`, { method: 'POST' });
  assert.equal(pressed.status, 404);
  assert.deepEqual(await clicksOf(sent.shipmentId), []);
});

test('nothing in a request says where it is sent', async () => {
  const sent = await sendWithLinks(service, links, ['https://example.com/']);
  const path = `/l/${sent.codes[0]!.text}?url=https://evil.example&to=//evil.example`;
  const response = await follow(service.url + path, { headers: { 'x-forwarded-host': 'evil.example' } });
  assert.equal(response.headers.get('location'), 'https://example.com/');
});

for (const [language, direction, button] of [
  ['he', 'rtl', 'הסירו אותי'],
  ['en', 'ltr', 'Unsubscribe'],
  ['ar', 'rtl', 'إيقاف الرسائل'],
  ['ru', 'ltr', 'Отписаться'],
] as const) {
  test(
    `removal in ${language}: the page alone removes nobody, one press does, a second says the same`,
    covers('texts.removal.link'),
    async () => {
      const { phone, removal } = await sendWithLinks(service, links, [], { language });
      const url = links.removalText(removal);
      for (const method of ['GET', 'HEAD', 'GET']) {
        const shown = await follow(url, { method, headers: { 'accept-language': 'fr' } });
        assert.equal(shown.status, 200);
        const html = await shown.text();
        if (method === 'HEAD') continue;
        assert.ok(html.includes(`<html lang="${language}" dir="${direction}">`), html.slice(0, 80));
        assert.match(html, new RegExp(`<form method="post"><button type="submit">${button}</button></form>`));
        assert.match(html, /<bdi>Shop<\/bdi>/);
        assert.doesNotMatch(html, new RegExp(`${stored(phone)}|${phone}|<script`));
      }
      assert.equal(await isBlacklisted(phone), false);

      const press = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
      };
      const first = await follow(url, press);
      const html = await first.text();
      assert.equal(first.status, 200);
      assert.match(html, /role="status"/);
      assert.match(html, /<form method="post"><button class="quiet" type="submit" name="undo" value="1">/);
      assert.ok(html.includes(`dir="${direction}"`));
      assert.equal(await isBlacklisted(phone), true);
      const second = await follow(url, press);
      assert.equal(second.status, 200);
      assert.equal(await second.text(), html);
    },
  );
}

const undo = (url: string, headers: Record<string, string> = {}) =>
  follow(url, {
    method: 'POST',
    body: 'undo=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

test('a removal is undone by the button of its page, with the consent that it withdrew', async () => {
  const { phone, removal } = await sendWithLinks(service, links, []);
  const url = links.removalText(removal);
  const api = withToken(service.url, DEMO_TOKEN);
  await api.post('/consents', {
    consents: [{ subject: phone, channel: 'sms', action: 'given', source: 'form', form: 'Sign-up' }],
  });
  await follow(url, { method: 'POST' });
  assert.equal(await isBlacklisted(phone), true);
  await undo(url, { 'sec-fetch-site': 'cross-site' });
  assert.equal(await isBlacklisted(phone), true, 'another site cannot press it');
  const undone = await undo(url);
  assert.match(await undone.text(), /You are subscribed again|ההסרה בוטלה/);
  assert.equal(await isBlacklisted(phone), false);
  const { standing } = await api.post<{ standing: { channel: string; action: string }[] }>(
    '/consents/search',
    { subject: phone },
  );
  assert.ok(standing.some(({ channel, action }) => channel === 'sms' && action === 'given'));
});

test('nobody undoes the blacklist of the account', async () => {
  const { phone, removal } = await sendWithLinks(service, links, []);
  const url = links.removalText(removal);
  await withToken(service.url, DEMO_TOKEN).post('/blacklist', { phones: [phone] });
  const removed = await follow(url, { method: 'POST' });
  assert.doesNotMatch(await removed.text(), /name="undo"/);
  await undo(url);
  assert.equal(await isBlacklisted(phone), true);
});

test('a press is accepted with any body, within bounds', async () => {
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['application/json', '{"a":'],
    ['text/plain', 'x'],
  ] as const) {
    const { phone, removal } = await sendWithLinks(service, links, []);
    const response = await follow(links.removalText(removal), {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    assert.equal(response.status, 200, type);
    await response.text();
    assert.equal(await isBlacklisted(phone), true);
  }
  const { phone, removal } = await sendWithLinks(service, links, []);
  const large = await follow(links.removalText(removal), { method: 'POST', body: 'x'.repeat(10_000) });
  assert.equal(large.status, 413);
  assert.equal(await isBlacklisted(phone), false);
});

test('a removal counts for the account of the message alone', covers('texts.removal.link'), async () => {
  const other = await service.addAccount({ username: 'another-shop' });
  const { phone, removal } = await sendWithLinks(service, links, [], {
    username: other.username,
    token: other.token,
  });
  await follow(links.removalText(removal), { method: 'POST' });
  assert.equal(await isBlacklisted(phone, other.id), true);
  assert.equal(await isBlacklisted(phone), false);
  const answer = await service.call(
    'json',
    'sms',
    {
      user: { username: other.username },
      source: 'Shop',
      destinations: { phone },
      message: 'again',
    },
    { token: other.token },
  );
  assert.equal(answer.status, 8);
});

test('pages load nothing, run nothing and are framed by nobody', async () => {
  const { removal } = await sendWithLinks(service, links, []);
  const response = await follow(links.removalText(removal));
  const html = await response.text();
  const policy = response.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /form-action 'self'/);
  assert.doesNotMatch(policy, /unsafe|script-src/);
  const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!;
  assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`));
  assert.doesNotMatch(html, /(?:src|href)=|style="|\son\w+="/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(html, /<meta name="viewport"/);
  assert.match(html, /<h1>Unsubscribe<\/h1>/);
});

test('codes of a shipment whose keeping time is over are unknown', async () => {
  const sent = await sendWithLinks(service, links, ['https://example.com/old']);
  await follow(links.linkText(sent.codes[0]!));
  await waitFor('the click is stored', async () => (await clicksOf(sent.shipmentId)).length === 1);
  await service.advance(366 * 86_400);
  await service.advance(100 * 86_400);
  assert.equal((await follow(links.linkText(sent.codes[0]!))).status, 404);
  assert.equal((await follow(links.removalText(sent.removal))).status, 404);
  assert.deepEqual(await clicksOf(sent.shipmentId), []);
  // And new ones are made in the partitions of the new time.
  const fresh = await sendWithLinks(service, links, ['https://example.com/new']);
  const response = await follow(links.linkText(fresh.codes[0]!));
  assert.equal(response.headers.get('location'), 'https://example.com/new');
});
