import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { SOURCE } from '../channels/chat-api/support.ts';
import { keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

/** Whether the first letter of a text is inside its element, as a string that the page evaluates. */
const beginning = (selector: string, text: string) => `(() => {
  const element = [...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent.includes(${JSON.stringify(text)}));
  const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(node, 0);
  range.setEnd(node, 1);
  const letter = range.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return letter.width > 0 && letter.left >= box.left - 1 && letter.right <= box.right + 1;
})()`;

test('a long text shows its beginning in the inbox, whatever the languages of it and of the page', async () => {
  const english = 'Our prices and opening hours are listed on the page about the shop and its branches';
  const hebrew = 'המחירים ושעות הפתיחה של כל הסניפים מופיעים בדף החנות ובעמוד הראשי של האתר שלנו';
  for (const [phone, text] of [
    ['0521230090', english],
    ['0521230091', hebrew],
  ] as const) {
    await api.post(`/sandbox/phones/972${phone.slice(1)}/chat`, { to: SOURCE, body: text });
  }
  for (const language of ['en', 'he'] as const) {
    const page = await signedIn({ language });
    await page.goto('/conversations');
    for (const text of [english, hebrew]) {
      await page.locator('.list-row-text').getByText(text).waitFor();
      assert.equal(await page.evaluate(beginning('.list-row-text', text)), true, `${text} in ${language}`);
    }
    await keepScreenshot(page, `inbox-directions-${language}-light`);
  }
});
