import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The pages of saved replies, labels, rules, opening hours and turns. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);
const NUMBER = '0559876543';
const phoneSize = { width: 390, height: 844 };

/** Looks at a page as it is on a phone, and gives it its size back. */
async function onPhone(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize(phoneSize);
  await assertFits(page);
  await keepScreenshot(page, name);
  await page.setViewportSize(before);
}

test('a saved reply is created, found by its shortcut, changed and deleted', async () => {
  const page = await signedIn();
  await page.goto('/saved-replies');
  await page.getByText('No saved replies yet').waitFor();
  await page.getByRole('button', { name: 'New saved reply' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Our prices');
  await dialog.getByLabel('Shortcut').fill('two words');
  await dialog.getByLabel('Text').fill('Hello {{client_name|there}}, it costs 10.');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Letters, digits, - and _ only, without spaces.').waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Shortcut').fill('Prices');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved reply “Our prices” was created.').waitFor();
  await page.getByRole('cell', { name: '/prices' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search saved replies' }).fill('nothing like it');
  await page.getByRole('cell', { name: '/prices' }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search saved replies' }).fill('pri');
  await page.getByRole('cell', { name: '/prices' }).waitFor();
  await page.getByRole('button', { name: 'Actions for Our prices' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Title').fill('Prices of 2027');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Prices of 2027', { exact: true }).waitFor();
  await onPhone(page, 'saved-replies-phone');

  const { saved_replies } = await api.get<{ saved_replies: { id: string }[] }>('/saved-replies');
  const rule = await api.post<{ id: string }>('/conversation-rules', {
    name: 'Sends it',
    keywords: ['never said'],
    saved_reply_id: saved_replies[0]!.id,
  });
  await page.getByRole('button', { name: 'Actions for Prices of 2027' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('The rule “Sends it” sends it. Change the rule first.').waitFor();
  await api.call('DELETE', `/conversation-rules/${rule.id}`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Saved reply “Prices of 2027” was deleted.').waitFor();
});

test('a rule is written, does what it says, shows that it did, and is moved, switched off and deleted', async () => {
  await addPerson(service, 'rule-agent', 'agent', service.demo.id);
  const page = await signedIn();
  await page.goto('/conversation-labels');
  await page.getByRole('button', { name: 'New label' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Prices');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('rowheader', { name: 'Prices' }).waitFor();
  await assertAccessible(page);

  await page.goto('/conversation-rules');
  await page.getByRole('link', { name: 'New rule' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'New rule' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Answers prices');
  await page.getByRole('radio', { name: 'No reply' }).check();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Choose at least one thing that the rule does.').waitFor();
  const keywords = page.getByRole('combobox', { name: 'Keywords' });
  await keywords.fill('how much');
  await keywords.press('Enter');
  await keywords.fill('price');
  await keywords.press('Enter');
  await page.getByRole('radio', { name: 'Text', exact: true }).check();
  await page.getByLabel('Text of the reply').fill('Hello {{client_name|friend}}, it costs 10.');
  await page.getByRole('combobox', { name: 'Labels' }).click();
  await page.getByRole('option', { name: 'Prices' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Assign to' }).click();
  await page.getByRole('option', { name: 'rule-agent' }).click();
  await assertAccessible(page);
  await keepScreenshot(page, 'rule-new-en');
  await onPhone(page, 'rule-new-en-phone');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Rule “Answers prices” was created.').waitFor();
  await page.getByText('how much, price · replies, labels, assigns, stops').waitFor();

  const phone = newPhone();
  await service.sendFromPhone(phone, NUMBER, 'How much is it?');
  await waitFor('the reply', async () =>
    (await service.phone(phone)).some(({ text }) => text === 'Hello friend, it costs 10.'),
  );
  await page.getByRole('link', { name: 'Answers prices' }).click();
  await page.getByRole('cell', { name: 'Replied, Labelled, Assigned' }).waitFor();
  assert.deepEqual(
    await page.getByRole('combobox', { name: 'Assign to' }).inputValue(),
    'rule-agent',
    'the form has what was saved',
  );
  await page.getByLabel('Name', { exact: true }).fill('Prices');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rule “Prices” was saved.').waitFor();
  await page.getByRole('link', { name: 'New rule' }).waitFor();

  await api.post('/conversation-rules', { name: 'Welcome', reply_text: 'Hello', first_only: true });
  await page.reload();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Welcome').getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await page.getByText('Rule “Welcome” is now number 1.').waitFor();
  await waitFor('it is the first', async () => {
    const { rules } = await api.get<{ rules: { name: string }[] }>('/conversation-rules');
    return rules[0]!.name === 'Welcome';
  });
  await row('Welcome').getByRole('switch').press('Space');
  await waitFor('it is switched off', async () => {
    const { rules } = await api.get<{ rules: { enabled: boolean }[] }>('/conversation-rules');
    return !rules[0]!.enabled;
  });
  await assertAccessible(page);
  await onPhone(page, 'rules-en-phone');
  await row('Welcome').getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row('Welcome').waitFor({ state: 'detached' });
});

test('opening hours, closed dates, turns and closing are set in Hebrew, from right to left', async () => {
  const page = await signedIn({ language: 'he' });
  await page.goto('/conversation-hours');
  await page.getByText('פתוח עכשיו').waitFor();
  await page.getByText('לפי שעות', { exact: true }).click();
  const sunday = page.getByRole('group', { name: 'ראשון' });
  await sunday.getByLabel('ראשון, משעה, 1').fill('22:00');
  await sunday.getByLabel('ראשון, עד שעה, 1').fill('22:00');
  const hours = page.locator('#hours');
  await hours.getByRole('button', { name: 'שמירה' }).click();
  await page.getByText('שעת ההתחלה ושעת הסיום צריכות להיות שונות.').waitFor();
  await sunday.getByLabel('ראשון, עד שעה, 1').fill('02:00');
  await sunday.getByText('אחרי חצות').waitFor();
  await page.getByRole('button', { name: 'הוספת שעות ביום שבת' }).click();
  await page.getByLabel('שבת, משעה, 1').fill('00:00');
  await page.getByLabel('שבת, עד שעה, 1').fill('00:00');
  await page.getByRole('button', { name: 'הסרת שעות 1 של יום שני' }).click();
  await page.getByRole('button', { name: 'הוספת תאריך' }).click();
  await page.getByLabel('תאריך', { exact: true }).fill('2027-10-02');
  await page.getByLabel('שם', { exact: true }).fill('ראש השנה');
  await page.getByLabel('הודעת היעדרות').fill('אנחנו סגורים עכשיו');
  await hours.getByRole('button', { name: 'שמירה' }).click();
  await page.getByText('נשמר.').first().waitFor();
  interface Settings {
    readonly hours: Readonly<Record<string, readonly string[]>>;
    readonly closed_dates: readonly object[];
    readonly away_message: string;
    readonly assign_by_turns: boolean;
    readonly close_after_days: number | null;
  }
  const stored = await api.get<Settings>('/conversation-settings');
  assert.deepEqual(
    [stored.hours.sunday, stored.hours.monday, stored.hours.friday, stored.hours.saturday],
    [['22:00-02:00'], [], [], ['00:00-24:00']],
  );
  assert.deepEqual(stored.closed_dates, [{ date: '2027-10-02', name: 'ראש השנה' }]);
  assert.equal(stored.away_message, 'אנחנו סגורים עכשיו');

  await page.getByRole('switch', { name: 'שיוך שיחות לפי תור' }).check({ force: true });
  await page.locator('#turns').getByRole('button', { name: 'שמירה' }).click();
  await page.getByRole('switch', { name: 'סגירת שיחות שאין בהן חדש' }).check({ force: true });
  await page.getByLabel('אחרי כמה ימים').fill('7');
  await page.locator('#closing').getByRole('button', { name: 'שמירה' }).click();
  await waitFor('all is stored', async () => {
    const { assign_by_turns, close_after_days } = await api.get<Settings>('/conversation-settings');
    return assign_by_turns && close_after_days === 7;
  });
  await assertAccessible(page);
  await page.evaluate('scrollTo(0, 0)');
  await keepScreenshot(page, 'conversation-hours-he');
  await onPhone(page, 'conversation-hours-he-phone');
  await page.reload();
  await page.getByLabel('ראשון, עד שעה, 1').waitFor();
  assert.equal(await page.getByLabel('שבת, עד שעה, 1').inputValue(), '00:00');
});

test('a sender has saved replies and labels, and no rules; a viewer none of them', async () => {
  for (const role of ['sender', 'viewer'] as const) {
    await addPerson(service, `settings-${role}`, role, service.demo.id);
    const page = await signedIn({}, { username: `settings-${role}`, password: PASSWORD });
    await page.goto('/saved-replies');
    await page
      .getByRole('heading', { level: 1, name: role === 'sender' ? 'Saved replies' : 'No access' })
      .waitFor();
    await page.goto('/conversation-rules');
    await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  }
});
