import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { newChatPhone, SOURCE } from '../channels/chat-api/support.ts';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
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

/* A person with the phone of the sandbox in hand, and people who answer in the console. */

const { service, signedIn } = await startBrowserTest({ MEDIA_CHECK: 'off' }, /ERR_CONNECTION_RESET/);
const { sql, demo } = service;
const api = withToken(service.url, DEMO_TOKEN);
await addPerson(service, 'noa', 'agent', demo.id);
await addPerson(service, 'avi', 'agent', demo.id);

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
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
    open: 'Reopen',
    back: 'Back to the list',
    details: 'Show details',
    search: 'Search by number or name',
    unread: '1 unread message',
    writes: (name: string) => `${name} is writing`,
    takeOver: 'Take over',
    more: 'More kinds of messages',
    buttons: 'Buttons',
    text: 'Text',
    twoReplies: '2 replies',
    reply: (number: number) => `Reply ${number}`,
    closed: 'The client wrote more than 24 hours ago. You can send a template.',
    never: 'The client has never written. You can send a template.',
    chooseTemplate: 'Choose a template',
    template: 'Template',
    begin: 'New conversation',
    client: 'Client’s phone number',
    beginAction: 'Open conversation',
    emoji: 'Emoji',
    quote: 'Quote this message',
    missing: 'Fill in this field.',
    notSent: 'Not sent',
    again: 'Send again',
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
    writes: (name: string) => `${name} מקליד/ה כעת`,
    takeOver: 'לקחת את השיחה',
    more: 'סוגי הודעות נוספים',
    buttons: 'כפתורים',
    text: 'טקסט',
    twoReplies: 'שתי תשובות',
    reply: (number: number) => `תשובה ${number}`,
    closed: 'הלקוח כתב לפני יותר מ־24 שעות. אפשר לשלוח תבנית.',
    never: 'הלקוח מעולם לא כתב. אפשר לשלוח תבנית.',
    chooseTemplate: 'בחירת תבנית',
    template: 'תבנית',
    begin: 'שיחה חדשה',
    client: 'מספר הטלפון של הלקוח',
    beginAction: 'פתיחת השיחה',
    emoji: 'אמוג׳י',
    quote: 'ציטוט ההודעה',
    missing: 'מלאו את השדה.',
    notSent: 'לא נשלחה',
    again: 'שליחה חוזרת',
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

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`two agents do not write over each other, and share notes and assignment, in ${language}`, async () => {
    const number = newChatPhone();
    await writes(number, 'Where is my parcel?');
    const noa = await agent('noa', language);
    const avi = await agent('avi', language);
    for (const page of [noa, avi]) {
      await page.goto('/conversations');
      await rowOf(page, number).click();
      await threadOf(page, language).getByText('Where is my parcel?').waitFor();
    }
    const [hers, his] = [noa, avi].map((page) => page.getByRole('textbox', { name: t.write }));
    await hers!.pressSequentially('Let me look');
    await avi.getByText(t.writes('noa')).waitFor();
    assert.equal(await his!.count(), 0);
    await assertAccessible(avi);
    await keepScreenshot(avi, `conversations-locked-${language}`);
    // The service shows for 15 seconds that she types.
    await waitFor('he takes over while she types', async () => {
      await hers!.press('x');
      await hers!.press('Backspace');
      const takeOver = avi.getByRole('button', { name: t.takeOver });
      return takeOver.click({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    await noa.getByText(t.writes('avi')).waitFor();
    await his!.fill('On its way');
    await his!.press('Enter');
    // What she wrote is still there, and she goes on.
    await waitFor(
      'she can write',
      async () => (await hers!.count()) === 1 && (await hers!.inputValue()) !== '',
    );
    assert.equal(await hers!.inputValue(), 'Let me look');
    await threadOf(noa, language).getByText('On its way').waitFor();

    await noa.getByText(t.note, { exact: true }).click();
    await noa.getByRole('textbox', { name: t.writeNote }).fill('Parcel 4711, pays late');
    await noa.getByRole('button', { name: t.addNote }).click();
    await threadOf(avi, language).getByText('Parcel 4711, pays late').waitFor();
    await noa.getByLabel(t.assignee).selectOption({ label: t.me });
    await noa.getByRole('button', { name: t.tabs.mine }).click();
    await rowOf(noa, number).waitFor();
    await avi.getByRole('button', { name: t.tabs.unassigned }).click();
    await rowOf(avi, number).waitFor({ state: 'detached' });
    await keepScreenshot(noa, `conversations-mine-${language}`);

    await noa.getByRole('button', { name: t.close, exact: true }).click();
    await rowOf(noa, number).waitFor({ state: 'detached' });
    await noa.getByRole('button', { name: t.tabs.closed }).click();
    await rowOf(noa, number).waitFor();
    await noa.getByRole('button', { name: t.open }).waitFor();
    // What the client writes opens it again.
    await writes(number, 'Thanks!');
    await noa.getByRole('button', { name: t.close, exact: true }).waitFor();
    const client = `972${number.slice(1)}`;
    const { chat } = await api.get<{ chat: { body: string }[] }>(`/sandbox/phones/${client}`);
    assert.deepEqual(
      chat.map(({ body }) => body),
      ['On its way'],
      'the note has not reached the phone',
    );
    const stored = await sql`SELECT 1 FROM messages WHERE recipient = ${client} AND account_id = ${demo.id}`;
    assert.equal(stored.length, 1);
  });
}

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`buttons are answered from the phone, and a closed window takes a template, in ${language}`, async () => {
    const number = newChatPhone();
    const client = `972${number.slice(1)}`;
    const handset = await handsetOf(language, number, 'When do you come?');
    const page = await agent('noa', language);
    await page.goto('/conversations');
    await rowOf(page, number).click();
    const thread = threadOf(page, language);
    await thread.getByText('When do you come?').waitFor();
    await page.getByRole('button', { name: t.more }).click();
    await page.getByRole('menuitem', { name: t.buttons }).click();
    const dialog = page.getByRole('dialog', { name: t.buttons });
    await dialog.getByRole('button', { name: t.send }).click();
    await dialog.getByText(t.missing).first().waitFor();
    await dialog.getByText(t.twoReplies, { exact: true }).click();
    await dialog.getByLabel(t.text, { exact: true }).fill('Shall we come on Sunday?');
    await dialog.getByLabel(t.reply(1), { exact: true }).fill('Yes');
    await dialog.getByLabel(t.reply(2), { exact: true }).fill('No');
    await assertAccessible(page);
    await keepScreenshot(page, `conversations-buttons-${language}`);
    await dialog.getByRole('button', { name: t.send }).click();
    await handset.getByRole('button', { name: 'Yes', exact: true }).click();
    await thread
      .getByRole('listitem')
      .filter({ hasText: /^.*Yes/ })
      .last()
      .waitFor();
    await waitFor('the press is in the conversation', async () => {
      const rows = await sql`SELECT 1 FROM chat_incoming WHERE client = ${client} AND type = 'button'`;
      return rows.length === 1;
    });
    await thread.getByText('Yes', { exact: true }).nth(1).waitFor();

    // A quote, with an emoji, as plain text.
    await thread.getByText('When do you come?').hover();
    await thread.getByRole('button', { name: t.quote }).first().click();
    const field = page.getByRole('textbox', { name: t.write });
    await field.pressSequentially('At nine ');
    await page.getByRole('button', { name: t.emoji }).click();
    await page.getByRole('button', { name: '👍' }).click();
    await waitFor('the emoji is in the text', async () => (await field.inputValue()) === 'At nine 👍');
    await field.press('Enter');
    await handset.getByText('At nine 👍').waitFor();

    await sql`
      UPDATE chat_windows SET client_at = client_at - 86400001 WHERE account_id = ${demo.id} AND client = ${client}`;
    await page.reload();
    await page.getByText(t.closed).waitFor();
    assert.equal(await field.count(), 0);
    await page.getByRole('button', { name: t.chooseTemplate }).click();
    const template = page.getByRole('dialog', { name: t.chooseTemplate });
    await template.getByRole('combobox', { name: t.template }).click();
    await page.getByRole('option', { name: /^plain/ }).click();
    await template.getByRole('region').waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `conversations-template-${language}`);
    await template.getByRole('button', { name: t.send }).click();
    await waitFor('the phone has it', async () => {
      const { chat } = await api.get<{ chat: unknown[] }>(`/sandbox/phones/${client}`);
      return chat.length === 3;
    });
    await thread.getByRole('listitem').nth(5).waitFor();
  });

  test(`a conversation is begun, and what is not sent stays with its reason, in ${language}`, async () => {
    const number = newChatPhone();
    await api.post('/saved-replies', {
      shortcut: `hours-${language}`,
      title: 'Hours',
      text: 'We are open until six, {{client_name|there}}.',
    });
    const page = await agent('noa', language, { viewport: small });
    await page.goto('/conversations');
    await page.getByRole('button', { name: t.begin }).click();
    const dialog = page.getByRole('dialog', { name: t.begin });
    await dialog.getByRole('textbox', { name: t.client }).fill(number);
    await assertAccessible(page);
    await dialog.getByRole('button', { name: t.beginAction }).click();
    await page.getByText(t.never).waitFor();
    await assertFits(page);
    await writes(number, 'Hello');
    const field = page.getByRole('textbox', { name: t.write });
    await field.pressSequentially(`/hours-${language}`);
    // The list has the reply of the other language until the whole shortcut is typed.
    await page.getByRole('option', { name: new RegExp(`^/hours-${language} `) }).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `conversations-saved-${language}-phone`);
    await field.press('Enter');
    await waitFor('the text has the name', async () =>
      (await field.inputValue()).startsWith('We are open until six, Phone'),
    );
    // What is kept while one looks at others.
    await page.getByRole('button', { name: t.back }).click();
    await rowOf(page, number).click();
    await waitFor('the text that was kept', async () => (await field.inputValue()).startsWith('We are open'));
    // No answer comes: the text stays, and is sent once.
    await page.route(/\/replies$/, (route) => route.abort('connectionreset'));
    await page.getByRole('button', { name: t.send, exact: true }).click();
    await page.getByText(t.notSent).waitFor();
    await keepScreenshot(page, `conversations-not-sent-${language}-phone`);
    await page.unroute(/\/replies$/);
    await page.getByRole('button', { name: t.again }).click();
    await page.getByText(t.notSent).waitFor({ state: 'detached' });
    await waitFor('the phone has it', async () => {
      const { chat } = await api.get<{ chat: unknown[] }>(`/sandbox/phones/972${number.slice(1)}`);
      return chat.length === 1;
    });
  });
}

test('Enter right after a shortcut waits for the saved replies, and does not send the shortcut', async () => {
  const number = newChatPhone();
  const shortcut = 'directions';
  await api.post('/saved-replies', { shortcut, title: 'Directions', text: 'Turn left at the lighthouse.' });
  await writes(number, 'Where are you?');
  const page = await agent('noa', 'en');
  const answers = new Map<string, () => void>();
  await page.route(/\/saved-replies\?/, async (route) => {
    const search = new URL(route.request().url()).searchParams.get('search') ?? '';
    await new Promise<void>((resolve) => answers.set(search, resolve));
    await route.continue();
  });
  await page.goto('/conversations');
  await rowOf(page, number).click();
  const field = page.getByRole('textbox', { name: words.en.write });
  await field.pressSequentially(`/${shortcut}`);
  await field.press('Enter');
  await waitFor('the whole shortcut is searched', () => answers.has(shortcut));
  assert.equal(await field.inputValue(), `/${shortcut}`);
  for (const answer of answers.values()) answer();
  await waitFor('the reply', async () => (await field.inputValue()) === 'Turn left at the lighthouse.');
  // No saved reply begins so: the text is sent as it is.
  await field.fill('/nowhere');
  await waitFor('the search', () => answers.has('nowhere'));
  answers.get('nowhere')!();
  await waitFor('the phone has it', async () => {
    await field.press('Enter');
    const { chat } = await api.get<{ chat: unknown[] }>(`/sandbox/phones/972${number.slice(1)}`);
    return chat.length === 1;
  });
});

test('an answer to a mail is read with what it quotes, and answered, in both languages', async () => {
  const mail = mailAt(v1At(service.url));
  const mails = {
    en: { whole: 'Show the whole email', automatic: 'Automatic' },
    he: { whole: 'הצגת ההודעה המלאה', automatic: 'אוטומטית' },
  } as const;
  for (const language of ['en', 'he'] as const) {
    const t = words[language];
    const address = `writer-${language}@example.com`;
    await mail.finished(await mail.send([await mail.list([{ email: address }])]));
    const [received] = await mail.mailbox(address);
    const path = `/sandbox/mailboxes/${address}/${received!.id}/answers`;
    await api.post(path, { text: 'Is it open on Friday?' });
    await api.post(path, { text: 'I am away', automatic: true });
    const page = await agent('noa', language);
    await page.goto('/conversations');
    await page.getByRole('list', { name: t.list }).getByText(address).click();
    const thread = threadOf(page, language);
    await thread.getByText('Is it open on Friday?').waitFor();
    await thread.getByText(mails[language].automatic, { exact: true }).waitFor();
    await keepScreenshot(page, `conversations-mail-${language}`);
    await assertAccessible(page);
    await thread.getByRole('button', { name: mails[language].whole }).first().click();
    await page
      .getByRole('dialog')
      .getByText(/> Hello friend/)
      .waitFor();
    await page.keyboard.press('Escape');
    const field = page.getByRole('textbox', { name: t.write });
    await field.fill('From nine to two.');
    await field.press('Enter');
    await waitFor('the reply has arrived', async () =>
      (await mail.mailbox(address)).some(({ text }) => text.trim() === 'From nine to two.'),
    );
    await page.setViewportSize(small);
    await assertFits(page);
    await keepScreenshot(page, `conversations-mail-${language}-phone`);
  }
});

test('a picture and a place from the phone are seen in the conversation', async () => {
  const number = newChatPhone();
  const client = `972${number.slice(1)}`;
  const page = await agent('noa', 'en');
  await page.goto('/conversations');
  await writes(number, 'Look at this');
  await rowOf(page, number).click();
  const thread = threadOf(page, 'en');
  await thread.getByText('Look at this').waitFor();
  const query = new URLSearchParams({ to: SOURCE, type: 'image', mime_type: 'image/png', caption: 'Broken' });
  const sent = await fetch(`${service.url}/v1/sandbox/phones/${client}/files?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/octet-stream' },
    body: PIXEL,
  });
  assert.ok(sent.ok, await sent.text());
  const picture = thread.getByRole('img', { name: 'Image' });
  await picture.waitFor();
  const width = `document.querySelector('.bubble-picture img').naturalWidth`;
  await waitFor('the picture is shown', async () => (await page.evaluate<number>(width)) > 0);
  await thread.getByText('Broken').waitFor();
  await rowOf(page, number).getByText('Broken').waitFor();
  await api.post(`/sandbox/phones/${client}/chat`, {
    to: SOURCE,
    location: { latitude: 32.08, longitude: 34.78, name: 'Port' },
  });
  const map = thread.getByRole('link', { name: 'Open map' });
  await map.waitFor();
  assert.match((await map.getAttribute('href'))!, /mlat=32\.08&mlon=34\.78/);
  // A file goes back, with a text below it.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach a file' }).click(),
  ]);
  await chooser.setFiles({ name: 'part.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('button', { name: 'Remove the file' }).waitFor();
  await page.getByRole('textbox', { name: words.en.write }).fill('This part?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await waitFor('the phone has it', async () => {
    const { chat } = await api.get<{ chat: unknown[] }>(`/sandbox/phones/${client}`);
    return chat.length === 1;
  });
  await thread.getByRole('img', { name: 'Image: part.png' }).waitFor();
  await thread.getByText('This part?').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'conversations-media');
});

test('the list and a conversation are read on by pages, found, labelled and walked through by the keyboard', async () => {
  const number = newChatPhone();
  const client = `972${number.slice(1)}`;
  const since = Date.now() - 60_000;
  await writes(number, 'The newest');
  await waitFor('it is there', async () => {
    const rows = await sql`SELECT 1 FROM conversations WHERE client = ${client}`;
    return rows.length === 1;
  });
  // Others that are older, and what this client wrote before.
  const [first] = await sql<{ id: number }[]>`SELECT min(id) AS id FROM chat_incoming`;
  const before = first!.id - 1_000;
  await sql`
    INSERT INTO conversations (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_text,
      last_from_client, opened_id, changed_at)
    SELECT ${demo.id}, ${before}::bigint - n, ${SOURCE}, '9725211' || lpad(n::text, 5, '0'), 'Client ' || n, c.channel, 0, 0,
      ${before}::bigint - n, 'Older', true, ${before}::bigint - n, ${since}
    FROM generate_series(1, 160) n, conversations c WHERE c.client = ${client}`;
  await sql`
    INSERT INTO chat_incoming (account_id, id, client, number, type, body, platform_id)
    SELECT ${demo.id}, ${before}::bigint - n, ${client}, ${SOURCE}, 'text', 'Line ' || n, 'older-' || n
    FROM generate_series(1, 100) n`;
  const page = await signedIn();
  await page.goto('/conversations');
  const rows = page.locator('.list-row');
  await waitFor('the first page', async () => (await rows.count()) >= 50);
  await waitFor('the list is read to its end', async () => {
    await page.evaluate(`document.querySelector('.list-rows').scrollTo(0, 1e6)`);
    return (await page.getByRole('link').filter({ hasText: 'Client 160' }).count()) === 1;
  });
  await rowOf(page, number).focus();
  await page.keyboard.press('Enter');
  const thread = threadOf(page, 'en');
  await thread.getByText('The newest').waitFor();
  await waitFor('the end is in sight', async () => thread.getByText('The newest').isVisible());
  assert.equal(await thread.getByText('Line 100', { exact: true }).count(), 0);
  const place = `document.getElementById('item-${before - 20}')?.getBoundingClientRect().top`;
  await waitFor('what one looks at stays where it is', async () => {
    await thread.getByText('Line 20', { exact: true }).scrollIntoViewIfNeeded();
    return typeof (await page.evaluate(place)) === 'number';
  });
  await waitFor('the beginning is read', async () => {
    await page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
    return (await thread.getByText('Line 100', { exact: true }).count()) === 1;
  });

  // A label is created by its name.
  await page.getByRole('textbox', { name: 'Find or create a label' }).fill('Complaint');
  await page.getByRole('option', { name: 'Create label “Complaint”' }).click();
  await rowOf(page, number).getByText('Complaint').waitFor();
  await thread.getByText('label added: Complaint', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Labels', { exact: true }).first().selectOption({ label: 'Complaint' });
  await waitFor('the others are not listed', async () => (await rows.count()) === 1);
  await page.getByLabel('Labels', { exact: true }).first().selectOption({ label: 'Any label' });

  await thread.click();
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: words.en.search });
  await search.fill('Client 15');
  await waitFor('eleven are found', async () => (await rows.count()) === 11);
  await search.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const third = `document.querySelectorAll('.list-row')[2] === document.activeElement`;
  await waitFor('the third has the focus', () => page.evaluate<boolean>(third));
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  await page.keyboard.press('r');
  const note = page.getByText('The client has never written', { exact: false });
  await note
    .or(page.getByRole('textbox', { name: words.en.write }))
    .first()
    .waitFor();
});
