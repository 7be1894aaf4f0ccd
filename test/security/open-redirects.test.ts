import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { sendRaw } from './attack.ts';

/* A link of this service that leads a victim where the attacker wants. */

const service = await startTestService();
const { url } = service;
const TARGET = 'https://shop.example/spring?a=1&b=2#part';

const phone = newPhone();
const sent = await service.call('json', 'sms', {
  source: 'Shop',
  destinations: { phone },
  message: 'Look: [link-1]',
  links: { link: { $: { id: '1' }, _: TARGET } },
  add_unsubscribe: 3,
});
assert.equal(sent.status, 0, sent.message);
const text = await waitFor('the SMS', async () => (await service.phone(phone))[0]?.text);
const short = new URL(/https?:\/\/\S+\/l\/\S+/.exec(text)![0]);
const removal = new URL(/https?:\/\/\S+\/u\/\S+/.exec(text)![0]);
const EVIL = 'https://evil.example/';

/** Where an answer leads; undefined when it leads nowhere. */
const leads = (answer: Response) => answer.headers.get('location') ?? undefined;

describe('change where a short link leads', () => {
  test('an honest one leads to what its sender stored, to the letter', async () => {
    const answer = await fetch(short, { redirect: 'manual' });
    assert.deepEqual([answer.status, leads(answer)], [302, TARGET]);
  });

  test('by its query, by more of a path, by headers, by another method', async () => {
    const code = short.pathname.split('/').at(-1)!;
    for (const path of [
      `/l/${code}?url=${EVIL}`,
      `/l/${code}?next=${EVIL}&redirect=${EVIL}&to=//evil.example`,
      `/l/${code}#${EVIL}`,
      `/l/${code}/${EVIL}`,
      `/l/${code}//evil.example`,
      `/l/${code}@evil.example`,
      `/l/${EVIL}`,
      `/l/${encodeURIComponent(EVIL)}`,
      '/l///evil.example',
      `/l/${code}%00${EVIL}`,
    ]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await fetch(url + path, {
          method,
          redirect: 'manual',
          headers: { 'x-forwarded-host': 'evil.example', referer: EVIL, 'x-original-url': EVIL },
        });
        await answer.body?.cancel();
        const to = leads(answer);
        assert.ok(to === undefined || to === TARGET, `${method} ${path} leads to ${to}`);
      }
    }
  });

  test('to what runs in the browser', async () => {
    for (const target of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://x/y',
      '\u0001javascript:alert(1)',
      'java\nscript:alert(1)',
      '//evil.example',
      'evil.example',
      '',
    ]) {
      const answer = await service.call('json', 'sms', {
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'Look: [link-1]',
        links: { link: { $: { id: '1' }, _: target } },
      });
      assert.ok([2, 980].includes(answer.status), `${target}: ${answer.status} ${answer.message}`);
      const v1 = await fetch(`${url}/v1/sms`, {
        method: 'POST',
        headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          source: 'Shop',
          phones: [newPhone()],
          message: 'Look: [link-1]',
          links: [{ id: '1', url: target }],
        }),
      });
      await v1.body?.cancel();
      assert.equal(v1.status, 400, target);
    }
  });

  test('by line breaks in what its sender stores: one header, of one line', async () => {
    for (const target of [
      'https://shop.example/\r\nSet-Cookie: evil=1',
      'https://shop.example/%0d%0aSet-Cookie:%20evil=1',
    ]) {
      const to = newPhone();
      const answer = await service.call('json', 'sms', {
        source: 'Shop',
        destinations: { phone: to },
        message: 'Look: [link-1]',
        links: { link: { $: { id: '1' }, _: target } },
      });
      if (answer.status !== 0) continue;
      const link = await waitFor(
        'the SMS',
        async () => /http\S+/.exec((await service.phone(to))[0]?.text ?? '')?.[0],
      );
      const followed = await fetch(link, { redirect: 'manual' });
      assert.equal(followed.headers.get('set-cookie'), null);
      assert.ok(leads(followed)!.startsWith('https://shop.example/'));
    }
  });
});

test('pages behind links lead nowhere, whatever is added to them', async () => {
  for (const path of [
    removal.pathname,
    '/u/x',
    '/v/x',
    '/a/x',
    '/mail/remove/x',
    '/mail/confirm/x',
    '/m/c/x',
    '/contact',
  ]) {
    for (const query of [
      `?next=${EVIL}`,
      `?return=${EVIL}&url=${EVIL}&continue=${EVIL}`,
      `?tel=${EVIL}`,
      `?mail=${EVIL}`,
    ]) {
      for (const method of ['GET', 'POST']) {
        if (path === removal.pathname && method === 'POST') continue;
        const answer = await fetch(url + path + query, { method, redirect: 'manual' });
        assert.equal(leads(answer), undefined, `${method} ${path}${query}`);
        const page = await answer.text();
        // What is not a page may name what was asked for.
        if ((answer.headers.get('content-type') ?? '').startsWith('text/html')) {
          assert.doesNotMatch(page, /evil\.example/, `${method} ${path}${query}`);
        }
      }
    }
  }
});

test('the page with a phone number or a mail address leads to nothing else', async () => {
  for (const query of [
    'tel=972501234567;phone-context=evil.example',
    'tel=javascript:alert(1)',
    'tel=*21*1234%23',
    'tel=1&tel=2',
    'mail=a@b.example?bcc=evil@evil.example',
    'mail=a@b.example%26body=x',
    'mail=a@b.example%0d%0aBcc:x@evil.example',
    'mail=javascript:alert(1)//@b.example',
    'mail="x"@b.example',
  ]) {
    const answer = await fetch(`${url}/contact?${query}`, { redirect: 'manual' });
    const page = await answer.text();
    const [href] = /(?<=href=")[^"]*/.exec(page) ?? [];
    assert.ok(href === undefined || /^(tel:\+\d+|mailto:[^?&\r\n]*)$/.test(href), `${query}: ${href}`);
  }
});

describe('paths that a careless server redirects', () => {
  for (const path of [
    '//evil.example',
    '//evil.example/',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/%5cevil.example',
    '/.evil.example',
    '/https://evil.example',
    '/;@evil.example',
    '//evil.example//',
    '/docs//evil.example',
    '/api//evil.example/..',
    '/assets//evil.example',
    '/?next=https://evil.example',
    '/sign-in?next=//evil.example',
    '/console?redirect=https://evil.example',
  ]) {
    test(path, async () => {
      const said = await sendRaw(
        url,
        `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      );
      assert.doesNotMatch(said, /^location:/im);
      assert.doesNotMatch(said, /^refresh:/im);
    });
  }
});
