import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest(
  {},
  // An image that the preview does not load, as many email programs do not.
  /^Loading the image 'http:/,
);
const mail = mailAt(v1At(service.url));
const READER = 'reader@example.com';
const list = await mail.list([{ email: READER, first_name: 'Dana' }], { name: 'Readers' });
const campaign = await mail.send([list], {
  name: 'Links',
  subject: 'Links for {{FirstName}}',
  html: `<p>Hello {{FirstName}}</p><a href="https://shop.example/spring">Spring</a> <a href="javascript:alert(1)">Odd</a>
    <a href="">Empty</a> <a href="{{unsubscribe}}">Stop</a>`,
  text: 'Hello {{FirstName}}, https://shop.example/spring',
});
await mail.finished(campaign);
await waitFor('the mail', async () => (await mail.mailbox(READER)).length > 0);

test('a mail of the sandbox is seen as HTML, text, links, headers and source, and is saved', async () => {
  const page = await signedIn();
  await page.goto('/sandbox?kind=mail');
  await page.getByRole('button', { name: /Links for Dana/ }).click();
  const card = page
    .getByRole('region')
    .or(page.locator('section'))
    .filter({ hasText: 'Download .eml' })
    .last();
  const show = (name: string) =>
    card.getByRole('radiogroup', { name: 'Format' }).getByText(name, { exact: true }).click();
  await page.frameLocator('iframe[title="The email"]').getByText('Hello Dana').waitFor();
  await show('Plain text');
  await card.getByText('Hello Dana, https://shop.example/spring').waitFor();
  await show('HTML source');
  await card.getByText('<p>Hello Dana</p>', { exact: false }).waitFor();
  await show('Links');
  const row = (name: string) => card.getByRole('row').filter({ hasText: name });
  await row('Odd').getByText('Email programs do not open it').waitFor();
  await row('Empty').getByText('Leads nowhere').waitFor();
  await row('Stop').getByText('OK', { exact: true }).waitFor();
  await row('Spring').getByText('OK', { exact: true }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'mail-links-en-light');
  await show('Headers');
  await row('list-unsubscribe-post').getByText('One-Click').waitFor();
  await show('Source');
  await card.getByText('MIME-Version: 1.0', { exact: false }).waitFor();
  await assertAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Download .eml' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.eml$/);
  const saved = readFileSync(await download.path(), 'utf8');
  assert.match(saved, /^Subject: Links for Dana\r$/m);
});

test('a mail that was sent is seen with its HTML source and its links, in Hebrew and on a phone', async () => {
  const page = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } });
  const { body } = await mail.v1('GET', `messages?shipment_id=${campaign}`);
  const [message] = body.messages as { id: string }[];
  await page.goto(`/messages/${message!.id}`);
  const format = page.getByRole('radiogroup', { name: 'פורמט' });
  await format.getByText('קישורים', { exact: true }).click();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Spring').getByText('https://shop.example/spring').waitFor();
  await row('Odd').getByText('תוכנות דוא״ל אינן פותחות אותו').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'mail-links-he-phone');
  await format.getByText('קוד HTML', { exact: true }).click();
  await page.getByText('<p>Hello Dana</p>', { exact: false }).waitFor();
  await assertFits(page);

  await page.goto('/sandbox?kind=mail');
  await page.getByRole('button', { name: /Links for Dana/ }).click();
  await page.getByRole('link', { name: 'הורדת קובץ eml.' }).waitFor();
  await assertFits(page);
  await keepScreenshot(page, 'sandbox-mail-he-phone');
});

for (const { language, theme, format, checks, dark, improve, frame } of [
  {
    language: 'en',
    theme: 'light',
    format: 'Format',
    checks: 'Checks (7)',
    dark: 'Dark',
    improve: 'Improve',
    frame: 'The email',
  },
  {
    language: 'he',
    theme: 'dark',
    format: 'פורמט',
    checks: 'בדיקות (7)',
    dark: 'כהה',
    improve: 'לשיפור',
    frame: 'ההודעה',
  },
] as const) {
  test(`the preview of a template says what programs and filters object to (${language})`, async () => {
    const page = await signedIn({ language, theme });
    const picture = 'http://shop.example/spring.png';
    const { body } = await v1At(service.url)('POST', 'mail/templates', {
      name: `Objections ${language}`,
      html: `<h1>Spring</h1><img src="${picture}"><form><input></form><a href="">Nowhere</a><!--${'x'.repeat(110_000)}-->`,
    });
    await page.goto(`/mail-templates/${body.id as string}`);
    const views = page.getByRole('radiogroup', { name: format }).last();
    await views.getByText(checks, { exact: true }).click();
    await waitFor('all can be improved', async () => (await page.getByText(improve).count()) === 7);
    await page.getByText('108').waitFor();
    await page.getByText('form, input').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `mail-checks-${language}-${theme}`);
    await views.getByText(dark, { exact: true }).click();
    await page.locator(`iframe[title="${frame}"][data-inverted]`).waitFor();
    await keepScreenshot(page, `mail-dark-${language}-${theme}`);
  });
}
