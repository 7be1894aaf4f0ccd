import { test } from 'node:test';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { startReceiver } from '../engine/events/support.ts';
import { assertAccessible, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* The page on which operators see the failing webhook endpoints of all accounts. */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'watching', 'operator', null);
const operator = { username: 'watching', password: PASSWORD };

test('operators see who has a failing endpoint and why, and enable a disabled one', async () => {
  const api = await asPerson(service, 'operator');
  for (const [username, status] of [
    ['broken', 503],
    ['gone', 410],
  ] as const) {
    const { token } = await service.addAccount({ username });
    const receiver = await startReceiver();
    receiver.answer = (response) => response.writeHead(status).end();
    const calls = withToken(service.url, token);
    await calls.post('/webhooks', { url: `${receiver.url}/hook?key=secret` });
    await calls.post('/blacklist', { phones: [newPhone()] });
  }
  await waitFor('both are listed', async () => {
    const { webhooks } = await api.get<{ webhooks: { last_status: number }[] }>('/operator/webhooks');
    return webhooks.length === 2 && webhooks.every(({ last_status }) => last_status !== null);
  });

  const page = await signedIn({}, operator);
  await page.goto('/operator/webhooks');
  const failing = page.getByRole('row').filter({ hasText: 'broken' });
  await failing.getByText('Failing', { exact: true }).waitFor();
  await failing.getByText('answered 503', { exact: true }).waitFor();
  const gone = page.getByRole('row').filter({ hasText: 'gone' });
  await gone.getByText('answered 410 Gone').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-failing-webhooks-en');
  await gone.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('The endpoint was enabled.').waitFor();
  await gone.waitFor({ state: 'detached' });

  const hebrew = await signedIn({ language: 'he', theme: 'dark' }, operator);
  await hebrew.goto('/operator/webhooks');
  await hebrew.getByRole('row').filter({ hasText: 'broken' }).getByText('נכשלת', { exact: true }).waitFor();
  await assertAccessible(hebrew);
  await keepScreenshot(hebrew, 'operator-failing-webhooks-he-dark');
});
