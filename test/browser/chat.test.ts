import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newChatPhone } from '../channels/chat-api/support.ts';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  type Language,
  startBrowserTest,
} from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

/* Buttons and carousels under Send, to a person who has the phone of the sandbox in hand. */

// Addresses of media are made up.
const { service, signedIn } = await startBrowserTest({ MEDIA_CHECK: 'off' });
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const words = {
  en: {
    buttons: 'Buttons',
    carousel: 'Carousel',
    phone: 'Phone number',
    text: 'Text',
    oneReply: '1 reply',
    twoReplies: '2 replies',
    reply: (number: number) => `Reply ${number}`,
    note: 'Only within 24 hours of their last message',
    never: 'This recipient has never written to the business number. Send a template.',
    open: 'The 24-hour window is open',
    useTemplate: 'Use a template',
    missing: 'Fill in this field.',
    over: '20 characters at most.',
    same: 'Another button has the same.',
    send: 'Send',
    free: /more are free this month/,
    preview: 'Preview on a phone',
    saved: 'Draft saved',
    accepted: 'Message accepted.',
    addPhone: 'Add phone',
    chat: 'Chat',
    newMessage: 'New message',
    write: 'Write a message',
    again: 'Send again',
    above: 'Text above the cards',
    media: 'Image or video link',
    cardText: 'Card text',
    addCard: 'Add card',
    card: (number: number) => `Card ${number}`,
    lacks: 'Another card has a text. Give all cards a text, or none.',
    link: 'Link or call',
    opensText: 'Button text',
    target: 'Opens',
    badTarget: 'Enter an https address, a phone number or an email address.',
  },
  he: {
    buttons: 'כפתורים',
    carousel: 'קרוסלה',
    phone: 'מספר טלפון',
    text: 'טקסט',
    oneReply: 'תשובה אחת',
    twoReplies: 'שתי תשובות',
    reply: (number: number) => `תשובה ${number}`,
    note: 'רק בתוך 24 שעות מההודעה האחרונה של הנמען',
    never: 'הנמען מעולם לא כתב למספר העסקי. שלחו תבנית.',
    open: 'חלון 24 השעות פתוח',
    useTemplate: 'מעבר לתבנית',
    missing: 'מלאו את השדה.',
    over: '20 תווים לכל היותר.',
    same: 'זהה לכפתור אחר.',
    send: 'שליחה',
    free: /נותרו [\d,]+ חינם החודש/,
    preview: 'תצוגה מקדימה בטלפון',
    saved: 'הטיוטה נשמרה',
    accepted: 'ההודעה התקבלה.',
    addPhone: 'הוספת טלפון',
    chat: "צ'אט",
    newMessage: 'הודעה חדשה',
    write: 'כתיבת הודעה',
    again: 'שליחה מחדש',
    above: 'הטקסט מעל הכרטיסים',
    media: 'קישור לתמונה או לסרטון',
    cardText: 'הטקסט בכרטיס',
    addCard: 'הוספת כרטיס',
    card: (number: number) => `כרטיס ${number}`,
    lacks: 'בכרטיס אחר יש טקסט. כתבו טקסט בכל הכרטיסים, או באף אחד.',
    link: 'קישור או שיחה',
    opensText: 'הטקסט בכפתור',
    target: 'מה נפתח',
    badTarget: 'הזינו כתובת https, מספר טלפון או כתובת דוא״ל.',
  },
} as const;

async function visit(language: Language): Promise<Page> {
  const page = await signedIn({ language });
  await page.route('https://www.example.com/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: PIXEL }),
  );
  return page;
}

/** Opens the chat of a phone in a window of its own. */
async function phoneOf(page: Page, language: Language, number: string) {
  const t = words[language];
  const window = await page.context().newPage();
  await window.route('https://www.example.com/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: PIXEL }),
  );
  await window.goto('/handsets');
  await window.getByLabel(t.phone, { exact: true }).fill(number);
  await window.getByRole('button', { name: t.addPhone }).click();
  const shown = [number.slice(0, 3), number.slice(3, 6), number.slice(6)].join('-?');
  const handset = window.getByRole('region', { name: new RegExp(shown) });
  await handset.getByRole('button', { name: t.chat }).first().click();
  return { window, handset };
}

/** The presses and texts of a phone that the service was told of, oldest first. */
const toldBy = (phone: string) => service.sql<{ id: number }[]>`
  SELECT id FROM chat_incoming WHERE client = ${`972${phone.slice(1)}`} ORDER BY id`;

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`buttons reach a person who has written, who answers with one, in ${language}`, async () => {
    const number = newChatPhone();
    const page = await visit(language);
    await page.goto('/send?channel=chat&kind=buttons');
    await page.getByText(t.note).waitFor();
    const send = page.getByRole('button', { name: t.send, exact: true });
    await page.getByText(t.twoReplies, { exact: true }).click();
    await send.click();
    await waitFor('every empty field says so', async () => (await page.getByText(t.missing).count()) === 3);
    await page.getByLabel(t.text, { exact: true }).fill('Shall we come on Sunday?');
    await page.getByLabel(t.reply(1), { exact: true }).fill('Yes, please come soon!');
    await page.getByText(t.over).waitFor();
    await page.getByLabel(t.reply(1), { exact: true }).fill('Yes');
    await page.getByLabel(t.reply(2), { exact: true }).fill('Yes');
    await page.getByText(t.same).first().waitFor();
    await keepScreenshot(page, `chat-buttons-refused-${language}`);
    await page.getByLabel(t.reply(2), { exact: true }).fill('No');

    await page.getByLabel(t.phone, { exact: true }).fill(number);
    await page.getByText(t.never).first().waitFor();
    await page.getByRole('button', { name: t.useTemplate }).waitFor();
    await send.click();
    await keepScreenshot(page, `chat-window-closed-${language}`);
    assert.equal(
      (await service.sql`SELECT 1 FROM messages WHERE recipient = ${`972${number.slice(1)}`}`).length,
      0,
    );

    const { handset, window } = await phoneOf(page, language, number);
    await handset.getByRole('button', { name: t.newMessage }).click();
    await handset.getByRole('textbox', { name: t.write }).fill('Hello');
    await handset.getByRole('textbox', { name: t.write }).press('Enter');
    await waitFor('what was written is known', async () => (await toldBy(number)).length === 1);

    // The page looks by itself.
    await page.bringToFront();
    await page.getByText(t.open).waitFor();
    await page.getByText(t.free).waitFor();
    const preview = page.getByRole('region', { name: t.preview });
    await preview.getByText('Shall we come on Sunday?').waitFor();
    await preview.getByText('No', { exact: true }).waitFor();
    await page.getByText(t.saved).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `chat-buttons-${language}-light`);
    await page.setViewportSize({ width: 860, height: 860 });
    await assertFits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `chat-buttons-${language}-phone`);
    await page.setViewportSize({ width: 1280, height: 860 });
    // A draft has the kind and all fields.
    await page.reload();
    await page.getByText(t.open).waitFor();
    assert.equal(await page.getByLabel(t.reply(2), { exact: true }).inputValue(), 'No');
    await send.click();
    await page.getByText(t.accepted).waitFor();
    await page.waitForURL(/\/messages\/\d+$/);

    await window.bringToFront();
    await handset
      .getByText('Hello', { exact: true })
      .or(handset.getByText('Shall we come on Sunday?'))
      .first()
      .click();
    await handset.getByRole('button', { name: 'Yes', exact: true }).waitFor();
    await keepScreenshot(window, `chat-buttons-handset-${language}`);
    await handset.getByRole('button', { name: 'Yes', exact: true }).click();
    await waitFor('the press is known', async () => (await toldBy(number)).length === 2);
    await window.close();

    await page.getByRole('link', { name: t.again }).click();
    await page.waitForURL(/channel=chat&again=/);
    assert.equal(await page.getByLabel(t.reply(1), { exact: true }).inputValue(), 'Yes');
    assert.equal(await page.getByLabel(t.phone, { exact: true }).inputValue(), number);
  });

  test(`a carousel is composed, seen on the phone and answered from a card, in ${language}`, async () => {
    const number = newChatPhone();
    const page = await visit(language);
    const { handset, window } = await phoneOf(page, language, number);
    await handset.getByRole('button', { name: t.newMessage }).click();
    await handset.getByRole('textbox', { name: t.write }).fill('Hello');
    await handset.getByRole('textbox', { name: t.write }).press('Enter');
    await waitFor('what was written is known', async () => (await toldBy(number)).length === 1);

    await page.bringToFront();
    await page.goto(`/send?channel=chat&to=${number}`);
    await page.getByText(t.carousel, { exact: true }).click();
    await page.getByText(t.open).waitFor();
    await page.getByLabel(t.above, { exact: true }).fill('Two for you');
    const cards = page.getByRole('group');
    const card = (index: number) => cards.and(page.getByLabel(t.card(index), { exact: true }));
    for (const [index, colour] of ['red', 'blue'].entries()) {
      await card(index + 1)
        .getByLabel(t.media)
        .fill(`https://www.example.com/${colour}.jpg`);
      await card(index + 1)
        .getByLabel(t.reply(1), { exact: true })
        .fill('This one');
    }
    await card(1).getByLabel(t.cardText).fill('Red');
    const send = page.getByRole('button', { name: t.send, exact: true });
    await send.click();
    await card(2).getByText(t.lacks).waitFor();
    await card(2).getByLabel(t.cardText).fill('Blue');
    await page.getByRole('button', { name: t.addCard }).click();
    await card(3).waitFor();
    // All cards have the buttons of the same kind.
    await page.getByText(t.link, { exact: true }).click();
    await card(3).getByLabel(t.target, { exact: true }).fill('our shop');
    await card(3).getByText(t.badTarget).waitFor();
    await page.getByText(t.oneReply, { exact: true }).click();
    await card(3).getByLabel(t.media).fill('https://www.example.com/green.jpg');
    await card(3).getByLabel(t.cardText).fill('Green');
    await card(3).getByLabel(t.reply(1), { exact: true }).fill('This one');
    const preview = page.getByRole('region', { name: t.preview });
    await preview.getByText('Green').waitFor();
    await page.getByText(t.free).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `chat-carousel-${language}-light`);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `chat-carousel-${language}-phone`);
    await page.setViewportSize({ width: 1280, height: 860 });
    await send.click();
    await page.getByText(t.accepted).waitFor();

    await window.bringToFront();
    await handset
      .getByText('Two for you')
      .or(handset.getByText('Hello', { exact: true }))
      .first()
      .click();
    await handset.getByText('Blue').waitFor();
    await handset.getByRole('button', { name: 'This one' }).nth(1).click();
    await waitFor('the press is known', async () => (await toldBy(number)).length === 2);
    await keepScreenshot(window, `chat-carousel-handset-${language}`);
    await window.close();

    await page.waitForURL(/\/messages\/\d+$/);
    await page.getByRole('link', { name: t.again }).click();
    await card(3).waitFor();
    assert.equal(await card(2).getByLabel(t.media).inputValue(), 'https://www.example.com/blue.jpg');
  });
}

test('what the service refuses of a message is said at its field', async () => {
  const number = newChatPhone();
  const page = await visit('en');
  const t = words.en;
  const { handset, window } = await phoneOf(page, 'en', number);
  await handset.getByRole('button', { name: t.newMessage }).click();
  await handset.getByRole('textbox', { name: t.write }).fill('Hello');
  await handset.getByRole('textbox', { name: t.write }).press('Enter');
  await waitFor('what was written is known', async () => (await toldBy(number)).length === 1);
  await window.close();
  await page.goto(`/send?channel=chat&kind=buttons&to=${number}`);
  await page.getByLabel(t.text, { exact: true }).fill('Look');
  await page.getByLabel(t.reply(1), { exact: true }).fill('Yes');
  await page.getByRole('combobox', { name: 'Header' }).click();
  await page.getByRole('option', { name: 'Image' }).click();
  await page.getByLabel('Image link').fill('https://www.example.com/plan.pdf');
  await page.getByText('This link leads to a file of another type.').first().waitFor();
  assert.equal(await page.locator('.finish-cost').count(), 0);
  await page.getByLabel('Image link').fill('https://www.example.com/plan.jpg');
  await page.locator('.finish-cost').waitFor();
});
