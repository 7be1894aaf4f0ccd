import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { CONFIRMATION_MS } from '../../../server/channels/mail/confirmation.ts';
import { compileContent } from '../../../server/channels/mail/content.ts';
import type { Outbox, SingleMail } from '../../../server/channels/mail/outbox.ts';
import { mailPages } from '../../../server/channels/mail/pages/mail.ts';
import { write } from '../../../server/channels/mail/placeholders.ts';
import { removalFields } from '../../../server/channels/mail/removal.ts';
import { maintainPartitions } from '../../../server/database/partitions.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { covers } from '../../conformance/covers.ts';
import { atEnd } from '../../support/database.ts';
import { tables } from '../../support/tables.ts';
import { BASE, createMailBench, given } from './support.ts';

const bench = await createMailBench();
const { sql, clock, lists, users, additions, removals, listWork, accounts, accountId, newList, counts } =
  bench;

/** Takes mails as the one that sends does: with the transaction that they are submitted in. */
const outbox = {
  mails: [] as SingleMail[],
  async add(tx, { accountId: id }, mails) {
    await tx`SELECT 1 FROM accounts WHERE id = ${id}`;
    this.mails.push(...mails);
  },
  notifyDispatcher() {},
} satisfies Outbox & { mails: SingleMail[] };
const confirmations = bench.confirmations(outbox);
const app = fastify({ routerOptions: { maxParamLength: 500 } });
await app.register(mailPages, { removals, confirmations, accounts, log: createLogger('silent') });
atEnd(() => app.close());

const path = (link: string) => link.slice(BASE.length);
const look = (link: string, language = 'en') =>
  app.inject({ method: 'GET', url: path(link), headers: { 'accept-language': language } });
const press = (link: string, payload = '', type = 'application/x-www-form-urlencoded') =>
  app.inject({ method: 'POST', url: path(link), payload, headers: { 'content-type': type } });
let last = 0;
const newAddress = () => `person${++last}@example.com`;
const causesOf = async (id: number) =>
  (await bench.happened()).filter(({ data }) => data.user_id === id).map(({ data }) => data.cause);

async function newUser(list?: number) {
  const address = newAddress();
  const [id] = await additions.add(accountId, [list ?? (await newList())], [given(address)]);
  return { id: id!, address, link: removals.linkFor({ accountId, userId: id!, address, campaignId: 17 }) };
}
const statusOf = async (id: number) => (await users.find(accountId, id))?.status;

describe('removal', () => {
  test(
    'looking at the page changes nothing, the press of its button removes, once',
    covers('mailingLists.page'),
    async () => {
      const list = await newList();
      const { id, address, link } = await newUser(list);
      for (const [language, direction, words] of [
        ['en', 'ltr', 'Unsubscribe'],
        ['he', 'rtl', 'הסירו אותי'],
        ['ar', 'rtl', 'إيقاف الرسائل'],
        ['ru', 'ltr', 'Отписаться'],
      ] as const) {
        const page = await look(link, language);
        assert.equal(page.statusCode, 200);
        assert.ok(page.body.includes(`lang="${language}" dir="${direction}"`));
        assert.ok(page.body.includes(words) && page.body.includes('<bdi>The shop</bdi>'));
      }
      assert.equal(await statusOf(id), 'active');
      for (let times = 0; times < 3; times++) {
        const page = await press(link);
        assert.deepEqual([page.statusCode, page.body.includes('role="status"')], [200, true]);
      }
      assert.equal(await statusOf(id), 'removed');
      assert.deepEqual(
        (await bench.happened()).filter(({ data }) => data.user_id === id),
        [
          {
            type: 'mail.unsubscribed',
            at: (await users.find(accountId, id))!.statusAt,
            data: { user_id: id, email: address, campaign_id: 17, cause: 'page' },
          },
        ],
      );
      assert.ok((await look(link)).body.includes('You are unsubscribed'));
      assert.deepEqual(await counts(list), [1, 0]);
    },
  );

  test('the page names the account, the address and the list, and its button undoes the removal', async () => {
    const list = await newList();
    const { id, address, link } = await newUser(list);
    const asked = await look(link);
    assert.ok(asked.body.includes('<span class="mark" aria-hidden="true">T</span><bdi>The shop</bdi>'));
    assert.ok(asked.body.includes(`<dt>Email address</dt><dd><bdi>${address}</bdi></dd>`));
    const removed = await press(link);
    assert.match(removed.body, /name="undo" value="1">Undo</);
    const other = await app.inject({
      method: 'POST',
      url: path(link),
      payload: 'undo=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    });
    assert.ok(other.body.includes('You are unsubscribed'));
    assert.equal(await statusOf(id), 'removed');
    const undone = await press(link, 'undo=1');
    assert.ok(undone.body.includes('You are subscribed again'));
    assert.equal(await statusOf(id), 'active');
    assert.deepEqual(await counts(list), [1, 1]);
  });

  test('a complaint is not undone', async () => {
    const { id, link } = await newUser();
    await users.setStatus(accountId, [id], 'complained', { cause: 'complaint' });
    await press(link, 'undo=1');
    assert.equal(await statusOf(id), 'complained');
  });

  test(
    'one click in a mail program (RFC 8058), as a form of either sort',
    covers('mailingLists.one-click'),
    async () => {
      const boundary =
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
      for (const [body, type] of [
        ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
        [boundary, 'multipart/form-data; boundary=x'],
      ] as const) {
        const { id, link } = await newUser();
        assert.equal(removalFields['List-Unsubscribe'](link), `<${link}>`);
        assert.equal(removalFields['List-Unsubscribe-Post'](), 'List-Unsubscribe=One-Click');
        const answer = await press(link, body, type);
        assert.equal(answer.statusCode, 200, 'no redirect: mail programs do not follow one');
        assert.deepEqual([await statusOf(id), await causesOf(id)], ['removed', ['one-click']]);
      }
    },
  );

  test('concurrent presses are one removal', covers('mailingLists.page'), async () => {
    const { id, link } = await newUser();
    const pages = await Promise.all(Array.from({ length: 10 }, () => press(link)));
    assert.ok(pages.every((page) => page.statusCode === 200));
    assert.deepEqual(await causesOf(id), ['page']);
  });

  test('a user who is no longer in any list is remembered as removed', async () => {
    const list = await newList();
    const { id, address, link } = await newUser(list);
    await lists.empty(accountId, [list]);
    await listWork.run();
    assert.equal(await statusOf(id), undefined);
    await press(link);
    await additions.add(accountId, [list], [given(address.toUpperCase())]);
    assert.deepEqual(await counts(list), [1, 0]);
    assert.equal((await users.byAddress(accountId, address))!.status, 'removed');
  });

  test(
    'codes that are not ours, cut, changed, or for something else',
    covers('mailingLists.page'),
    async () => {
      const { id, link } = await newUser();
      const code = link.split('/').at(-1)!;
      const other = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
      for (const wrong of [
        'x',
        code.slice(0, -1),
        `${code}A`,
        other,
        code.replace(/.$/, '-'),
        '%00',
        'x'.repeat(400),
      ]) {
        if (wrong === code) continue;
        const target = `${BASE}/mail/remove/${wrong}`;
        for (const answer of [await look(target), await press(target)])
          assert.equal(answer.statusCode, 404, wrong);
      }
      assert.equal((await press(`${BASE}/mail/confirm/${code}`)).statusCode, 404);
      assert.equal(await statusOf(id), 'active');
      assert.doesNotMatch(Buffer.from(code, 'base64url').toString('latin1'), /person|example/);
    },
  );

  test('the longest address has a code that the page takes', async () => {
    const address = `${'x'.repeat(64)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.com`;
    const [id] = await additions.add(accountId, [await newList()], [given(address)]);
    const link = removals.linkFor({ accountId, userId: id!, address, campaignId: Number.MAX_SAFE_INTEGER });
    assert.equal((await press(link)).statusCode, 200);
    assert.equal(await statusOf(id!), 'removed');
  });

  test('a removal is from one account and not from another', covers('mailingLists.page'), async () => {
    const other = await bench.newAccount('other');
    const address = newAddress();
    const theirs = (await lists.create(other, { name: 'theirs' })).id;
    const [otherId] = await additions.add(other, [theirs], [given(address)]);
    const [id] = await additions.add(accountId, [await newList()], [given(address)]);
    await press(removals.linkFor({ accountId, userId: id!, address, campaignId: null }));
    assert.equal((await users.find(other, otherId!))!.status, 'active');
  });
});

describe('confirmation', () => {
  test(
    'who is added waits, gets one mail, and is active after the press',
    covers('mailingLists.confirmation'),
    async () => {
      const list = await newList({ confirm: true, name: 'העלון החודשי שלנו {account}' });
      const { id, address } = await newUser(list);
      assert.deepEqual(await counts(list), [1, 0]);
      assert.deepEqual(await users.page(sql, accountId, list, 0, 10), []);
      outbox.mails.length = 0;
      await confirmations.run();
      await confirmations.run();
      await additions.add(accountId, [list], [given(address)]);
      await confirmations.run();
      assert.equal(outbox.mails.length, 1);
      const [mail] = outbox.mails;
      assert.deepEqual([mail!.to, mail!.userId], [address, id]);
      assert.deepEqual(mail!.fields, { account: 'The shop', list: 'העלון החודשי שלנו {account}' });
      const { subject, html, text } = compileContent({
        ...mail!,
        from: { name: '', address: 'from@example.com' },
        replyTo: null,
        links: [],
        language: 'he',
        removable: false,
        literal: false,
      });
      const values = (name: string) =>
        name === mail!.secret!.name ? mail!.secret!.value : mail!.fields[name];
      assert.equal(write(subject, values), 'אישור הרשמה: העלון החודשי שלנו {account}');
      const link = confirmations.linkFor(
        accountId,
        (await sql`SELECT filling_id FROM mail_lists WHERE id = ${list}`)[0]!.filling_id,
        id,
      );
      const written = [write(html!, values), write(text!, values)];
      assert.ok(written.every((one) => one.includes(link)) && written[0]!.includes('dir="rtl"'));
      assert.ok(
        !`${mail!.text}${mail!.html}${mail!.subject}`.includes(link),
        'the link is a field that is sealed',
      );

      assert.ok((await look(link)).body.includes('Confirm your subscription'));
      assert.deepEqual(await counts(list), [1, 0]);
      for (let times = 0; times < 2; times++) {
        assert.ok((await press(link)).body.includes('You are subscribed'));
        assert.deepEqual(await counts(list), [1, 1]);
      }
      assert.equal((await users.find(accountId, id))!.heard, true);
      const said = await bench.consents.list(accountId, { limit: 10, subject: address });
      assert.deepEqual(
        said.map(({ channel, purpose, action, source }) => [channel, purpose, action, source]),
        [['mail', 'marketing', 'given', 'confirmation-link']],
        'once, however often they press',
      );
      assert.deepEqual(JSON.parse(said[0]!.evidence), {
        form: 'העלון החודשי שלנו {account}',
        language: 'en',
      });
    },
  );

  test('one who removed themselves gets no mail, and confirming brings them back in every list', async () => {
    const [list, plain] = [await newList({ confirm: true }), await newList()];
    const { id, link } = await newUser(list);
    await additions.add(accountId, [plain], [given((await users.find(accountId, id))!.address)]);
    await press(link);
    outbox.mails.length = 0;
    await confirmations.run();
    assert.equal(outbox.mails.length, 0);
    const [{ filling_id }] = (await sql`SELECT filling_id FROM mail_lists WHERE id = ${list}`) as [
      { filling_id: number },
    ];
    await press(confirmations.linkFor(accountId, filling_id, id));
    assert.deepEqual(
      [await counts(list), await counts(plain)],
      [
        [1, 1],
        [1, 1],
      ],
    );
  });

  test(
    'links end after 30 days, and with the list; who is added again later is asked again',
    covers('mailingLists.confirmation'),
    async () => {
      const list = await newList({ confirm: true });
      const { id, address } = await newUser(list);
      const [{ filling_id }] = (await sql`SELECT filling_id FROM mail_lists WHERE id = ${list}`) as [
        { filling_id: number },
      ];
      const link = confirmations.linkFor(accountId, filling_id, id);
      await confirmations.run();
      clock.advance(CONFIRMATION_MS + 1_000);
      await maintainPartitions(sql, clock.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
      await confirmations.cleanUp();
      assert.equal((await look(link)).statusCode, 404);
      outbox.mails.length = 0;
      await additions.add(accountId, [list], [given(address)]);
      await confirmations.run();
      assert.equal(outbox.mails.length, 1);
      assert.equal((await look(link)).statusCode, 200);
      await lists.empty(accountId, [list]);
      assert.equal((await press(link)).statusCode, 404);
      await listWork.run();
      assert.equal((await sql`SELECT 1 FROM mail_confirmations WHERE filling_id = ${filling_id}`).length, 0);
    },
  );

  test('deleting a user who waits leaves the counts right, and their link brings nothing back', async () => {
    const list = await newList({ confirm: true });
    const { id } = await newUser(list);
    const [{ filling_id }] = (await sql`SELECT filling_id FROM mail_lists WHERE id = ${list}`) as [
      { filling_id: number },
    ];
    await users.setStatus(accountId, [id], 'deleted', { cause: 'account' });
    await press(confirmations.linkFor(accountId, filling_id, id));
    assert.deepEqual([await counts(list), await statusOf(id)], [[1, 0], 'deleted']);
  });

  test('where no mails are sent, they wait', async () => {
    const list = await newList({ confirm: true });
    const { id } = await newUser(list);
    await bench.confirmations(undefined).run();
    assert.equal(
      (await sql`SELECT 1 FROM mail_confirmations WHERE user_id = ${id} AND due_at IS NOT NULL`).length,
      1,
    );
  });
});
