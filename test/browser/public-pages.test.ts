import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Pages that recipients open from messages, without the console. */

const { service, visit } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);
const mail = mailAt(v1At(service.url));

const words = {
  en: {
    button: 'Unsubscribe',
    removed: 'You are unsubscribed',
    undo: 'Undo',
    again: 'You are subscribed again',
    sms: 'Spring sale',
  },
  he: {
    button: 'הסירו אותי',
    removed: 'הוסרת מרשימת התפוצה',
    undo: 'ביטול ההסרה',
    again: 'ההסרה בוטלה',
    sms: 'מבצע אביב',
  },
} as const;

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  /** Opens the page of a link, unsubscribes, and undoes it. */
  async function walk(link: string, facts: readonly string[], picture: string): Promise<void> {
    const page = await visit({ language, viewport: { width: 390, height: 700 } });
    await page.goto(link);
    await page.locator('.brand').getByText('Demo', { exact: true }).waitFor();
    for (const fact of facts) await page.getByText(fact, { exact: true }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `${picture}-${language}-light`);
    await page.getByRole('button', { name: t.button }).click();
    await page.getByRole('heading', { name: t.removed }).waitFor();
    await keepScreenshot(page, `${picture}-done-${language}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await assertAccessible(page);
    await keepScreenshot(page, `${picture}-done-${language}-dark`);
    await page.getByRole('button', { name: t.undo }).click();
    await page.getByRole('heading', { name: t.again }).waitFor();
    assert.equal(await page.getByRole('button').count(), 0);
  }

  test(`the page to unsubscribe from emails has the account, the address, the list and an undo, in ${language}`, async () => {
    const address = `reader-${language}@example.com`;
    const list = await mail.list([{ email: address }], { name: `Club ${language}` });
    await mail.finished(await mail.send([list]));
    const [arrived] = await mail.mailbox(address);
    const link = /<(https?:[^>]*\/mail\/remove\/[^>]*)>/.exec(arrived!.headers['list-unsubscribe']!)![1]!;
    await walk(link, [address, `Club ${language}`], 'unsubscribe-mail');
  });

  test(`the page to unsubscribe from SMS has the account, the end of the number and an undo, in ${language}`, async () => {
    const phone = language === 'en' ? '0521230071' : '0521230072';
    await api.post('/sms', { source: 'Shop', message: t.sms, removal: 'link', phones: [phone] }, 202);
    const link = await waitFor('the link', async () => {
      const [sms] = await service.phone(phone);
      return sms && /https?:\/\/\S+\/u\/\w+/.exec(sms.text)?.[0];
    });
    await walk(link, [`••• ${phone.slice(-4)}`], 'unsubscribe-sms');
  });
}
