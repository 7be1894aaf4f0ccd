import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactListsOf } from '../api/v1/support.ts';
import { assertAccessible, keepScreenshot, startBrowserTest } from '../support/browser.ts';

/* What pages say when something cannot be done, or a field is not filled in. */

const { service, signedIn } = await startBrowserTest();
const { newList } = contactListsOf(service);

/** Names of the buttons that a notice lies over, as a string that the page evaluates. */
const covered = `(() => {
  const notice = document.querySelector('.mantine-Notification-root');
  const { left, right, top, bottom } = notice.getBoundingClientRect();
  return [...document.querySelectorAll('button')].filter((button) => {
    const box = button.getBoundingClientRect();
    const isOver = box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    return isOver && box.width > 0 && !notice.contains(button);
  }).map((button) => button.textContent || button.ariaLabel);
})()`;

const words = {
  en: {
    pause: 'Pause',
    cancelled: 'This campaign was cancelled already.',
    gone: 'This does not exist or was deleted.',
    retry: 'Try again',
    create: 'New list',
    missing: 'Fill in this field.',
  },
  he: {
    pause: 'השהיה',
    cancelled: 'הקמפיין כבר בוטל.',
    gone: 'הפריט אינו קיים או נמחק.',
    retry: 'ניסיון נוסף',
    create: 'רשימה חדשה',
    missing: 'מלאו את השדה.',
  },
} as const;

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`a campaign that has ended is named as the reason, without a useless button to try again, in ${language}`, async () => {
    const cl_id = await newList({ phone: '0521230080' }, { phone: '0521230081' });
    const sent = await service.call('json', 'sms', {
      source: 'Shop',
      destinations: { cl_id },
      message: 'Hello',
      timing: '31/12/36 10:00',
    });
    const shipment = sent.fields.shipment_id as string;
    const page = await signedIn({ language });
    await page.goto(`/campaigns/${shipment}`);
    const pause = page.getByRole('button', { name: t.pause });
    await pause.waitFor();
    await page.route('**/pause', async (route) => {
      await service.call('json', 'cancel', { campaign_id: shipment });
      await route.continue();
    });
    await pause.click();
    const notice = page.getByRole('alert').filter({ hasText: t.cancelled });
    await notice.waitFor();
    assert.equal((await notice.innerText()).trim(), t.cancelled);
    assert.deepEqual(await page.evaluate<string[]>(covered), [], 'the notice covers no button');
    await keepScreenshot(page, `problem-cancelled-${language}-light`);
    await page.goto('/campaigns/1');
    await page.getByRole('alert').getByText(t.gone).waitFor();
    assert.equal(await page.getByRole('button', { name: t.retry }).count(), 0);
    await keepScreenshot(page, `problem-gone-${language}-light`);
  });

  test(`an empty required field has an error in the language of the page, in ${language}`, async () => {
    const page = await signedIn({ language });
    await page.goto('/contacts');
    await page.getByRole('button', { name: t.create }).first().click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.locator('form').getAttribute('novalidate'), '');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByText(t.missing).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `problem-missing-${language}-light`);
  });
}
