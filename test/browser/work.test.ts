import { test } from 'node:test';
import { assertAccessible, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';

/* The page on which operators see background work. */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'working', 'operator', null);
const operator = { username: 'working', password: PASSWORD };

test('operators see background work, and retry and discard items', async () => {
  const { id } = await service.addAccount({ username: 'busy' });
  const later = service.appContext.clock.now() + 3_600_000;
  for (const key of [1, 2]) {
    await service.sql`
      INSERT INTO work (account_id, kind, key, due_at, attempts, last_error, created_at)
      VALUES (${id}, 'media-fetch', ${key}, ${later}, 3, 'HTTP 503', ${later})`;
  }
  const page = await signedIn({}, operator);
  await page.goto('/operator/work');
  await page.getByRole('row').filter({ hasText: 'busy' }).getByText('Retrying').first().waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-work-en');
  await page.getByRole('button', { name: 'Retry 1' }).click();
  await page.getByText('The next attempt starts now.').waitFor();
  await page.getByRole('button', { name: 'Retry 1' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard 2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('The item was discarded.').waitFor();
  await page.getByRole('row').filter({ hasText: 'busy' }).first().waitFor({ state: 'detached' });

  const hebrew = await signedIn({ language: 'he', theme: 'dark' }, operator);
  await hebrew.goto('/operator/work');
  // The templates of the sandbox's business number are fetched every hour.
  await hebrew.getByText('סנכרון תבניות צ׳אט').first().waitFor();
  await assertAccessible(hebrew);
  await keepScreenshot(hebrew, 'operator-work-he-dark');
});
