import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { seed } from '../browser/seed.ts';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { startBrowserTest } from '../support/browser.ts';
import { features } from '../support/console-features.ts';
import { DEMO_PASSWORD } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startVictim } from './attack.ts';

/*
 * Texts of an attacker in the pages of the console, in a real browser: what accounts, lists, contacts, campaigns and
 * messages are called and say, what mails of others have in them, and addresses that somebody is lured to.
 */

const evil = await startVictim();
const EVIL = `127.0.0.1:${evil.port}`;
const { service, signedIn, visit } = await startBrowserTest(
  {},
  // What mails want to do and the browser does not let them.
  /^Blocked script execution|violates the following Content Security Policy|^Refused to execute the redirect|ERR_BLOCKED_BY_RESPONSE\.NotSameOrigin/,
);
const { url, call, sql, demo } = service;
const named = await seed(service);
const v1 = v1At(url);
const mail = mailAt(v1);

/** Runs `hacked()` in any way that a browser knows, if it is taken for HTML. */
const TAGS = `"><img src=x onerror=hacked()><svg/onload=hacked()></textarea><script>hacked()</script>`;

// Texts as anybody outside could make them, and those of accounts to an operator.
await call('json', 'sms', {
  source: 'Shop',
  destinations: { phone: '0521230010' },
  message: TAGS,
  campaign_name: TAGS.slice(0, 50),
});
await call('json', 'newCL', {
  cl: {
    name: TAGS,
    destinations: { destination: [{ phone: '0521230077', df1: TAGS, df2: 'javascript:hacked()' }] },
  },
});
await service.sendFromPhone('0521230010', '0559876543', TAGS);
await v1('POST', 'tokens', { label: TAGS });
await v1('POST', 'webhooks', { url: 'https://hooks.example.com/<svg/onload=hacked()>' });
await sql`UPDATE contact_lists SET name = ${TAGS} WHERE account_id = ${demo.id}`;
await sql`UPDATE accounts SET name = ${TAGS} WHERE id = ${demo.id} OR parent_id = ${demo.id}`;
await sql`UPDATE people SET name = ${TAGS} WHERE username = 'pages-viewer'`;
await sql`UPDATE shipments SET campaign_name = ${TAGS.slice(0, 50)} WHERE account_id = ${demo.id} AND campaign_name IS NOT NULL`;
await service.appContext.accounts.reload();
const list = await mail.list([{ email: 'dana@example.com', first_name: TAGS, fields: { city: TAGS } }], {
  name: TAGS.slice(0, 50),
});
const HTML = `${TAGS}<body onload=hacked()><iframe src="javascript:parent.hacked()"></iframe><iframe srcdoc="<script>parent.hacked()</script>"></iframe>
  <a href="javascript:hacked()" target="_self">one</a><a href="https://shop.example/">two</a><form action="${url}/v1/session"><button>go</button></form>
  <meta http-equiv="refresh" content="0;url=http://${EVIL}/"><base href="http://${EVIL}/"><link rel=stylesheet href="//${EVIL}/x.css">
  <object data="javascript:hacked()"></object><math><mtext><table><mglyph><style><img src=x onerror=hacked()></style></mglyph></table></mtext></math>
  <scr<script></script>ipt>hacked()</script><script src="//${EVIL}/x.js"><p>the end of the mail</p>`;
await sql`
  UPDATE mail_templates SET name = ${TAGS.slice(0, 100)}, subject = ${TAGS}, html = ${HTML}, text = ${TAGS}
  WHERE account_id = ${demo.id}`;
const campaign = await mail.send([list], {
  name: TAGS.slice(0, 50),
  subject: `${TAGS} {{FirstName}}`,
  html: HTML,
  text: TAGS,
});
await mail.finished(campaign);

const hacked: string[] = [];

/** Watches a page for what the attacker wants: a script that runs, a dialog, another page. */
async function watch(page: Page): Promise<Page> {
  await page.exposeFunction('hacked', () => void hacked.push(page.url()));
  page.on('dialog', (dialog) => {
    hacked.push(`a dialog on ${page.url()}`);
    void dialog.dismiss();
  });
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && !frame.url().startsWith(url) && frame.url() !== 'about:blank') {
      hacked.push(`led to ${frame.url()}`);
    }
  });
  return page;
}

/** The pages that show what others wrote. */
const shows =
  /^\/(messages|campaigns|contacts|templates|mail-templates|tokens|webhooks|subscribers|mailing-lists|people|operator\/accounts|handsets|audit)?(\/:id)?$/;
const paths = features.pages
  .filter(({ path }) => shows.test(path))
  .map(({ path, role }) => ({
    role,
    path: path.replace(/(\w[\w-]*)\/:\w+/g, (_, of: string) => `${of}/${named[of]}`),
  }));
paths.push({ role: 'viewer', path: `/campaigns/${campaign}` });

const owner = await watch(await signedIn());
const operator = await watch(
  await signedIn({}, { username: 'pages-operator', password: 'a password of tests' }),
);

test('in what every page of the console shows', async () => {
  let shown = 0;
  for (const { path, role } of paths) {
    const page = role === 'operator' ? operator : owner;
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
    if ((await page.locator('body').innerText()).includes('<img src=x')) shown++;
    assert.equal(
      await page.locator('img[src="x"], svg[onload]').count(),
      0,
      `${path} has the tags of the attacker`,
    );
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href]')].map(({ protocol }) => protocol)`,
    );
    assert.deepEqual(
      links.filter((protocol) => !/^(https?|tel|mailto|blob):$/.test(protocol)),
      [],
      path,
    );
  }
  assert.deepEqual([hacked, evil.hits], [[], []]);
  assert.ok(shown >= 5, `the texts are shown as texts, on ${shown} pages`);
});

test('in a mail, as its reader opens it on the handset', async () => {
  await owner.goto('/handsets');
  await owner.getByRole('heading', { level: 1 }).first().waitFor();
  // The frame that mails are shown in everywhere (console/src/components/mail-frame.tsx), on the page of a campaign.
  await owner.goto(`/campaigns/${campaign}`);
  await owner.getByRole('heading', { level: 1 }).first().waitFor();
  const frame = owner.locator('iframe.mail-frame').first();
  await frame.waitFor();
  assert.doesNotMatch(
    (await frame.getAttribute('sandbox'))!,
    /allow-scripts|allow-same-origin|allow-top|allow-forms/,
  );
  assert.deepEqual([hacked, evil.hits], [[], []]);
});

test('by an address that somebody is lured to, before signing in and after', async () => {
  for (const path of [
    '/sign-in?next=//evil.example/&redirect=javascript:hacked()',
    `/messages?state=${encodeURIComponent(TAGS)}&phone=${encodeURIComponent(TAGS)}#${TAGS}`,
    `/contacts/${encodeURIComponent(TAGS)}`,
  ]) {
    for (const page of [await watch(await visit()), owner]) {
      await page.goto(path);
      await waitFor(
        `${path} to be shown`,
        async () => (await page.locator('h1, h2, [role=alert]').count()) > 0,
      );
      if (page !== owner && path.includes('sign-in')) {
        await page.getByLabel('User name').fill('demo');
        await page.getByRole('textbox', { name: 'Password' }).fill(DEMO_PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('button', { name: 'Your menu' }).waitFor();
      }
      assert.equal(new URL(page.url()).origin, url, path);
      if (page !== owner) await page.close();
    }
  }
  assert.deepEqual([hacked, evil.hits], [[], []]);
});
