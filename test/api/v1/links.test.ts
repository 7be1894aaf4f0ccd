import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfId } from '../../../server/kit/ids.ts';
import { covers } from '../../conformance/covers.ts';
import { follow, openLinks } from '../../engine/links/support.ts';
import { newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

type Counts = { person: number; preview: number; bot: number };
type LinksAnswer = { links: { id: string; key: string; url: string; clicks: Counts; recipients: Counts }[] };
type ClicksAnswer = {
  clicks: {
    phone: string | null;
    external_id: string | null;
    link_id: string;
    key: string | null;
    clicks: Counts;
    first_at: string;
    last_at: string;
  }[];
  next: string | null;
};

const service = await startTestService();
const links = await openLinks(service);
const api = v1(service.url, DEMO_TOKEN);

const linksOf = async (shipmentId: string, query = '') =>
  (await json<LinksAnswer>(api.get(`/shipments/${shipmentId}/links${query}`))).links;
const clicksOf = (shipmentId: string, query = '', at = api) =>
  json<ClicksAnswer>(at.get(`/shipments/${shipmentId}/clicks${query}`));
const counts = (person: number, preview = 0, bot = 0): Counts => ({ person, preview, bot });
const asPreview = { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } };
const asBot = { headers: { 'user-agent': 'curl/8.5.0' } };

/** A shipment to some phones, with the same links for each: the short links of every phone. */
async function send(
  phones: readonly string[],
  keys: readonly string[],
  options: { username?: string; token?: string } = {},
): Promise<{ shipmentId: string; linkIds: string[]; urls: string[][] }> {
  const answer = await service.call(
    'json',
    'sms',
    {
      user: { username: options.username ?? 'demo' },
      source: 'Shop',
      destinations: { phone: phones.map((phone) => ({ $: { id: `ref-${phone}` }, _: phone })) },
      message: 'hello',
    },
    { token: options.token },
  );
  assert.equal(answer.status, 0, answer.message);
  const shipmentId = Number(answer.fields.shipment_id);
  const planned = links.plan(
    shipmentId,
    keys.map((key) => ({ key, url: `https://example.com/${key}` })),
  );
  const messages = await service.sql<{ id: number; account_id: number }[]>`
    SELECT id, account_id FROM messages WHERE shipment_id = ${shipmentId} ORDER BY id`;
  const codes = await links.codesFor(messages.length * keys.length);
  const planOf = messages.map(({ id: messageId }, message) =>
    planned.map(({ id: linkId }, link) => ({
      code: codes[message * keys.length + link]!,
      shipmentId,
      messageId,
      linkId,
      language: 'en' as const,
    })),
  );
  await service.sql.begin((tx) => links.store(tx, messages[0]!.account_id, planned, planOf.flat()));
  return {
    shipmentId: String(shipmentId),
    linkIds: planned.map(({ id }) => String(id)),
    urls: planOf.map((ofMessage) => ofMessage.map(({ code }) => links.linkText(code))),
  };
}

async function written(shipmentId: string, count: number): Promise<void> {
  await waitFor('the clicks are written', async () => {
    const rows = await service.sql`SELECT 1 FROM clicks WHERE shipment_id = ${Number(shipmentId)}`;
    return rows.length === count;
  });
}

test(
  'every link of a shipment has its clicks and recipients by kind of visitor',
  covers('v1.clicks'),
  async () => {
    const sent = await send(newPhones(3), ['shop', 'terms', 'never']);
    const [first, second] = sent.urls;
    for (const [url, visitor] of [
      [first![0]!, {}],
      [first![0]!, {}],
      [first![0]!, asPreview],
      [second![0]!, {}],
      [second![0]!, asBot],
      [second![1]!, asPreview],
    ] as const) {
      await follow(url, visitor);
    }
    await written(sent.shipmentId, 6);
    const [shop, terms, never] = sent.linkIds;
    assert.deepEqual(await linksOf(sent.shipmentId), [
      {
        id: shop,
        key: 'shop',
        url: 'https://example.com/shop',
        clicks: counts(3, 1, 1),
        recipients: counts(2, 1, 1),
      },
      {
        id: terms,
        key: 'terms',
        url: 'https://example.com/terms',
        clicks: counts(0, 1),
        recipients: counts(0, 1),
      },
      {
        id: never,
        key: 'never',
        url: 'https://example.com/never',
        clicks: counts(0),
        recipients: counts(0),
      },
    ]);
  },
);

test(
  'each recipient has a row for each link followed, with counts and times',
  covers('v1.clicks'),
  async () => {
    const [quiet, busy] = newPhones(2);
    const sent = await send([quiet!, busy!], ['shop', 'terms']);
    const [shop, terms] = sent.urls[1]!;
    await follow(terms!);
    await follow(shop!, asPreview);
    await written(sent.shipmentId, 2);
    await service.advance(3_600);
    await follow(shop!);
    await follow(shop!, asBot);
    await written(sent.shipmentId, 4);

    const times = await service.sql<{ link_id: number; first: number; last: number }[]>`
    SELECT link_id, min(id) AS first, max(id) AS last FROM clicks
    WHERE shipment_id = ${Number(sent.shipmentId)} GROUP BY link_id ORDER BY link_id`;
    const at = (id: number) => new Date(timeOfId(id)).toISOString();
    assert.ok(timeOfId(times[0]!.last) - timeOfId(times[0]!.first) >= 3_600_000);
    const { clicks, next } = await clicksOf(sent.shipmentId);
    assert.equal(next, null);
    assert.deepEqual(clicks, [
      {
        phone: busy,
        external_id: `ref-${busy}`,
        link_id: sent.linkIds[0],
        key: 'shop',
        clicks: counts(1, 1, 1),
        first_at: at(times[0]!.first),
        last_at: at(times[0]!.last),
      },
      {
        phone: busy,
        external_id: `ref-${busy}`,
        link_id: sent.linkIds[1],
        key: 'terms',
        clicks: counts(1),
        first_at: at(times[1]!.first),
        last_at: at(times[1]!.last),
      },
    ]);
  },
);

test('the rows of recipients come page by page, each once', async () => {
  const phones = newPhones(3);
  const sent = await send(phones, ['a', 'b']);
  for (const url of sent.urls.flat()) await follow(url);
  await written(sent.shipmentId, 6);
  const all = phones.flatMap((phone) => [
    [phone, 'a'],
    [phone, 'b'],
  ]);
  for (const limit of [1, 2, 4, 5, 6, 7]) {
    const found: unknown[] = [];
    const sizes: number[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: ClicksAnswer = await clicksOf(sent.shipmentId, `?limit=${limit}&after=${next}`);
      found.push(...page.clicks.map(({ phone, key }) => [phone, key]));
      sizes.push(page.clicks.length);
      next = page.next;
    }
    assert.deepEqual(found, all);
    assert.equal(sizes.length, Math.ceil(all.length / limit), `pages of ${limit}`);
  }
});

test('a shipment without links, or without clicks, returns an empty list', async () => {
  const bare = await send(newPhones(1), []);
  assert.deepEqual(await linksOf(bare.shipmentId), []);
  assert.deepEqual(await clicksOf(bare.shipmentId), { clicks: [], next: null });
  const quiet = await send(newPhones(1), ['a']);
  assert.deepEqual(
    (await linksOf(quiet.shipmentId)).map(({ key, clicks }) => [key, clicks]),
    [['a', counts(0)]],
  );
  assert.deepEqual(await clicksOf(quiet.shipmentId), { clicks: [], next: null });
});

test('what is no page, or no shipment, is refused', async () => {
  const { shipmentId } = await send(newPhones(1), ['a']);
  for (const [query, field] of [
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=x', 'limit'],
    ['?after=5', 'after'],
    ['?after=5-', 'after'],
    ['?after=5-5-5', 'after'],
    ["?after=1-1'", 'after'],
  ]) {
    const { error } = await json<{ error: Record<string, string> }>(
      api.get(`/shipments/${shipmentId}/clicks${query}`),
      400,
    );
    assert.deepEqual([error.code, error.field], ['bad-field', field], query);
  }
  for (const id of ['1', 'x', '-1', '99999999999999999999', String(Number(shipmentId) + 1)]) {
    for (const report of ['links', 'clicks']) {
      const { error } = await json<{ error: Record<string, string> }>(
        api.get(`/shipments/${id}/${report}`),
        404,
      );
      assert.deepEqual(error, { code: 'not-found', message: 'no such shipment' }, `${id}/${report}`);
    }
  }
});

test(
  'another account sees nothing of a shipment; a parent sees those of its subscribers',
  covers('v1.clicks'),
  async () => {
    const mine = await send(newPhones(1), ['mine']);
    const child = await service.addAccount({ username: 'child', parentId: service.demo.id });
    const theirs = await send(newPhones(1), ['theirs'], { username: 'child', token: child.token });
    await follow(mine.urls[0]![0]!);
    await follow(theirs.urls[0]![0]!);
    await written(mine.shipmentId, 1);
    await written(theirs.shipmentId, 1);

    const stranger = await service.addAccount({ username: 'stranger' });
    for (const { shipmentId } of [mine, theirs]) {
      for (const report of ['links', 'clicks']) {
        const path = `/shipments/${shipmentId}/${report}`;
        await json(v1(service.url, stranger.token).get(path), 404);
        await json(v1(service.url, stranger.token).get(`${path}?username=demo`), 403);
        await json(v1(service.url, 'wrong').get(path), 401);
      }
    }
    await json(v1(service.url, child.token).get(`/shipments/${mine.shipmentId}/links`), 404);
    await json(v1(service.url, child.token).get(`/shipments/${mine.shipmentId}/clicks`), 404);
    await json(api.get(`/shipments/${theirs.shipmentId}/links`), 404);

    const asChild = '?username=child';
    assert.equal((await linksOf(theirs.shipmentId, asChild))[0]!.key, 'theirs');
    assert.equal((await clicksOf(theirs.shipmentId, asChild)).clicks[0]!.key, 'theirs');
    const own = await clicksOf(theirs.shipmentId, '', v1(service.url, child.token));
    assert.deepEqual(own.clicks[0]!.clicks, counts(1));
  },
);

test('shipments with links are listed, the newest first, and their clicks by hour', async () => {
  const owner = await service.addAccount({ username: 'linked' });
  const at = v1(service.url, owner.token);
  const by = { username: owner.username, token: owner.token };
  const older = await send(newPhones(2), ['shop', 'terms'], by);
  const newer = await send(newPhones(1), ['shop'], by);
  type Listed = {
    shipments: { id: string; links: number; url: string; messages: number; channel: string }[];
    next: string | null;
  };
  const listed = await json<Listed>(at.get('/links?limit=1'));
  assert.deepEqual(
    listed.shipments.map(({ id, links: count, url, messages, channel }) => [
      id,
      count,
      url,
      messages,
      channel,
    ]),
    [[newer.shipmentId, 1, 'https://example.com/shop', 1, 'sms']],
  );
  const rest = await json<Listed>(at.get(`/links?after=${listed.next}`));
  assert.deepEqual(
    [rest.shipments.map(({ id, links: count }) => [id, count]), rest.next],
    [[[older.shipmentId, 2]], null],
  );
  assert.ok(!(await json<Listed>(api.get('/links'))).shipments.some(({ id }) => id === newer.shipmentId));

  const hourOf = (time: number) => new Date(time - (time % 3_600_000)).toISOString();
  const clock = service.appContext.clock;
  await follow(older.urls[0]![0]!, {});
  await follow(older.urls[1]![0]!, asPreview);
  await written(older.shipmentId, 2);
  const first = (
    await service.sql<
      { id: number }[]
    >`SELECT min(id) AS id FROM clicks WHERE shipment_id = ${Number(older.shipmentId)}`
  )[0]!;
  await service.advance(7_200);
  const later = clock.now();
  await follow(older.urls[0]![1]!, {});
  await written(older.shipmentId, 3);
  type Hours = { hours: { at: string; clicks: Counts }[] };
  assert.deepEqual(await json<Hours>(at.get(`/shipments/${older.shipmentId}/clicks/hours`)), {
    hours: [
      { at: hourOf(timeOfId(first.id)), clicks: counts(1, 1) },
      { at: hourOf(later), clicks: counts(1) },
    ],
  });
  assert.deepEqual(await json<Hours>(at.get(`/shipments/${newer.shipmentId}/clicks/hours`)), { hours: [] });
  assert.equal((await api.get(`/shipments/${newer.shipmentId}/clicks/hours`)).status, 404);
});
