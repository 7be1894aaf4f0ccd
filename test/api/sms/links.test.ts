import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { follow } from '../../engine/links/support.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Content, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Short links and removal in messages (interface, B1: `links`, `add_unsubscribe`), in both forms. */
const service = await startTestService({ settings: { SHORT_LINK_DOMAIN: 'https://go.example' } });
const { sql, demo } = service;

const link = (id: string | number, url: string) => ({ $: { id }, _: url });

/** The text that arrived at a phone, once it has. */
async function arrived(phone: string): Promise<string> {
  const [message] = await waitFor('it arrives', async () => {
    const messages = await service.phone(phone);
    return messages.length > 0 && messages;
  });
  return message!.text;
}

/** Follows a short address of a message at the service. */
const at = (address: string) => `${service.url}${new URL(address).pathname}`;
const addressesIn = (text: string) => text.match(/https:\/\/go\.example\/[lu]\/[0-9A-Za-z]{7}/g) ?? [];

const isBlacklisted = async (phone: string) =>
  (await sql`SELECT 1 FROM blacklist WHERE account_id = ${demo.id} AND phone = ${stored(phone)}`).length ===
  1;

for (const form of forms) {
  const send = (content: Content, root = 'sms') =>
    service.call(form, root, root === 'sms' ? { source: 'Shop', ...content } : content);

  async function refused(content: Content, status: number, field: RegExp, root = 'sms') {
    const before = await countEverything(sql);
    const whole =
      root === 'sms' ? { source: 'Shop', destinations: { phone: newPhone() }, ...content } : content;
    for (const path of ['/api', '/api/test']) {
      const answer = await service.call(form, root, whole, { path });
      assert.equal(answer.status, status, `${path}: ${answer.message}`);
      assert.match(answer.message, field);
    }
    assert.deepEqual(await countEverything(sql), before);
  }

  test(
    `${form}: every recipient gets short links of their own, which lead to their targets and are counted`,
    covers('B1.links', 'texts.short links'),
    async () => {
      const phones = newPhones(2);
      const answer = await send({
        destinations: { phone: phones },
        message: 'See [link-a], [link-b] or [link-a]',
        links: { link: [link('a', 'https://example.com/a?x=1'), link('b', 'https://example.org/b')] },
      });
      assert.equal(answer.status, 0, answer.message);
      const seen = new Set<string>();
      for (const phone of phones) {
        const text = await arrived(phone);
        const addresses = addressesIn(text);
        assert.match(text, /^See \S+, \S+ or \S+$/);
        assert.deepEqual([addresses.length, addresses[0]], [3, addresses[2]]);
        for (const address of addresses.slice(0, 2)) {
          assert.ok(!seen.has(address));
          seen.add(address);
        }
        const answers = await Promise.all(addresses.slice(0, 2).map((address) => follow(at(address))));
        assert.deepEqual(
          answers.map((one) => one.headers.get('location')),
          ['https://example.com/a?x=1', 'https://example.org/b'],
        );
      }
      await waitFor('the clicks are counted', async () => {
        const [row] = await sql`
        SELECT count(*)::int AS n FROM clicks WHERE shipment_id = ${Number(answer.fields.shipment_id)}`;
        return row!.n === 4;
      });
    },
  );

  test(
    `${form}: parts and price are those of the text with its short links`,
    covers('B1.links.price'),
    async () => {
      const phone = newPhone();
      const before = await service.balance();
      // 140 characters and `https://go.example/l/1234567` make 168: two parts.
      const message = `${'x'.repeat(139)} [link-1]`;
      const answer = await send({
        destinations: { phone },
        message,
        links: { link: link(1, `https://example.com/${'long/'.repeat(100)}`) },
      });
      assert.equal(answer.status, 0, answer.message);
      assert.equal(await service.balance(), before - 2);
      assert.equal((await arrived(phone)).length, 168);
    },
  );

  test(
    `${form}: links that do not match their text, or are no addresses, are refused`,
    covers('B1.links.refused', 'status.980'),
    async () => {
      const one = { link: link('a', 'https://example.com') };
      await refused({ message: 'no place for it', links: one }, 980, /^links\.link/);
      await refused({ message: '[link-a] [link-b]', links: one }, 980, /^links\.link/);
      await refused({ message: '[link-a]' }, 980, /^links\.link/);
      await refused({ message: '[link-a]', links: { link: [one.link, one.link] } }, 980, /^links\.link/);
      await refused({ message: '[link-a]', links: { link: 'https://example.com' } }, 980, /^links\.link\.id/);
      for (const url of ['example.com', 'javascript:alert(1)', 'ftp://example.com', 'https://a@b.example']) {
        await refused({ message: '[link-a]', links: { link: link('a', url) } }, 980, /^links\.link/);
      }
      const entry = { source: 'Shop', destinations: { phone: newPhone() }, message: '[link-a]' };
      await refused({ messages: { sms: [entry] } }, 980, /^messages\.sms\[0\]\.links/, 'bulk');
    },
  );

  test(`${form}: links that make the text too long`, covers('B1.links.price'), async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index);
    await refused(
      {
        message: ids.map((id) => `[link-${id}]`).join(''),
        links: { link: ids.map((id) => link(id, 'https://example.com')) },
      },
      989,
      /^message/,
    );
  });

  test(
    `${form}: add_unsubscribe 3 appends a removal link in the text's language, which removes at a press`,
    covers('B1.add_unsubscribe.link', 'texts.removal.link'),
    async () => {
      for (const [message, words] of [
        ['שלום', 'להסרה'],
        ['Hello', 'Unsubscribe'],
        ['مرحبا', 'لإلغاء'],
        ['Привет', 'Отписаться'],
      ] as const) {
        const phone = newPhone();
        await send({ destinations: { phone }, message, add_unsubscribe: 3 });
        const text = await arrived(phone);
        assert.ok(text.startsWith(`${message}\n${words}`), text);
        const [address] = addressesIn(text);
        assert.match(address!, /\/u\//);
        const page = await follow(at(address!));
        assert.equal(page.status, 200);
        assert.equal(await isBlacklisted(phone), false);
        await follow(at(address!), { method: 'POST' });
        assert.equal(await isBlacklisted(phone), true);
      }
    },
  );

  test(
    `${form}: add_unsubscribe 2 says what to reply, and the reply removes`,
    covers('B1.add_unsubscribe.reply', 'texts.removal.reply'),
    async () => {
      for (const [message, words, reply] of [
        ['שלום', 'להסרה השיבו הסר', 'הסר'],
        ['Hello', 'Reply STOP to unsubscribe', 'STOP'],
        ['مرحبا', 'لإلغاء الاشتراك أرسل احذف', 'احذف'],
        ['Привет', 'Для отписки ответьте стоп', 'стоп'],
      ] as const) {
        const phone = newPhone();
        const source = '0500009999';
        await send({ source, destinations: { phone }, message, add_unsubscribe: 2 });
        assert.equal(await arrived(phone), `${message}\n${words}`);
        await service.sendFromPhone(phone, source, reply);
        await waitFor('it is removed', () => isBlacklisted(phone));
      }
    },
  );

  test(`${form}: other values append nothing`, covers('B1.add_unsubscribe.other'), async () => {
    for (const value of ['', 0, 1, 4, 'x']) {
      const phone = newPhone();
      await send({ destinations: { phone }, message: 'Hello', add_unsubscribe: value });
      assert.equal(await arrived(phone), 'Hello');
    }
  });

  test(
    `${form}: bulk: each message has its own links, and all have their removal link`,
    covers('B2.links'),
    async () => {
      const [first, second] = newPhones(2) as [string, string];
      const answer = await send(
        {
          messages: {
            sms: [
              {
                source: 'Shop',
                destinations: { phone: first },
                message: 'One [link-1]',
                links: { link: link(1, 'https://one.example') },
              },
              {
                source: 'Shop',
                destinations: { phone: second },
                message: 'Two [link-1]',
                links: { link: link(1, 'https://two.example') },
              },
            ],
          },
          add_unsubscribe: 3,
        },
        'bulk',
      );
      assert.equal(answer.status, 0, answer.message);
      for (const [phone, url] of [
        [first, 'https://one.example/'],
        [second, 'https://two.example/'],
      ] as const) {
        const [short, removal] = addressesIn(await arrived(phone));
        assert.equal((await follow(at(short!))).headers.get('location'), url);
        assert.match(removal!, /\/u\//);
      }
    },
  );

  test(`${form}: lists, fields, links and removal together`, covers('B1.together'), async () => {
    const [dana, other] = newPhones(2) as [string, string];
    const made = await service.call(form, 'newCL', {
      cl: {
        name: 'all',
        destinations: { destination: [{ phone: dana, df1: 'Dana' }, { phone: other }] },
      },
    });
    const answer = await send({
      destinations: { cl_id: (made.fields.identifiers as string[])[0] },
      message: 'Hi [DYNAMIC_FIELD1], see [link-1]',
      add_dynamic: 1,
      add_unsubscribe: 3,
      links: { link: link(1, 'https://example.com/sale') },
    });
    assert.equal(answer.status, 0, answer.message);
    const texts = [await arrived(dana), await arrived(other)];
    assert.match(texts[0]!, /^Hi Dana, see https:\S+\nUnsubscribe: https:\S+$/);
    assert.match(texts[1]!, /^Hi , see https:\S+\nUnsubscribe: https:\S+$/);
    const [short, removal] = addressesIn(texts[0]!);
    assert.equal((await follow(at(short!))).headers.get('location'), 'https://example.com/sale');
    await follow(at(removal!), { method: 'POST' });
    assert.deepEqual([await isBlacklisted(dana), await isBlacklisted(other)], [true, false]);
  });

  test(`${form}: a blocked recipient takes no code`, covers('B1.links'), async () => {
    const [blocked, other] = newPhones(2) as [string, string];
    await service.call('json', 'addNumBL', { phones: { phone: blocked } });
    const answer = await service.call(form, 'sms', {
      source: 'Shop',
      destinations: { phone: [blocked, other] },
      message: 'See [link-1]',
      links: { link: link(1, 'https://example.com') },
    });
    const rows =
      await sql`SELECT message_id FROM link_codes WHERE shipment_id = ${Number(answer.fields.shipment_id)}`;
    assert.equal(rows.length, 1);
  });
}
