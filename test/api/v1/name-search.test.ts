import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { withToken } from './calls.ts';

/** Lists that are searched by a part of a name. */
const service = await startTestService();
const account = await service.addAccount({ username: 'searched' });
const other = await service.addAccount({ username: 'other' });
const calls = withToken(service.url, account.token);

const names = async (path: string, search: string, key: string, name = 'name') => {
  const answer = await calls.get<Record<string, Record<string, string>[]>>(
    `${path}?search=${encodeURIComponent(search)}`,
  );
  return answer[key]!.map((row) => row[name]);
};

test('contact lists and mailing lists are found by a part of their names, of the own account alone', async () => {
  for (const [path, key] of [
    ['/contact-lists', 'contact_lists'],
    ['/mail/lists', 'lists'],
  ] as const) {
    for (const name of ['Winter 100%', 'winter_sale', 'Spring']) await calls.post(path, { name });
    await withToken(service.url, other.token).post(path, { name: 'Winter of others' });
    assert.deepEqual(await names(path, 'WINTER', key), ['Winter 100%', 'winter_sale']);
    // What means something in patterns does not here.
    assert.deepEqual(await names(path, '100%', key), ['Winter 100%']);
    assert.deepEqual(await names(path, '_', key), ['winter_sale']);
    assert.equal((await names(path, ' ', key)).length, 3);
    assert.deepEqual(await names(path, 'summer', key), []);
  }
});

test('campaigns are found by a part of their names, page by page', async () => {
  for (let index = 0; index < 12; index++) {
    await calls.post(
      '/sms',
      {
        source: 'Shop',
        message: 'Hello',
        phones: ['0521230061', '0521230062'],
        campaign_name: index % 4 === 0 ? `Daily ${index}` : `Weekly ${index}`,
        at: new Date(service.appContext.clock.now() + 3_600_000).toISOString(),
      },
      202,
    );
  }
  assert.deepEqual(await names('/campaigns', 'daily', 'campaigns', 'campaign_name'), [
    'Daily 8',
    'Daily 4',
    'Daily 0',
  ]);
  const found: string[] = [];
  for (let after = ''; ; ) {
    const page = await calls.get<{ campaigns: { campaign_name: string }[]; next: string | null }>(
      `/campaigns?search=weekly&limit=4${after}`,
    );
    found.push(...page.campaigns.map(({ campaign_name }) => campaign_name));
    if (page.next === null) break;
    after = `&after=${page.next}`;
  }
  assert.equal(new Set(found).size, 9);
  assert.equal(found.length, 9);
  assert.deepEqual(await names('/campaigns', 'dai', 'campaigns', 'campaign_name'), [
    'Daily 8',
    'Daily 4',
    'Daily 0',
  ]);
});
