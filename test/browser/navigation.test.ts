import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  slowDown,
  startBrowserTest,
} from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';

// One test breaks connections.
const { service, signedIn } = await startBrowserTest({}, /net::ERR_CONNECTION_RESET/);
await addPerson(service, 'navigation-operator', 'operator', null);
const operator = { username: 'navigation-operator', password: PASSWORD };

/** The beginning of the search, and what it finds first for a text. */
async function searched(page: Page, text: string, name = 'Search pages, messages and actions') {
  const field = page.getByRole('combobox', { name });
  await field.fill(text);
  return page.getByRole('listbox').getByRole('option');
}

test('the entry of the page is in sight in the navigation and in the list of settings', async () => {
  for (const { who, path, list } of [
    { who: operator, path: '/operator/audit', list: 'Navigation' },
    { who: undefined, path: '/settings', list: 'Settings' },
  ]) {
    const page = await signedIn({ viewport: { width: 1280, height: 480 } }, who);
    await page.goto(path);
    const entry = page.getByRole('navigation', { name: list }).locator('[aria-current=page]');
    await entry.waitFor();
    await waitFor('the entry is in sight', async () => {
      const box = (await entry.boundingBox())!;
      return box.y >= 60 && box.y + box.height <= 480;
    });
  }
});

test('the first Tab of a page leads to “Skip to content”, also where the navigation was scrolled', async () => {
  for (const [language, skip] of [
    ['en', 'Skip to content'],
    ['he', 'דילוג לתוכן'],
  ] as const) {
    const page = await signedIn({ language, viewport: { width: 1280, height: 480 } });
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.section-list [aria-current=page]').waitFor();
    await page.keyboard.press('Tab');
    await waitFor(
      'the link has the focus',
      async () => (await page.evaluate('document.activeElement?.textContent')) === skip,
    );
    await page.keyboard.press('Enter');
    await waitFor('the content has the focus', () =>
      page.evaluate("document.activeElement?.id === 'content'"),
    );
  }
});

test('the six sections lead to their pages by the keyboard: tabs of each other, or a list next to the page', async () => {
  const page = await signedIn();
  await page.goto('/');
  const sections = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
  await waitFor('the sections are shown', async () => (await sections.count()) === 6);
  assert.deepEqual(
    (await sections.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Home', 'Inbox', 'Send', 'Messages', 'Audience', 'Settings'],
  );
  await sections.filter({ hasText: 'Messages' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
  const tabs = page.getByRole('navigation', { name: 'Messages' }).getByRole('link');
  assert.deepEqual(await tabs.allInnerTexts(), ['Messages', 'Campaigns', 'Links']);
  await tabs.filter({ hasText: 'Campaigns' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
  await tabs.filter({ hasText: 'Campaigns' }).and(page.locator('[aria-current=page]')).waitFor();
  await sections.filter({ hasText: 'Messages' }).and(page.locator('[aria-current]')).waitFor();
  await sections.filter({ hasText: 'Settings' }).press('Enter');
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('link', { name: 'Audit log' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await list.getByRole('link', { name: 'Audit log' }).and(page.locator('[aria-current=page]')).waitFor();
  await list.getByRole('list', { name: 'Inbox' }).getByRole('link', { name: 'Labels' }).waitFor();
  await assertAccessible(page);
  await assertFits(page);
});

test('on narrow screens a button opens the list of settings', async () => {
  const page = await signedIn({ viewport: { width: 1024, height: 768 } });
  await page.goto('/conversation-labels');
  const list = page.getByRole('navigation', { name: 'Settings' });
  const button = list.getByRole('button', { name: 'Settings · Labels' });
  await button.waitFor();
  assert.equal(await list.getByRole('link').count(), 0);
  await button.press('Enter');
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await assertFits(page);
  await keepScreenshot(page, 'settings-list-1024');
  await list.getByRole('link', { name: 'Saved replies' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Saved replies' }).waitFor();
  await waitFor('the list is closed', async () => (await list.getByRole('link').count()) === 0);
});

test('the header switches between console, developers and operator, when an operator has chosen an account', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/routes');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const modes = page.getByRole('navigation', { name: 'Modes' });
  assert.equal(await modes.count(), 0);
  await page.getByRole('button', { name: 'Choose an account' }).click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  await page.getByRole('region', { name: 'Working as' }).waitFor();
  const navigation = page.getByRole('navigation', { name: 'Navigation' });
  await modes.getByRole('link', { name: 'Developers' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  await modes.getByRole('link', { name: 'Developers' }).and(page.locator('[aria-current]')).waitFor();
  await navigation.getByRole('link', { name: 'Request log' }).waitFor();
  await modes.getByRole('link', { name: 'Operator' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Operator overview' }).waitFor();
  await navigation.getByRole('list', { name: 'Network' }).getByRole('link', { name: 'Routes' }).waitFor();
  await assertAccessible(page);
  await modes.getByRole('link', { name: 'Console' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.setViewportSize({ width: 800, height: 600 });
  await modes.getByRole('link', { name: 'Operator' }).waitFor();
  await assertFits(page);
});

test('a phone has the first sections at its foot, and the whole navigation behind “More”', async () => {
  for (const { language, main, more, navigation, inbox, settings } of [
    {
      language: 'en',
      main: 'Main pages',
      more: 'More',
      navigation: 'Navigation',
      inbox: 'Inbox',
      settings: 'Settings',
    },
    {
      language: 'he',
      main: 'עמודים ראשיים',
      more: 'עוד',
      navigation: 'ניווט',
      inbox: 'תיבת שיחות',
      settings: 'הגדרות',
    },
  ] as const) {
    const page = await signedIn({ language, viewport: { width: 390, height: 844 } });
    await page.goto('/');
    const bar = page.getByRole('navigation', { name: main });
    await bar.getByRole('link').first().waitFor();
    assert.equal(await bar.getByRole('link').count(), 4);
    await assertFits(page);
    await assertAccessible(page);
    await keepScreenshot(page, `tab-bar-${language}`);
    await bar.getByRole('link', { name: inbox }).click();
    await page.locator('.inbox').waitFor();
    await bar.getByRole('button', { name: more }).click();
    await keepScreenshot(page, `tab-bar-more-${language}`);
    await page.getByRole('navigation', { name: navigation }).getByRole('link', { name: settings }).click();
    await page.waitForURL(/\/account$/);
    await page.getByRole('navigation', { name: navigation }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: settings }).click();
    await assertFits(page);
    await keepScreenshot(page, `settings-list-phone-${language}`);
  }
});

test('every entry of the navigation is reachable in a small window', async () => {
  for (const viewport of [
    { width: 860, height: 600 },
    { width: 1280, height: 860 },
  ]) {
    const page = await signedIn({ viewport }, operator);
    await page.goto('/operator/audit');
    const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
    await links.last().waitFor();
    await links.last().focus();
    await waitFor('the last entry is in sight', async () => {
      const box = (await links.last().boundingBox())!;
      return box.y >= 60 && box.y + box.height <= viewport.height;
    });
    await assertFits(page);
  }
});

test('who works as another account sees so on every page, and the sandbox badge stays', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/');
  await page.getByRole('button', { name: 'Choose an account' }).click();
  await page.getByRole('menuitem', { name: 'demo' }).click();
  const banner = page.getByRole('region', { name: 'Working as' });
  await banner.getByText('Demo', { exact: true }).waitFor();
  await page.getByText('Sandbox', { exact: true }).first().waitFor();
  await page.goto('/messages');
  await banner.waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  const menu = await page.getByRole('button', { name: 'Your menu' }).boundingBox();
  assert.ok(menu!.x + menu!.width <= 390, 'the header is not cut');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Choose an account: demo' }).and(page.locator(':visible')).waitFor();
  await keepScreenshot(page, 'working-as-phone');
  await page.getByRole('button', { name: 'More' }).click();
  await page.setViewportSize({ width: 1280, height: 860 });
  await keepScreenshot(page, 'working-as');
  await banner.getByRole('button', { name: 'Stop' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.getByText('Sandbox', { exact: true }).first().waitFor();
});

for (const { language, choose, banner, heading } of [
  { language: 'en', choose: 'Choose an account', banner: 'Working as', heading: 'Overview' },
  { language: 'he', choose: 'בחירת חשבון', banner: 'עבודה בשם', heading: 'מבט על' },
] as const) {
  test(`who begins to work as an account sees its first page, not that of operators (${language})`, async () => {
    const page = await signedIn({ language }, operator);
    await page.goto('/operator');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // The session takes longer to be read than a page to be opened.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/session', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: choose }).click();
    await page.getByRole('menuitem', { name: 'demo' }).click();
    await waitFor('the session is read again', async () => asked.includes('/v1/session'));
    release();
    await page.getByRole('region', { name: banner }).waitFor();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    await assertFits(page);
    await keepScreenshot(page, `working-as-first-page-${language}`);
  });
}

test('Ctrl+K finds pages, actions, messages and campaigns, by the keyboard alone', async () => {
  const { call } = service;
  const sent = await call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: [{ _: '0521234321', $: { id: 'order-4711' } }, '0521234322'] },
    message: 'Found by the search',
    campaign_name: 'Autumn sale',
  });
  assert.equal(sent.status, 0, sent.message);
  const page = await signedIn();
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const options = await searched(page, 'token');
  await options.filter({ hasText: 'Developers' }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'search');
  for (const [word, found] of [
    ['api key', 'Tokens'],
    ['2fa', 'Second factor'],
    ['invite', 'Add a person'],
    ['billing', 'Wallet'],
    ['logs', 'Request log'],
  ] as const) {
    await searched(page, word);
    await options.filter({ hasText: found }).first().waitFor();
  }
  await searched(page, 'autumn');
  await options.filter({ hasText: 'Autumn sale' }).waitFor();
  await searched(page, '0521234321');
  await options.filter({ hasText: 'Messages to 0521234321' }).waitFor();
  await searched(page, 'order-4711');
  await options.filter({ hasText: 'Message to' }).waitFor();
  await waitFor('nothing else is found by the id', async () => (await options.count()) === 1);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/messages\/\d+$/);
  assert.equal(await page.getByRole('combobox').count(), 0);
  await page.keyboard.press('Control+k');
  await searched(page, 'no such thing anywhere');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
});

test('Ctrl+K finds a campaign, a list and a template by a part of its name, however many came after it', async () => {
  const { call } = service;
  const first = await call('json', 'newCL', {
    cl: { name: 'Winter customers', destinations: { destination: [{ phone: '0521234326' }] } },
  });
  assert.equal(first.status, 0, first.message);
  for (const name of ['Winter clearance', ...Array.from({ length: 105 }, (_, index) => `Daily ${index}`)]) {
    const sent = await call('json', 'sms', {
      source: 'Shop',
      destinations: { phone: ['0521234323', '0521234324'] },
      message: 'Hello',
      campaign_name: name,
      timing: '31/12/36 10:00',
    });
    assert.equal(sent.status, 0, sent.message);
  }
  const page = await signedIn();
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const options = await searched(page, 'WINTER');
  await options.filter({ hasText: 'Winter clearance' }).waitFor();
  await options.filter({ hasText: 'Winter customers' }).waitFor();
  await searched(page, 'ter cl');
  await options.filter({ hasText: 'Winter clearance' }).waitFor();
  await options.filter({ hasText: 'Winter customers' }).waitFor({ state: 'detached' });
  await searched(page, 'plai');
  await options.filter({ hasText: 'plain' }).waitFor();
});

test('the search finds pages and actions by other words, in Hebrew, too', async () => {
  for (const [language, name, found] of [
    [
      'en',
      'Search pages, messages and actions',
      [
        ['callback', 'Register a webhook endpoint'],
        ['sender id', 'Senders'],
        ['openapi', 'API reference'],
        ['permissions', 'Add a person'],
        ['top-up', 'Wallet'],
      ],
    ],
    [
      'he',
      'חיפוש עמודים, הודעות ופעולות',
      [
        ['מפתח', 'יצירת אסימון'],
        ['api key', 'אסימוני גישה'],
        ['2fa', 'אימות דו־שלבי'],
        ['לוגים', 'יומן פניות'],
        ['הזמנה', 'הוספת אדם'],
        ['billing', 'ארנק'],
        ['חיוב', 'ארנק'],
        ['אימות מספר', 'מזהי שולח'],
      ],
    ],
  ] as const) {
    const page = await signedIn({ language });
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    for (const [word, title] of found) {
      const options = await searched(page, word, name);
      await options.filter({ hasText: title }).first().waitFor();
    }
  }
});

test('the search is in Hebrew, too, opens on a phone, and offers a viewer no more than they may do', async () => {
  await addPerson(service, 'search-viewer', 'viewer', service.demo.id);
  const page = await signedIn(
    { language: 'he', viewport: { width: 390, height: 844 } },
    { username: 'search-viewer', password: PASSWORD },
  );
  await page.goto('/messages');
  await page.getByRole('banner').getByRole('button', { name: 'חיפוש' }).click();
  const name = 'חיפוש עמודים, הודעות ופעולות';
  const options = await searched(page, 'קמפיין', name);
  await searched(page, 'הודעות', name);
  await options.filter({ hasText: 'הודעות' }).first().waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'search-hebrew-phone');
  await searched(page, 'שליחת', name);
  await page.getByText('אין תוצאות').waitFor();
  await searched(page, 'אסימ', name);
  await page.getByText('אין תוצאות').waitFor();
  await searched(page, 'יציאה', name);
  await options.filter({ hasText: 'יציאה' }).waitFor();
});

test('an agent is offered nothing of the account but conversations, and asks for nothing else', async () => {
  await addPerson(service, 'navigation-agent', 'agent', service.demo.id);
  const page = await signedIn(
    { viewport: { width: 1280, height: 860 } },
    { username: 'navigation-agent', password: PASSWORD },
  );
  // The texts of the search arrive after its script.
  await slowDown(page, 500);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const sections = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
  assert.deepEqual(await sections.allInnerTexts(), ['Inbox', 'Settings']);
  assert.equal(await page.getByRole('navigation', { name: 'Modes' }).count(), 0);
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Your settings', level: 1 }).waitFor();
  await page.getByText('Agent', { exact: false }).first().waitFor({ state: 'attached' });
  await page.goto('/messages');
  await page.getByRole('heading', { name: 'No access' }).waitFor();
  await page.keyboard.press('Control+k');
  const options = await searched(page, '0521234321');
  await page.getByText('No results').waitFor();
  assert.equal(await options.count(), 0);
  await page.keyboard.press('Escape');
  assert.deepEqual(refused, []);
});

test('a page that updates continuously says that the service is unreachable, until it is back', async () => {
  const page = await signedIn();
  await page.goto('/messages');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const note = page.getByText('The service does not answer. This page may be out of date', { exact: false });
  assert.equal(await note.count(), 0);
  await page.route(/\/v1\//, (route) => route.abort('connectionreset'));
  await note.waitFor();
  await page.unroute(/\/v1\//);
  await note.waitFor({ state: 'detached' });
});
