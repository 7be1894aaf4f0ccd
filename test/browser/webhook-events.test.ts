import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { startReceiver } from '../engine/events/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The events of a webhook endpoint: each has its id, its outcome and its answers, and is sent again by itself. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

for (const { language, details, again, retrying } of [
  {
    language: 'en',
    details: /^Details:/,
    again: 'Send again',
    retrying: 'Retry now',
  },
  {
    language: 'he',
    details: /^פרטים:/,
    again: 'שליחה מחדש',
    retrying: 'לנסות עכשיו',
  },
] as const) {
  test(`an accepted event is shown with its id and sent again (${language})`, async () => {
    const receiver = await startReceiver();
    receiver.answer = (response) => response.end('thanks');
    const hook = await api.post<{ id: string }>('/webhooks', {
      url: receiver.url,
      types: ['blacklist.added'],
    });
    await api.post('/blacklist', { phones: [newPhone()] });
    await waitFor('the event', () => receiver.received.length === 1);
    const key = String(receiver.received[0]!.headers['webhook-id']);

    const page = await signedIn({ language });
    await page.goto(`/webhooks/${hook.id}`);
    const row = page.getByRole('row').filter({ hasText: key });
    await row.getByText('200', { exact: true }).waitFor();
    await assertFits(page);
    await keepScreenshot(page, `webhook-events-${language}`);
    await row.getByRole('button', { name: details }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(key, { exact: true }).waitFor();
    await drawer.getByText('HTTP 200').waitFor();
    await drawer.getByText('thanks', { exact: true }).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `webhook-event-${language}`);
    // The second request is refused: the event is retried, with the status and the answer of the endpoint.
    receiver.answer = (response) => response.writeHead(503).end('later');
    await drawer.getByRole('button', { name: again }).click();
    await waitFor('the event again', () => receiver.received.length === 2);
    assert.equal(receiver.received[1]!.headers['webhook-id'], key);
    await drawer.getByText('HTTP 503').first().waitFor();
    await drawer.getByText('later', { exact: true }).first().waitFor();
    await drawer.getByText('HTTP 200').waitFor();
    receiver.answer = (response) => response.end();
    await drawer.getByRole('button', { name: retrying }).click();
    await waitFor('the event a third time', () => receiver.received.length >= 3);
  });
}
