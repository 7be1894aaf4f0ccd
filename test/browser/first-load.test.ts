import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startBrowserTest } from '../support/browser.ts';
import { type LoadedFile, watchLoad } from '../support/page-load.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, visit, signedIn } = await startBrowserTest();
const languages = ['en', 'he'] as const;

// The overview shows its charts only when there are messages.
const sent = await service.call('json', 'sms', {
  source: 'Shop',
  destinations: { phone: ['0521230001', '0521231101', '0521230002', '0521231102'] },
  message: 'For the charts',
});
assert.equal(sent.status, 0, sent.message);
await waitFor('the messages are counted', async () => {
  const [row] = await service.sql<{ ended: number }[]>`
    SELECT coalesce(sum(delivered + failed), 0)::int AS ended FROM message_hours WHERE account_id = ${service.demo.id}`;
  return row!.ended === 4;
});

const MAX_REQUESTS = 25;
const MAX_BYTES = 200_000;
/** Compressed script, without headers, of a page that is not the first one of most visits. */
const MAX_SCRIPT = 250_000;

/** Opens a page without a cache, and returns its requests when it has all it needs. */
async function load(page: Page, path: string): Promise<readonly LoadedFile[]> {
  const { loaded } = await watchLoad(page);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
  return loaded();
}

const sumOf = (files: readonly LoadedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);
const isScript = ({ url }: LoadedFile) => /\.js$/.test(url);

/** What a failure shows: the requests, the largest first. */
function listOf(files: readonly LoadedFile[]): string {
  const list = files
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ method, url, bytes }) => `${bytes} ${method} ${url.replace(service.url, '')}`);
  return `${files.length} requests, ${sumOf(files)} bytes:\n${list.join('\n')}`;
}

/** Asserts the limits of a first page, and reports its figures. */
function assertSmall(context: TestContext, files: readonly LoadedFile[]): void {
  context.diagnostic(`${files.length} requests, ${sumOf(files)} bytes`);
  assert.ok(files.length <= MAX_REQUESTS && sumOf(files) <= MAX_BYTES, listOf(files));
  for (const file of files.filter(isScript)) assert.equal(file.encoding, 'br', file.url);
}

for (const language of languages) {
  test(`the sign-in page in ${language} takes at most 25 requests and 200 kB`, async (context) => {
    assertSmall(context, await load(await visit({ language }), '/'));
  });

  test(`the link of the demo account opens its first page in ${language} with at most 25 requests and 200 kB`, async (context) => {
    const { sql, appContext } = service;
    const [person] = await sql<{ id: number }[]>`SELECT id FROM people WHERE username = 'demo'`;
    const { token } = await appContext.people.links.make(sql, person!.id, 'sign-in');
    const page = await visit({ language });
    const { loaded } = await watchLoad(page);
    await page.goto(`/start#${token}`);
    await page.locator('.start-phone .handset-empty-title').waitFor();
    assertSmall(context, await loaded());
  });

  test(`the overview in ${language} takes at most 25 requests and 200 kB`, async (context) => {
    assertSmall(context, await load(await signedIn({ language }), '/'));
  });

  for (const path of ['/send', '/messages', '/campaigns']) {
    test(`the first visit to ${path} in ${language} fetches at most 250 kB of script`, async () => {
      const scripts = (await load(await signedIn({ language }), path)).filter(isScript);
      assert.ok(scripts.length > 2, 'routes are split');
      const sum = scripts.reduce((all, { body }) => all + body, 0);
      assert.ok(sum <= MAX_SCRIPT, `${sum} bytes of script: ${listOf(scripts)}`);
    });
  }
}
