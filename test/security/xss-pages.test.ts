import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * HTML of an attacker in the pages that need no sign-in: what accounts are called, what their lists are called, and what
 * a visitor asks for. What the console does with such texts is shown in a browser by xss-console.test.ts.
 */

const service = await startTestService();
const { url, sql } = service;
const TAGS = `"><svg/onload=alert(1)>'<script>alert(1)</script>`;
/** Names that look like the places of words in a page. */
const PLACES = '{from}{list}{account}{phone}$&$1$`';

/** A page as it came, which has to be harmless: the attacker's tags are text, and nothing could run. */
async function harmless(path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init });
  const page = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  assert.doesNotMatch(page, /<svg\/onload|<script>alert|<img src=x/i, `${path} ${type}`);
  if (type.startsWith('text/html')) {
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/, path);
    assert.match(policy, /base-uri 'none'/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
    assert.doesNotMatch(scripts, /unsafe|\*|https?:|data:/, path);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
  } else {
    assert.doesNotMatch(type, /xhtml|svg|^text\/xml/, `${path} ${type}`);
  }
  return page;
}

const attacker = await service.addAccount({ username: 'attacker', name: `${TAGS}`.slice(0, 60) });
const places = await service.addAccount({ username: 'places', name: PLACES });

describe('stored: in the name of an account or a list', () => {
  test('on the page of removal from mails, and of confirming a list', async () => {
    for (const { id, token } of [attacker, places]) {
      const v1 = v1At(url, token);
      const mail = mailAt(v1);
      const address = `reader${id}@example.com`;
      const list = await mail.list([{ email: address }], { name: `${TAGS}${PLACES}`.slice(0, 50) });
      await mail.finished(await mail.send([list]));
      const demo = mailAt(v1At(url));
      const [arrived] = await demo.mailbox(address);
      const link = /<(https?:[^>]*\/mail\/remove\/[^>]*)>/.exec(arrived!.headers['list-unsubscribe']!)![1]!;
      const asked = await harmless(link);
      if (id === attacker.id) assert.match(asked, /&lt;svg\/onload/);
      else assert.ok(asked.includes('{from}{list}{account}{phone}$&amp;$1$`'), asked);
      const removed = await harmless(link, { method: 'POST' });
      assert.match(removed, /role="status"/);
    }
  });

  test('on the page of a verification', async () => {
    const phone = newPhone();
    const made = await service.call(
      'json',
      'verify_phone',
      { user: { username: 'places' }, phone },
      { token: places.token },
    );
    assert.equal(made.status, 0, made.message);
    const link = await waitFor('the link', async () => {
      const [sms] = await service.phone(phone);
      return sms && /https?:\/\/\S+\/v\/[\w-]+/.exec(sms.text)?.[0];
    });
    // As an operator may have named it, whatever is taken from accounts themselves.
    await sql`UPDATE accounts SET name = ${TAGS + PLACES} WHERE id = ${places.id}`;
    await service.appContext.accounts.reload();
    const page = await harmless(link);
    assert.match(page, /&lt;svg\/onload/);
    assert.ok(page.includes(`<bdi>0${phone.slice(1)}</bdi>`), 'the number is that of the phone');
  });

  test('on the page of removal from SMS', async () => {
    const phone = newPhone();
    await service.appContext.sources.approve(service.demo.id, 'Shop');
    const sent = await service.call('json', 'sms', {
      source: 'Shop',
      destinations: { phone },
      message: 'Hello',
      add_unsubscribe: 3,
    });
    assert.equal(sent.status, 0, sent.message);
    const link = await waitFor('the link', async () => {
      const [sms] = await service.phone(phone);
      return sms && /https?:\/\/\S+\/u\/\S+/.exec(sms.text)?.[0];
    });
    await harmless(link);
  });
});

describe('reflected: in what a visitor asks for', () => {
  const payloads = [
    TAGS,
    '<img src=x onerror=alert(1)>',
    '</title><script>alert(1)</script>',
    'javascript:alert(1)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a place of another language
    '{{7*7}}${7*7}<%= 7*7 %>',
  ];
  const prefixes = [
    '/',
    '/l/',
    '/u/',
    '/v/',
    '/a/',
    '/m/o/',
    '/m/c/',
    '/mail/remove/',
    '/mail/confirm/',
    '/contact?tel=',
    '/contact?mail=',
    '/docs?x=',
    '/docs/',
    '/?x=',
    '/sign-in?next=',
    '/messages/',
    '/v1/',
    '/v1/messages?phone=',
    '/api?x=',
    '/chat-api/',
    '/assets/',
    '/healthz?x=',
    '/chat-webhooks?hub.mode=subscribe&hub.verify_token=x&hub.challenge=',
  ];
  for (const prefix of prefixes) {
    test(`${prefix}…`, async () => {
      for (const payload of payloads) {
        for (const written of [encodeURIComponent(payload), encodeURI(payload)]) {
          for (const accept of ['text/html', '*/*']) {
            const page = await harmless(prefix + written, {
              headers: { accept, 'accept-language': payload.replace(/[^\x20-\x7e]/g, '') },
            });
            assert.doesNotMatch(page, /(?<!7\*7.*)\b49\b(?=\}|$)/, 'a template that was filled in');
          }
        }
      }
    });
  }

  test('the language of a page is one of ours, whatever the browser says', async () => {
    for (const accepted of [
      '"><script>alert(1)</script>',
      'en" onload="alert(1)',
      'he;q=1"><svg/onload=alert(1)>',
      '../../x',
    ]) {
      const page = await harmless('/u/AAAAAA', { headers: { 'accept-language': accepted } });
      assert.match(page, /<html lang="(en|he|ar|ru)" dir="(ltr|rtl)">/);
    }
  });

  test('answers of the APIs are no pages, whatever they name', async () => {
    for (const [path, body] of [
      ['/api', `{"${TAGS.replaceAll('"', '\\"')}": {}}`],
      [
        '/api',
        `<balance><user><username>${'&lt;script&gt;alert(1)&lt;/script&gt;'}</username></user></balance>`,
      ],
      ['/v1/sms', '<script>alert(1)</script>'],
      ['/chat-api/send-buttons', '<script>alert(1)</script>'],
      ['/api/Mailer/CreateMalingList', '<script>alert(1)</script>'],
    ] as const) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${attacker.token}`,
          'content-type': 'text/html',
          accept: 'text/html',
        },
        body,
      });
      await answer.body?.cancel();
      assert.match(answer.headers.get('content-type')!, /^application\/(json|xml)/, path);
    }
  });
});
