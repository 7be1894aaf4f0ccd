import { test } from 'node:test';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { openTry } from './forms.ts';

const { service, signedIn } = await startBrowserTest();

test('somebody who is signed in tries an operation with their session', async () => {
  const page = await signedIn();
  const form = await openTry(page, service.url, 'account', 'showOwnAccount');
  await form.getByText('Requests are real and act for the account demo.').waitFor();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/^HTTP 200 after \d+ ms$/).waitFor();
  await form.getByText('"username": "demo"').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'reference-try');
});
