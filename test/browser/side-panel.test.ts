import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { newPhones } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The side panel: the open row of a list, the same for messages, campaigns, requests, audit entries and background work. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

const phones = ['0521230002', '0521230102', '0521230202'] as const;
const ids: string[] = [];
for (const phone of phones) {
  const sent = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: `Hello ${phone}`, phones: [phone] },
    202,
  );
  const { messages } = await api.get<{ messages: { id: string }[] }>(
    `/messages?shipment_id=${sent.shipment_id}`,
  );
  ids.unshift(messages[0]!.id);
}

/** Waits until nothing of the list beside an open panel is cut off. */
async function assertListFits(page: Page): Promise<void> {
  await page.locator('.side-panel').waitFor();
  const cut = `[...document.querySelectorAll('.table-card .table-scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`;
  await waitFor('the list fits beside the panel', async () => (await page.evaluate<number>(cut)) === 0);
}

const openOf = (page: Page) => new URL(page.url()).searchParams.get('open');
const opens = (page: Page, id: string | null) => waitFor(`${id} is open`, () => openOf(page) === id);

for (const { language, theme, of, timeline, raw, close, wide } of [
  {
    language: 'en',
    theme: 'light',
    of: /^Message to/,
    timeline: 'Timeline',
    raw: 'Raw JSON',
    close: 'Close (Esc)',
    wide: 1440,
  },
  {
    language: 'he',
    theme: 'dark',
    of: /^הודעה אל/,
    timeline: 'ציר הזמן',
    raw: 'JSON גולמי',
    close: 'סגירה (Esc)',
    wide: 1024,
  },
] as const) {
  test(`a message opens in the side panel, and J and K open the next and the previous one (${language})`, async () => {
    const page = await signedIn({ language, theme, viewport: { width: wide, height: 860 } });
    await page.goto('/messages');
    const first = page.locator(`a[href="/messages/${ids[0]}"]`);
    await first.click();
    const panel = page.getByRole('dialog', { name: of });
    await panel.getByRole('heading', { name: timeline }).waitFor();
    await opens(page, ids[0]!);
    await panel.getByText(ids[0]!, { exact: true }).first().waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await assertListFits(page);
    await keepScreenshot(page, `side-panel-message-${language}-${theme}-${wide}`);
    // By physical key, so that it is the same with a Hebrew layout.
    await page.keyboard.press('KeyJ');
    await opens(page, ids[1]!);
    await page
      .locator('tr[aria-current]')
      .filter({ hasText: /0102|-0102/ })
      .waitFor();
    await page.keyboard.press('KeyJ');
    await opens(page, ids[2]!);
    await page.keyboard.press('KeyK');
    await opens(page, ids[1]!);

    await panel.getByRole('button', { name: raw }).click();
    const json = await panel.locator('code').innerText();
    assert.equal((JSON.parse(json) as { id: string }).id, ids[1]);
    await panel.getByRole('button', { name: raw }).click();

    // The address is that of the list with the message.
    await page.reload();
    await panel.getByRole('heading', { name: timeline }).waitFor();
    await page.getByRole('searchbox').press('KeyJ');
    assert.equal(openOf(page), ids[1], 'a letter that is typed is no command');
    await panel.getByRole('button', { name: close }).click();
    await opens(page, null);
    await first.click();
    await opens(page, ids[0]!);
    await page.keyboard.press('Escape');
    await opens(page, null);
    await waitFor('the row has the focus again', () =>
      page.evaluate(`document.activeElement?.getAttribute('href') === '/messages/${ids[0]}'`),
    );
    // The panel is one step of the way back, however many messages were looked at.
    await first.click();
    await page.keyboard.press('KeyJ');
    await opens(page, ids[1]!);
    await page.goBack();
    await opens(page, null);
  });
}

test('on a phone a message opens its page, and a request the panel over the list', async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  await page.goto('/messages');
  await page.locator(`a[href="/messages/${ids[0]}"]`).click();
  await page.waitForURL(new RegExp(`/messages/${ids[0]}$`));
  await page.getByRole('heading', { level: 1, name: /^Message to/ }).waitFor();

  await page.goto('/requests');
  await page.getByRole('button', { name: 'sendText' }).first().click();
  const panel = page.getByRole('dialog', { name: 'sendText' });
  await panel.getByText('127.0.0.1').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'side-panel-request-phone');
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab');
  assert.ok(
    await page.evaluate("document.querySelector('.side-panel').contains(document.activeElement)"),
    'the focus stays in what covers the list',
  );
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('a link to a request shows it, also when the list has gone on', async () => {
  const page = await signedIn();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/requests');
  await page.getByRole('button', { name: 'sendText' }).last().click();
  const panel = page.getByRole('dialog', { name: 'sendText' });
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await panel.getByRole('button', { name: 'Link copied' }).waitFor();
  await assertListFits(page);
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto('/');
  await page.goto(link);
  await panel.getByText('127.0.0.1').waitFor();
  assert.equal(await page.getByRole('button', { name: 'sendText' }).count(), 1);
});

test('the timeline of a message leads to its request, and the request to what it sent', async () => {
  const page = await signedIn();
  await page.goto(`/messages?open=${ids[0]}`);
  await page
    .getByRole('dialog', { name: /^Message to/ })
    .getByRole('link', { name: 'sendText' })
    .click();
  const panel = page.getByRole('dialog', { name: 'sendText' });
  await panel.getByText('Sent messages').waitFor();
  const { shipment_id } = await api.get<{ shipment_id: string }>(`/messages/${ids[0]}`);
  assert.equal(
    await panel.locator('a[href^="/campaigns/"]').getAttribute('href'),
    `/campaigns/${shipment_id}`,
  );
});

for (const { language, theme, width } of [
  { language: 'en', theme: 'dark', width: 1440 },
  { language: 'he', theme: 'light', width: 1024 },
] as const) {
  test(`a campaign opens in the side panel, and its page from there (${language})`, async () => {
    const [first, second] = ['Spring sale', 'Summer sale'].map((name) => `${name} ${language}`) as [
      string,
      string,
    ];
    const sent: string[] = [];
    for (const campaign_name of [first, second]) {
      const body = { source: 'Shop', message: 'Hello', phones: newPhones(3), campaign_name };
      sent.push((await api.post<{ shipment_id: string }>('/sms', body, 202)).shipment_id);
    }
    const page = await signedIn({ language, theme, viewport: { width, height: 860 } });
    await page.goto('/campaigns');
    await page.getByRole('link', { name: second }).click();
    await opens(page, sent[1]!);
    const panel = page.getByRole('dialog', { name: second });
    await panel.getByRole('img', { name: /3/ }).first().waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await assertListFits(page);
    await keepScreenshot(page, `side-panel-campaign-${language}-${theme}-${width}`);
    await page.keyboard.press('KeyJ');
    await page.getByRole('dialog', { name: first }).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: language === 'en' ? 'Open page' : 'פתיחה בעמוד מלא' })
      .click();
    await page.waitForURL(new RegExp(`/campaigns/${sent[0]}$`));
    await page.getByRole('heading', { level: 1, name: first }).waitFor();
  });
}

test('the side panel shows the changes of an audit entry', async () => {
  const page = await signedIn();
  await page.goto('/audit');
  await page
    .getByRole('button', { name: /^Details of / })
    .first()
    .click();
  const panel = page.getByRole('dialog');
  await panel.locator('code').first().waitFor();
  await assertListFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'side-panel-audit-en');
});

test('the timeline of a message tells how long it waited and why', async () => {
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  const body = { source: 'Shop', message: 'Hello', phones: newPhones(2), at };
  const { shipment_id: shipment } = await api.post<{ shipment_id: string }>('/sms', body, 202);
  await api.post(`/shipments/${shipment}/pause`);
  await service.advance(3 * 3_600);
  await api.post(`/shipments/${shipment}/resume`);
  const id = await waitFor('it is delivered', async () => {
    const path = `/messages?shipment_id=${shipment}&state=delivered`;
    return (await api.get<{ messages: { id: string }[] }>(path)).messages[0]?.id;
  });
  for (const [language, waited, hours, width] of [
    ['en', 'Waited while its campaign was paused', '2 h', 1440],
    ['he', 'המתינה כל עוד הקמפיין היה מושהה', '2 שע׳', 390],
  ] as const) {
    const page = await signedIn({ language, viewport: { width, height: 860 } });
    await page.goto(`/messages/${id}`);
    const items = page.locator('.mantine-Timeline-item');
    await items.filter({ hasText: waited }).filter({ hasText: hours }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `message-waits-${language}`);
  }
});
