import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { newChatPhone, SOURCE } from '../chat-api/support.ts';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  type Language,
  startBrowserTest,
} from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { withToken } from '../v1/calls.ts';

/* A person with the phone of the sandbox in hand, and people who answer in the console. */

const { service, signedIn } = await startBrowserTest({ MEDIA_CHECK: 'off' });
const { sql, demo } = service;
const api = withToken(service.url, DEMO_TOKEN);
await addPerson(service, 'noa', 'agent', demo.id);
await addPerson(service, 'avi', 'agent', demo.id);

const small = { width: 390, height: 844 };

const words = {
  en: {
    phone: 'Phone number',
    addPhone: 'Add phone',
    chat: 'Chat',
    newMessage: 'New message',
    handsetWrite: 'Write a message',
    list: 'Conversations',
    timeline: 'Messages',
    write: 'Write a reply',
    writeNote: 'Write a note',
    send: 'Send',
    note: 'Note',
    addNote: 'Add note',
    tabs: { mine: /^Mine/, unassigned: /^Unassigned/, all: /^All/, closed: /^Closed/ },
    openFor: /Open for 2[34] h/,
    delivered: 'Delivered',
    read: 'Read',
    assignee: 'Assignee',
    me: 'You (noa)',
    close: 'Close',
    open: 'Open again',
    back: 'Back to the list',
    details: 'Show details',
    search: 'Search by number or name',
    unread: '1 unread message',
  },
  he: {
    phone: 'מספר טלפון',
    addPhone: 'הוספת טלפון',
    chat: "צ'אט",
    newMessage: 'הודעה חדשה',
    handsetWrite: 'כתיבת הודעה',
    list: 'שיחות',
    timeline: 'הודעות',
    write: 'כתיבת תשובה',
    writeNote: 'כתיבת הערה',
    send: 'שליחה',
    note: 'הערה',
    addNote: 'הוספת הערה',
    tabs: { mine: /^שלי/, unassigned: /^לא משויכות/, all: /^הכול/, closed: /^סגורות/ },
    openFor: /פתוחה לעוד 2[34] שע׳/,
    delivered: 'נמסרה',
    read: 'נקראה',
    assignee: 'נציג',
    me: 'אני (noa)',
    close: 'סגירה',
    open: 'פתיחה מחדש',
    back: 'חזרה לרשימה',
    details: 'הצגת פרטים',
    search: 'חיפוש לפי מספר או שם',
    unread: 'הודעה אחת שלא נקראה',
  },
} as const;

const agent = (username: string, language: Language, look: object = {}): Promise<Page> =>
  signedIn({ language, ...look }, { username, password: PASSWORD });

/** A phone of the sandbox in a window of its own, which has written once. */
async function handsetOf(language: Language, number: string, text: string): Promise<Locator> {
  const t = words[language];
  const page = await signedIn({ language });
  await page.goto('/handsets');
  await page.getByLabel(t.phone, { exact: true }).fill(number);
  await page.getByRole('button', { name: t.addPhone }).click();
  const shown = [number.slice(0, 3), number.slice(3, 6), number.slice(6)].join('-?');
  const handset = page.getByRole('region', { name: new RegExp(shown) });
  await handset.getByRole('button', { name: t.chat }).first().click();
  await handset.getByRole('button', { name: t.newMessage }).click();
  await write(handset, language, text);
  await handset.getByText(text).click();
  return handset;
}

async function write(handset: Locator, language: Language, text: string): Promise<void> {
  const line = handset.getByRole('textbox', { name: words[language].handsetWrite });
  await line.fill(text);
  await line.press('Enter');
}

/** Who writes over chat without a handset. */
const writes = (number: string, body: string) =>
  api.post(`/sandbox/phones/972${number.slice(1)}/chat`, { to: SOURCE, body });

/** As the profile of a simulated phone has it. */
const nameOf = (number: string) => `Phone ${number.slice(-4)}`;
const rowOf = (page: Page, number: string) => page.getByRole('link').filter({ hasText: nameOf(number) });
const threadOf = (page: Page, language: Language) =>
  page.getByRole('region', { name: words[language].timeline, exact: true });

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`a person at a phone and an agent talk, in ${language}`, async () => {
    const number = newChatPhone();
    const page = await agent('noa', language);
    await page.goto('/');
    // The first thing that agents come to.
    await page.waitForURL(/\/conversations$/);
    const handset = await handsetOf(language, number, 'Is it open today?');
    const row = rowOf(page, number);
    await row.getByText(t.unread).waitFor({ state: 'attached' });
    await row.click();
    const thread = threadOf(page, language);
    await thread.getByText('Is it open today?').waitFor();
    await page.getByText(t.openFor).waitFor();
    await row.getByText(t.unread).waitFor({ state: 'detached' });

    const field = page.getByRole('textbox', { name: t.write });
    await field.fill('Yes, until six.');
    await field.press('Shift+Enter');
    await field.pressSequentially('Come in!');
    await field.press('Enter');
    assert.equal(await field.inputValue(), '');
    await handset.getByText('Yes, until six.').waitFor();
    const reply = thread.getByRole('listitem').filter({ hasText: 'Yes, until six.' });
    await reply
      .getByRole('img', { name: t.delivered })
      .or(reply.getByRole('img', { name: t.read }))
      .waitFor();
    await reply.getByText('noa', { exact: true }).waitFor();

    await write(handset, language, 'Thank you');
    await thread.getByText('Thank you').waitFor();
    await keepScreenshot(page, `conversations-${language}`);
    await assertAccessible(page);
    await page.setViewportSize({ width: 860, height: 860 });
    await assertFits(page);
    await keepScreenshot(page, `conversations-${language}-860`);
    await page.setViewportSize(small);
    await assertFits(page);
    await keepScreenshot(page, `conversations-${language}-phone`);
    await page.getByRole('button', { name: t.back }).click();
    await row.waitFor();
    await keepScreenshot(page, `conversations-list-${language}-phone`);
  });
}
