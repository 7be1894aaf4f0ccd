import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { type Content, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** `push_url` (decisions, "Extra operations that clients of the interface use"), in both forms. */
const service = await startTestService();
const closed = await startTestService({ settings: { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' } });
const { sql, demo } = service;
afterEach(() => assertBooksBalance(sql));

const received: { path: string; fields: Record<string, string> }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    received.push({ path: request.url!, fields: Object.fromEntries(new URLSearchParams(body)) });
    response.end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

for (const form of forms) {
  const register = (content: Content, path = '/api') => service.call(form, 'push_url', content, { path });

  test(
    `${form}: each type of push arrives at its registered address`,
    covers('operations.push_url', 'events.dlr', 'events.incoming, blacklist', 'events.registered'),
    async () => {
      const phone = newPhone();
      for (const type of ['dlr', 'incoming', 'blacklist']) {
        const answer = await register({ type, url: `${base}/${form}/${type}?key=a%20b` });
        assert.equal(answer.status, 0, answer.message);
        assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
      }
      const pushed = (type: string) =>
        waitFor(`the push of ${type}`, () =>
          received.find(
            ({ path, fields }) => path === `/${form}/${type}?key=a%20b` && fields.phone === phone,
          ),
        );
      const destinations = { phone: { $: { id: `id-${form}` }, _: phone } };
      assert.equal(
        (await service.call(form, 'sms', { source: 'Shop', destinations, message: 'Hi' })).status,
        0,
      );
      assert.equal((await pushed('dlr')).fields.external_id, `id-${form}`);
      await service.sendFromPhone(phone, '0550000001', 'Hello back');
      assert.equal((await pushed('incoming')).fields.message, 'Hello back');
      assert.equal((await service.call(form, 'addNumBL', { phones: { phone } })).status, 946);
      await pushed('blacklist');
    },
  );

  test(
    `${form}: what was never submitted is pushed too: a blocked phone, and a blocked contact of a list`,
    covers('events.dlr'),
    async () => {
      const [single, contact] = newPhones(2) as [string, string];
      const path = `/${form}/blocked`;
      await service.call(form, 'addNumBL', { phones: { phone: [single, contact] } });
      const made = await service.call(form, 'newCL', {
        cl: { name: 'blocked', destinations: { destination: { phone: contact } } },
      });
      assert.equal((await register({ type: 'dlr', url: `${base}${path}` })).status, 0);
      const [cl_id] = made.fields.identifiers as string[];
      const destinations = { phone: [single, newPhone()], cl_id };
      const sent = await service.call(form, 'sms', { source: 'Shop', destinations, message: 'Hi' });
      assert.equal(sent.status, 0, sent.message);
      for (const phone of [single, contact]) {
        const push = await waitFor('the push', () =>
          received.find((one) => one.path === path && one.fields.phone === phone),
        );
        assert.deepEqual(
          [push.fields.status, push.fields.shipment_id],
          ['201', String(sent.fields.shipment_id)],
        );
      }
    },
  );

  test(
    `${form}: an address that is registered already is 517, for its type and its account`,
    covers('operations.push_url.refused', 'status.517'),
    async () => {
      const url = `https://example.com/${form}`;
      const other = await service.addAccount({ username: `other-${form}` });
      assert.equal((await register({ type: 'dlr', url })).status, 0);
      const before = await countEverything(sql);
      for (const path of ['/api', '/api/test']) {
        for (const again of [url, `  ${url}#part `, url.replace('example', 'EXAMPLE')]) {
          const answer = await register({ type: 'dlr', url: again }, path);
          assert.equal(answer.status, 517, answer.message);
          assert.match(answer.message, /^url/);
        }
      }
      assert.deepEqual(await countEverything(sql), before);
      assert.equal((await register({ type: 'incoming', url })).status, 0);
      const theirs = await service.call(
        form,
        'push_url',
        { user: { username: other.username }, type: 'dlr', url },
        { token: other.token },
      );
      assert.equal(theirs.status, 0, theirs.message);
    },
  );

  test(
    `${form}: what cannot be used is status 2 and names the field`,
    covers('operations.push_url.refused'),
    async () => {
      const url = 'https://example.com/x';
      const refused: [Content, RegExp][] = [
        [{ type: 'webhook', url }, /^type/],
        [{ type: 'DLR', url }, /^type/],
        [{ type: 'toString', url }, /^type/],
        [{ url }, /^type: missing/],
        [{ type: 'dlr' }, /^url: missing/],
        [{ type: 'dlr', url: '' }, /^url: missing/],
        [{ type: 'dlr', url: 'example.com/x' }, /^url/],
        [{ type: 'dlr', url: 'ftp://example.com/x' }, /^url/],
        [{ type: 'dlr', url: 'javascript:alert(1)' }, /^url/],
        [{ type: 'dlr', url: 'https://user:secret@example.com/' }, /^url/],
        [{ type: 'dlr', url: `https://example.com/${'x'.repeat(2_000)}` }, /^url/],
      ];
      const before = await countEverything(sql);
      for (const [content, field] of refused) {
        for (const path of ['/api', '/api/test']) {
          const answer = await register(content, path);
          assert.equal(answer.status, 2, `${JSON.stringify(content)}: ${answer.message}`);
          assert.match(answer.message, field);
          assert.ok(!answer.message.includes('secret'));
        }
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: private addresses are refused outside of the sandbox, however they are spelled`,
    covers('operations.push_url.refused', 'events.public addresses'),
    async () => {
      const before = await countEverything(closed.sql);
      for (const host of [
        '127.0.0.1',
        'localhost',
        '0x7f.1',
        '[::ffff:10.0.0.1]',
        '169.254.169.254',
        '[::1]',
      ]) {
        const answer = await closed.call(form, 'push_url', { type: 'dlr', url: `http://${host}/` });
        assert.equal(answer.status, 2, host);
        assert.match(answer.message, /^url/);
      }
      assert.deepEqual(await countEverything(closed.sql), before);
    },
  );

  test(
    `${form}: a dry run registers nothing; an account has ten addresses of a type at most`,
    covers('operations.push_url.refused'),
    async () => {
      const { username, token } = await service.addAccount({ username: `many-${form}` });
      const add = (n: number, type = 'dlr', path = '/api') =>
        service.call(
          form,
          'push_url',
          { user: { username }, type, url: `https://example.com/${n}` },
          { token, path },
        );
      const before = await countEverything(sql);
      assert.equal((await add(0, 'dlr', '/api/test')).status, 0);
      assert.deepEqual(await countEverything(sql), before);
      for (let n = 1; n <= 10; n++) assert.equal((await add(n)).status, 0);
      for (const path of ['/api', '/api/test']) assert.equal((await add(11, 'dlr', path)).status, 511);
      assert.equal((await add(11, 'blacklist')).status, 0);
    },
  );

  test(`${form}: a parent registers for its subscriber`, covers('operations.push_url'), async () => {
    const parent = await service.addAccount({ username: `parent-${form}` });
    const child = await service.addAccount({ username: `child-${form}`, parentId: parent.id });
    const content = { user: { username: child.username }, type: 'dlr', url: 'https://example.com/child' };
    assert.equal((await service.call(form, 'push_url', content, { token: parent.token })).status, 0);
    const rows = await sql`SELECT account_id FROM event_endpoints WHERE url = ${content.url}`;
    assert.ok(rows.some((row) => row.account_id === child.id));
    assert.ok(rows.every((row) => row.account_id !== demo.id && row.account_id !== parent.id));
  });
}
