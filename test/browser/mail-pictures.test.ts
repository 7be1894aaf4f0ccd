import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { freePort } from '../../bench/support/wait.ts';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

/* A client's mail asks for pictures from the client's own host, which would learn who reads it, when and from where. */

const port = await freePort();
const { service, signedIn } = await startBrowserTest(
  { MAIL_BOUNCE_PORT: String(port), MAIL_INBOUND_DOMAIN: 'in.shop.example' },
  // The host closes each connection, and the frame's policy refuses the rest.
  /violates the following Content Security Policy|net::ERR_/,
);
const mail = mailAt(v1At(service.url));
const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });

/** Counts the connections to the host of the sender. A connection alone says that somebody reads the mail. */
let connections = 0;
const open = new Set<Socket>();
const host = createServer((socket) => {
  connections++;
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
  socket.destroy();
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
after(() => {
  for (const socket of open) socket.destroy();
  host.close();
});
const sender = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;

const HTML = `<meta name="referrer" content="unsafe-url"><link rel="preconnect" href="${sender}">
  <LINK rel="preload" as="image" href="${sender}/preload.gif"><link rel="prefetch" href="${sender}/prefetch">
  <style>p { background: url(${sender}/style.gif) } @import url(${sender}/import.css);</style>
  <p style="background-image: url('${sender}/attribute.gif')">Look at this</p>
  <img src="${sender}/picture.gif" referrerpolicy="unsafe-url"><img srcset="${sender}/set.gif 2x">
  <video autoplay src="${sender}/film.mp4" poster="${sender}/poster.gif"></video><audio autoplay src="${sender}/sound.mp3"></audio>
  <svg width="9" height="9"><image href="${sender}/svg.gif" width="9" height="9"/></svg><input type="image" src="${sender}/input.gif">
  <table background="${sender}/table.gif"><tr><td>a table</td></tr></table><object data="${sender}/object"></object>
  <p>The end of the mail</p>`;

const words = {
  en: { whole: 'Show the whole email', load: 'Load pictures', list: 'Conversations', mail: 'Email' },
  he: { whole: 'הצגת ההודעה המלאה', load: 'טעינת תמונות', list: 'שיחות', mail: 'דוא״ל' },
} as const;

test('a mail of a client asks its host for pictures only after a person has clicked "Load pictures"', async () => {
  for (const language of ['en', 'he'] as const) {
    const t = words[language];
    const address = `pictures-${language}@example.com`;
    await mail.finished(await mail.send([await mail.list([{ email: address }])]));
    const [received] = await mail.mailbox(address);
    await transport.sendMail({
      from: address,
      to: received!.headers['reply-to']!,
      subject: 'A picture',
      text: 'Look at this',
      html: HTML,
    });
    connections = 0;
    const page = await signedIn({ language });
    const requests: { url: string; referrer: string }[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(sender)) return;
      requests.push({ url: request.url(), referrer: request.headers().referer ?? '' });
    });
    await page.goto('/conversations');
    await page.getByRole('list', { name: t.list }).getByText(address).click();
    await page.getByRole('button', { name: t.whole }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('iframe').contentFrame().getByText('The end of the mail').waitFor();
    await dialog.getByRole('button', { name: t.load }).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `mail-pictures-blocked-${language}`);
    const mailDocument = dialog.locator('iframe').contentFrame().locator(':root');
    // What the document asks for by itself, it has asked for when it is complete.
    await waitFor('the mail to be loaded', () => mailDocument.evaluate('document.readyState === "complete"'));
    assert.equal(connections, 0, 'the host of the sender learns that the mail was opened');

    await dialog.getByRole('button', { name: t.load }).click();
    await waitFor('the pictures to be asked for', () => requests.length > 0 && connections > 0);
    await dialog.getByRole('button', { name: t.load }).waitFor({ state: 'detached' });
    assert.ok(requests.some(({ url }) => url.endsWith('/picture.gif')));
    assert.deepEqual(
      requests.filter(({ referrer }) => referrer !== ''),
      [],
      'the host learns the address of the page',
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);

    // Each mail asks anew.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t.whole }).first().click();
    await dialog.getByRole('button', { name: t.load }).waitFor();
  }
});
