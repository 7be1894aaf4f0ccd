import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowserTest } from '../support/browser.ts';
import { localPhone } from '../v1/support.ts';

const { service, signedIn } = await startBrowserTest();

test('ten thousand contacts are imported, columns are chosen, and bad rows are reported', async () => {
  const bad = new Set([3, 4_711, 9_999]);
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    bad.has(index) ? `Name ${index},not a phone,Haifa` : `Name ${index},${localPhone(index)},Haifa`,
  );
  const file = {
    name: 'clients.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,mobile,town', ...rows].join('\n')),
  };
  const page = await signedIn();
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'New list' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Clients');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await page.getByText('If a number appears twice, the first row is used.', { exact: false }).waitFor();
  await page.getByLabel('Choose a file').setInputFiles(file);
  await page.getByLabel('Content of the column “mobile”').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  await page.getByText('9,997').first().waitFor();
  const download = page.waitForEvent('download');
  await page
    .getByRole('link', { name: 'Download report' })
    .or(page.getByRole('button', { name: 'Download report' }))
    .click();
  const report = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of report) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split(/\r?\n/);
  assert.deepEqual(
    lines.slice(1).map((line) => Number(line.split(',')[0])),
    [5, 4_713, 10_001],
  );
  const [{ count }] = await service.sql<[{ count: number }]>`SELECT count(*)::int AS count FROM contacts`;
  assert.equal(count, 9_997);

  await page.getByRole('link', { name: 'Open list' }).first().click();
  await page.getByLabel('Search by number').fill(localPhone(17));
  await page.getByText('Name 17', { exact: true }).waitFor();
});

test('a number goes onto the blacklist, is found there, and taken off with a reason', async () => {
  const page = await signedIn();
  await page.goto('/blacklist');
  await page.getByRole('button', { name: 'Add numbers' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Numbers').fill('0521239990\nnobody');
  await dialog.getByRole('button', { name: /^Add/ }).click();
  await page.getByText('nobody').first().waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Remove: / })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Reason').fill('asked on the phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from blacklist' }).click();
  await page.getByText('The blacklist is empty').waitFor();
});
