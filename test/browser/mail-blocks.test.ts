import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest(
  {},
  // What a hostile mail wants to do, and the browser does not let it.
  /^Blocked script execution|ERR_BLOCKED_BY_RESPONSE\.NotSameOrigin/,
);
const v1 = v1At(service.url);
const readers = { dana: 'dana@example.com', noa: 'noa@example.com' } as const;
await mailAt(v1).list([{ email: readers.dana, first_name: 'Dana' }], { name: 'Friends' });
await mailAt(v1).list([{ email: readers.noa, first_name: 'נועה' }], { name: 'חברות' });

interface Mail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}
const received = (address: string) =>
  waitFor(`a mail to ${address}`, async () => {
    const { body } = await v1('GET', `sandbox/mailboxes/${address}`);
    return (body.mails as Mail[])[0];
  });

const frameOf = (page: Page) =>
  page.frameLocator('iframe[title="The email"], iframe[title="ההודעה"]').first();
const block = (page: Page, name: string) => page.getByRole('listitem', { name });
async function add(page: Page, button: string, kind: string, within: Page | Locator = page): Promise<void> {
  await within.getByRole('button', { name: button }).last().click();
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
}

test('a template of blocks is sent and arrives unchanged', async () => {
  const page = await signedIn();
  await page.goto('/mail-templates/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring in blocks');
  await page.getByLabel('Subject').fill('Spring, {{FirstName}}');
  await page.getByRole('radiogroup', { name: 'Format' }).first().getByText('Blocks').click();
  await add(page, 'Add block', 'Heading');
  await block(page, 'Heading, block 1').getByRole('textbox').fill('Spring is here');
  await add(page, 'Add block', 'Text');
  const text = block(page, 'Text, block 2');
  await text.getByRole('textbox', { name: 'Text' }).click();
  await page.keyboard.type('Hello ');
  await text.getByRole('button', { name: 'Field' }).click();
  await page.getByRole('menuitem', { name: 'First name' }).click();
  await page.keyboard.type(', ');
  await text.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('all');
  await text.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type(' is new.');
  await page.keyboard.press('Enter');
  await text.getByRole('button', { name: 'Bulleted list' }).click();
  await page.keyboard.type('Tulips');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Roses');
  await page.keyboard.press('Shift+Home');
  await text.getByRole('button', { name: 'Link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Link address').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Set link' }).click();
  await dialog.getByText('Enter an address like').waitFor();
  await dialog.getByLabel('Link address').fill('shop.example/roses');
  await dialog.getByRole('button', { name: 'Set link' }).click();
  await dialog.waitFor({ state: 'detached' });
  await add(page, 'Add block', 'Button');
  await page.getByLabel('Button text', { exact: true }).fill('To the shop');
  await page.getByLabel('Link address').fill('https://shop.example/spring');
  await add(page, 'Add block', 'Footer with unsubscribe link');
  await page.getByLabel('Footer text').fill('The shop, 1 Garden Street');
  await page.getByRole('button', { name: 'Move up: Button, block 3' }).click();
  await block(page, 'Button, block 2').waitFor();
  await frameOf(page).getByRole('link', { name: 'To the shop' }).waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.getByRole('radiogroup', { name: 'Format' }).first().scrollIntoViewIfNeeded();
  await page.evaluate("scrollTo(0, document.querySelector('.mail-blocks').offsetTop - 140)");
  await keepScreenshot(page, 'mail-blocks-en-light');
  await page.getByRole('button', { name: 'Save template' }).click();
  await page.waitForURL(/mail-templates\/\d+$/);

  // It is opened in the editor again, and in that of the composer.
  await block(page, 'Button, block 2').waitFor();
  await page.goto('/mail-templates');
  await page.getByRole('button', { name: 'Actions for Spring in blocks' }).click();
  await page.getByRole('menuitem', { name: 'Send an email with it' }).click();
  await block(page, 'Text, block 3').getByText('Tulips').waitFor();
  await page.getByRole('combobox', { name: 'Sender address' }).fill('news@shop.example');
  await page.getByRole('combobox', { name: 'Mailing lists' }).click();
  await page.getByRole('option', { name: /Friends/ }).click();
  await page.keyboard.press('Escape');
  await frameOf(page).getByText('Hello Dana, all is new.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();

  const mail = await received(readers.dana);
  assert.equal(mail.subject, 'Spring, Dana');
  assert.match(mail.html, /<h1[^>]*>Spring is here<\/h1>/);
  assert.match(mail.html, /Hello Dana, <strong>all<\/strong> is new\./);
  assert.match(mail.html, /<li[^>]*><p[^>]*>Tulips<\/p><\/li>/);
  assert.match(mail.html, /<a href="https?:[^"]*"[^>]*>Unsubscribe<\/a>/);
  // The links are counted: they lead through the service.
  assert.doesNotMatch(mail.html, /shop\.example\/(spring|roses)/);
  assert.match(mail.text, /Spring is here\n\nTo the shop: https:\/\/shop\.example\/spring/);
  assert.match(mail.text, /- Tulips\n- Roses \(https:\/\/shop\.example\/roses\)/);
  assert.match(mail.text, /The shop, 1 Garden Street\nUnsubscribe: http/);
  assert.equal(mail.html.match(/Unsubscribe/g)?.length, 1);
});

test('a mail in Hebrew is composed of blocks on a phone, from right to left', async () => {
  const page = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } });
  await page.goto('/send?channel=mail');
  await page.getByLabel('נושא').fill('אביב, {{FirstName}}');
  await page.getByRole('radiogroup', { name: 'פורמט' }).first().getByText('בלוקים').click();
  await add(page, 'הוספת בלוק', 'כותרת');
  await block(page, 'כותרת, בלוק 1').getByRole('textbox').fill('האביב הגיע');
  await add(page, 'הוספת בלוק', 'שני טורים');
  const columns = block(page, 'שני טורים, בלוק 2');
  for (const [number, name] of [
    [1, 'ורדים'],
    [2, 'צבעונים'],
  ] as const) {
    const column = columns.getByRole('region', { name: `טור ${number}` });
    await add(page, 'הוספת בלוק', 'טקסט', column);
    await column.getByRole('textbox', { name: 'טקסט' }).click();
    await page.keyboard.type(name);
  }
  await add(page, 'הוספת בלוק', 'כותרת תחתונה עם קישור להסרה');
  // The preview is there before the sender is chosen.
  await frameOf(page).getByText('צבעונים').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'mail-blocks-he-phone');
  await page.setViewportSize({ width: 860, height: 900 });
  await assertFits(page);
  await page.getByRole('combobox', { name: 'כתובת השולח' }).fill('news@shop.example');
  await page.getByRole('combobox', { name: 'רשימות דיוור' }).click();
  await page.getByRole('option', { name: /חברות/ }).click();
  await page.keyboard.press('Escape');
  await frameOf(page).getByText('האביב הגיע').waitFor();
  await page.getByRole('button', { name: 'שליחה', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'שליחה', exact: true }).click();
  const mail = await received(readers.noa);
  assert.equal(mail.subject, 'אביב, נועה');
  assert.match(mail.html, /<html dir="rtl"/);
  assert.match(mail.html, /<h1 style="[^"]*text-align:right"[^>]*>האביב הגיע<\/h1>/);
  assert.match(mail.html, /class="mail-column"[^>]*>.*ורדים.*class="mail-column"[^>]*>.*צבעונים/s);
  assert.match(mail.html, />להסרה מרשימת הדיוור<\/a>/);
});

for (const texts of [
  {
    language: 'en',
    subject: 'Subject',
    format: 'Format',
    blocks: 'Blocks',
    add: 'Add block',
    heading: 'Heading',
    button: 'Button',
    without: 'Button without text',
    buttonText: 'Button text',
    send: 'Send',
    refused: 'A button has no text.',
  },
  {
    language: 'he',
    subject: 'נושא',
    format: 'פורמט',
    blocks: 'בלוקים',
    add: 'הוספת בלוק',
    heading: 'כותרת',
    button: 'כפתור',
    without: 'כפתור ללא טקסט',
    buttonText: 'טקסט הכפתור',
    send: 'שליחה',
    refused: 'יש כפתור ללא טקסט.',
  },
] as const) {
  test(`an email with a button without text is not sent (${texts.language})`, async () => {
    const page = await signedIn({ language: texts.language });
    await page.goto('/send?channel=mail');
    await page.getByLabel(texts.subject, { exact: true }).fill('Spring');
    await page.getByRole('radiogroup', { name: texts.format }).first().getByText(texts.blocks).click();
    await add(page, texts.add, texts.heading);
    await page.getByRole('textbox', { name: texts.heading }).fill('Spring is here');
    await add(page, texts.add, texts.button);
    await page.locator('.mail-push').getByText(texts.without).waitFor();
    await page.getByRole('button', { name: texts.send, exact: true }).click();
    const refused = page.locator('.mail-blocks').getByRole('alert').filter({ hasText: texts.refused });
    await refused.waitFor();
    await assertAccessible(page);
    await refused.scrollIntoViewIfNeeded();
    await keepScreenshot(page, `mail-button-without-text-${texts.language}`);
    await page.getByLabel(texts.buttonText, { exact: true }).fill('Look');
    await refused.waitFor({ state: 'detached' });
    await frameOf(page).getByText('Look').waitFor();
  });
}

test('blocks become HTML once and for all, and only after a warning', async () => {
  const page = await signedIn();
  await page.goto('/mail-templates/new');
  const format = page.getByRole('radiogroup', { name: 'Format' }).first();
  const html = page.getByRole('textbox', { name: 'HTML' });
  const dialog = page.getByRole('dialog');
  await format.getByText('Blocks').click();
  await add(page, 'Add block', 'Heading');
  await block(page, 'Heading, block 1').getByRole('textbox').fill('From a block');
  await format.getByText('Plain text').click();
  assert.equal(await page.getByRole('textbox', { name: 'Plain text' }).inputValue(), 'From a block');
  await format.getByText('HTML').click();
  assert.equal(await html.getAttribute('readonly'), '');
  await page.getByRole('button', { name: 'Edit by hand' }).click();
  await dialog.getByText('The blocks cannot be brought back.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Keep blocks' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit by hand' }).click();
  await dialog.getByRole('button', { name: 'Edit by hand' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.match(await html.inputValue(), />From a block<\/h1>/);
  await html.fill('<p>By hand</p>');

  await format.getByText('Blocks').click();
  await dialog.getByText('HTML cannot be turned into blocks.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Keep HTML' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await html.inputValue(), '<p>By hand</p>');
  await format.getByText('Blocks').click();
  await dialog.getByRole('button', { name: 'Start with blocks' }).click();
  await page.getByText('Add the first block').waitFor();
});

test('hostile blocks run nothing in the editor and in the mail that they make', async () => {
  const hostile = `"><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
  const link = { type: 'link', attrs: { href: "javascript:document.title='taken'" } };
  const content = [{ type: 'text', text: `${hostile} end`, marks: [link] }];
  const { body } = await v1('POST', 'mail/templates', {
    name: 'Hostile',
    html: '<p>Not what the blocks say</p>',
    blocks: {
      direction: hostile,
      color: hostile,
      blocks: [
        { type: 'heading', text: hostile },
        { type: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content }] } },
        { type: 'text', doc: { type: 'doc', content: [{ type: hostile, content: 7 }] } },
        { type: 'image', url: "javascript:document.title='taken'", alt: hostile },
        { type: hostile },
      ],
    },
  });
  const page = await signedIn();
  await page.goto(`/mail-templates/${body.id}`);
  const heading = block(page, 'Heading, block 1').getByRole('textbox');
  await heading.waitFor();
  assert.equal(await heading.inputValue(), hostile);
  await heading.fill(`${hostile}!`);
  await frameOf(page).getByText(`${hostile}!`).waitFor();
  await frameOf(page).getByText(`${hostile} end`).waitFor();
  assert.equal(await page.locator('img[src="x"], a[href^="javascript"]').count(), 0);
  assert.equal(await frameOf(page).locator('img[src="x"], a[href^="javascript"]').count(), 0);
  assert.doesNotMatch(await page.title(), /^taken/);
});

test('blocks are dragged to another place, and into a column', async () => {
  const page = await signedIn({ viewport: { width: 1440, height: 1100 } });
  await page.goto('/mail-templates/new');
  await page.getByRole('radiogroup', { name: 'Format' }).first().getByText('Blocks').click();
  await add(page, 'Add block', 'Heading');
  await block(page, 'Heading, block 1').getByRole('textbox').fill('Dragged');
  await add(page, 'Add block', 'Divider');
  await add(page, 'Add block', 'Two columns');
  const head = (name: string) => block(page, name).locator('.mail-block-head').first();
  // On the lower half of a block: behind it.
  const divider = (await block(page, 'Divider, block 2').boundingBox())!;
  await head('Heading, block 1').dragTo(block(page, 'Divider, block 2'), {
    targetPosition: { x: 40, y: divider.height - 4 },
  });
  await block(page, 'Heading, block 2').waitFor();
  await block(page, 'Divider, block 1').waitFor();

  const columns = block(page, 'Two columns, block 3');
  await head('Heading, block 2').hover();
  await page.mouse.down();
  // The first movement begins to drag.
  const { x, y, width, height } = (await columns.getByRole('region', { name: 'Column 2' }).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.locator('.mail-block-list[data-over]').waitFor();
  await keepScreenshot(page, 'mail-blocks-dragged-en-light');
  await page.mouse.up();
  const second = block(page, 'Two columns, block 2').getByRole('region', { name: 'Column 2' });
  await second.getByRole('listitem', { name: 'Heading, block 1' }).waitFor();
  await frameOf(page).getByRole('heading', { name: 'Dragged' }).waitFor();

  // Columns stay out of columns.
  await add(page, 'Add block', 'Two columns');
  await head('Two columns, block 3').dragTo(second);
  assert.equal(await second.getByRole('listitem').count(), 1);
});

for (const { language, format, blocks, add: addBlock, heading, columns, names } of [
  {
    language: 'en',
    format: 'Format',
    blocks: 'Blocks',
    add: 'Add block',
    heading: 'Heading',
    columns: 'Two columns',
    names: {
      block: (kind: string, number: number) => `${kind}, block ${number}`,
      column: 'Column 2',
      move: 'Move into or out of columns',
      into: 'Into column 2 of block 2',
      out: 'Out of the columns',
      up: 'Move up',
      down: 'Move down',
      movedIn: 'Heading: moved into column 2 of block 1, position 1.',
      movedOut: 'Heading: moved to position 2.',
      movedUp: 'Heading: moved to position 1.',
    },
  },
  {
    language: 'he',
    format: 'פורמט',
    blocks: 'בלוקים',
    add: 'הוספת בלוק',
    heading: 'כותרת',
    columns: 'שני טורים',
    names: {
      block: (kind: string, number: number) => `${kind}, בלוק ${number}`,
      column: 'טור 2',
      move: 'הזזה אל טור או מחוץ לטור',
      into: 'אל טור 2 בבלוק 2',
      out: 'אל מחוץ לטורים',
      up: 'הזזה למעלה',
      down: 'הזזה למטה',
      movedIn: 'כותרת: הבלוק הועבר לטור 2 בבלוק 1, למקום 1.',
      movedOut: 'כותרת: הבלוק הועבר למקום 2.',
      movedUp: 'כותרת: הבלוק הועבר למקום 1.',
    },
  },
] as const) {
  test(`the keyboard moves a block into a column and out of it (${language})`, async () => {
    const page = await signedIn({ language, viewport: { width: 1440, height: 1100 } });
    await page.goto('/mail-templates/new');
    await page.getByRole('radiogroup', { name: format }).first().getByText(blocks).click();
    await add(page, addBlock, heading);
    await block(page, names.block(heading, 1)).getByRole('textbox').fill('Moved');
    const button = (label: string, number: number, within: Page | Locator = page) =>
      within.getByRole('button', { name: `${label}: ${names.block(heading, number)}`, exact: true });
    assert.equal(await button(names.move, 1).count(), 0, 'there are no columns yet');
    await add(page, addBlock, columns);
    const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    const isFocused = (locator: Locator) => locator.and(page.locator(':focus')).waitFor();

    await button(names.move, 1).press('Enter');
    const into = page.getByRole('menuitem', { name: names.into, exact: true });
    await into.waitFor();
    await keepScreenshot(page, `mail-blocks-columns-menu-${language}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await isFocused(into);
    await page.keyboard.press('Enter');
    await said(names.movedIn);
    const second = block(page, names.block(columns, 1)).getByRole('region', { name: names.column });
    await isFocused(button(names.move, 1, second));
    await frameOf(page).getByRole('heading', { name: 'Moved' }).waitFor();
    await assertAccessible(page);

    await page.keyboard.press('Enter');
    const out = page.getByRole('menuitem', { name: names.out, exact: true });
    await out.waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await isFocused(out);
    await page.keyboard.press('Enter');
    await said(names.movedOut);
    assert.equal(await second.getByRole('listitem').count(), 0);
    await isFocused(button(names.move, 2));
    // The first block cannot go up again: the focus is on the button beside.
    await button(names.up, 2).press('Enter');
    await said(names.movedUp);
    await isFocused(button(names.down, 1));
    await page.keyboard.press('Enter');
    await said(names.movedOut);
    await isFocused(button(names.up, 2));
  });
}
