import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newAddress, startMail } from './campaign-support.ts';
import { Relay } from './relay.ts';

const relay = new Relay();
await relay.open();
const mail = await startMail({
  MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}?timeout=1`,
  MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
});
const { service, assertSpent } = mail;

/** Lets the pause before the next attempt be over. */
const passPause = () => service.advance(30);
const messageId = (raw: string) => /^Message-ID:\s+(<[^>]+>)/m.exec(raw)![1]!;
const listOf = (...addresses: string[]) => mail.list(addresses.map((email) => ({ email })));

test(
  'a recipient whom the relay refuses is not charged, and the address is suppressed',
  covers('mail.relay.5yz'),
  async () => {
    const [good, bad] = [newAddress(), newAddress()];
    relay.behave = (moment, to) => (moment === 'rcpt' && to === bad ? '550 5.1.1 no such user' : undefined);
    const list = await listOf(good, bad);
    const before = await service.balance();
    const { progress } = await mail.finished(await mail.send([list]));
    assert.deepEqual([progress.sent, progress.failed, progress.hard_bounces], [1, { '550 5.1.1': 1 }, 1]);
    await assertSpent(before, 0.1);
    const [user] = await service.sql<{ status: string; reason: string }[]>`
    SELECT status, status_reason AS reason FROM mail_users WHERE address = ${bad}`;
    assert.deepEqual({ ...user }, { status: 'bounced', reason: '550 5.1.1' });
  },
);

test(
  'A mail whose content is refused fails with the code, and its user stays',
  covers('mail.relay.5yz'),
  async () => {
    const address = newAddress();
    relay.behave = (moment) => (moment === 'end' ? '554 5.7.1 this is spam' : undefined);
    const { progress } = await mail.finished(await mail.send([await listOf(address)]));
    assert.deepEqual([progress.failed, progress.hard_bounces], [{ '554 5.7.1': 1 }, 0]);
    const [user] = await service.sql`SELECT status FROM mail_users WHERE address = ${address}`;
    assert.equal(user!.status, 'active');
  },
);

test(
  'A mail that the relay does not take now is tried again later, the others are not held up',
  covers('mail.relay.4yz'),
  async () => {
    const [now, later] = [newAddress(), newAddress()];
    let refused = 0;
    relay.behave = (moment, to) => {
      if (moment !== 'rcpt' || to !== later || refused > 0) return undefined;
      refused++;
      return '451 4.7.1 try again later';
    };
    const id = await mail.send([await listOf(now, later)]);
    await waitFor('the other is sent', () => relay.to(now).length === 1);
    await waitFor('it waits', async () => refused === 1 && (await mail.campaign(id)).progress.sent === 1);
    await waitFor('it is tried again', async () => {
      await passPause();
      return relay.to(later).length === 1;
    });
    assert.equal((await mail.finished(id)).progress.sent, 2);
  },
);

test(
  'A connection that ends in the middle of a mail, or before its answer, brings it again with the same Message-ID',
  covers('mail.relay.cut'),
  async () => {
    const [middle, end] = [newAddress(), newAddress()];
    const cut = new Set<string>();
    relay.behave = (moment, to) => {
      const isMoment = (to === middle && moment === 'body') || (to === end && moment === 'end');
      if (!isMoment || cut.has(to)) return undefined;
      cut.add(to);
      return 'close';
    };
    const raw: string[] = [];
    const id = await mail.send([await listOf(middle, end)]);
    await waitFor('both were cut off', () => cut.size === 2);
    await waitFor('both are tried again', async () => {
      await passPause();
      return relay.to(middle).length === 1 && relay.to(end).length === 1;
    });
    raw.push(...[middle, end].map((address) => relay.to(address)[0]!.raw));
    assert.equal((await mail.finished(id)).progress.sent, 2);
    const rows = await service.sql<{ phone: string; code: string | null }[]>`
    SELECT recipient AS phone, code FROM messages WHERE shipment_id = ${id} ORDER BY id`;
    assert.equal(rows.length, 2);
    for (const text of raw) assert.match(messageId(text), /^<[a-z2-7]{50}@bounces\.example\.com>$/);
  },
);

test(
  'An answer that is lost is the same mail to its reader: the second attempt has the Message-ID of the first',
  covers('mail.relay.cut'),
  async () => {
    const address = newAddress();
    const seen: string[] = [];
    let lost = false;
    relay.behave = (moment, to) => {
      if (to !== address || moment !== 'end' || lost) return undefined;
      lost = true;
      return 'hang';
    };
    const id = await mail.send([await listOf(address)]);
    await waitFor('the answer is lost', () => lost);
    await waitFor('it goes again', async () => {
      await passPause();
      return relay.to(address).length === 1;
    });
    const { progress } = await mail.finished(id);
    assert.equal(progress.sent, 1);
    const [row] = await service.sql<{ id: number }[]>`SELECT id FROM messages WHERE recipient = ${address}`;
    seen.push(relay.to(address)[0]!.from, messageId(relay.to(address)[0]!.raw));
    const [returnPath, id2] = seen as [string, string];
    assert.equal(`<${returnPath.slice(2)}>`, id2, `of message ${row!.id}`);
  },
);

test(
  'while the relay is down all mails wait, and each is sent once when it is back',
  covers('mail.relay.down'),
  async () => {
    relay.behave = () => undefined;
    await relay.close();
    const addresses = Array.from({ length: 30 }, () => newAddress());
    const id = await mail.send([await listOf(...addresses)]);
    await waitFor('its mails are made', async () => (await mail.campaign(id)).progress.waiting === 30);
    await relay.open();
    const { progress } = await mail.finished(id, 60_000);
    assert.deepEqual([progress.sent, progress.failed], [30, {}]);
    for (const address of addresses) assert.equal(relay.to(address).length, 1);
  },
);

test(
  'recipients who unsubscribe while a campaign is paused get no mail of it afterwards, and cost nothing',
  covers('mail.pause, resume'),
  async () => {
    relay.behave = () => undefined;
    await relay.close();
    const [stays, leaves] = [newAddress(), newAddress()];
    const list = await listOf(stays, leaves);
    const before = await service.balance();
    const id = await mail.send([list]);
    await waitFor('its mails are made', async () => (await mail.campaign(id)).progress.waiting === 2);
    assert.equal((await mail.v1('POST', `mail/campaigns/${id}/pause`)).body.state, 'paused');
    await waitFor('the dispatcher has none of them any more', async () => {
      const [row] = await service.sql`SELECT 1 FROM dispatch_batches WHERE lease_until > 0`;
      return !row;
    });
    await relay.open();
    const [user] = await service.sql<{ id: number }[]>`SELECT id FROM mail_users WHERE address = ${leaves}`;
    assert.equal((await mail.v1('POST', `mail/users/${user!.id}/status`, { status: 'removed' })).status, 200);
    assert.equal((await mail.v1('POST', `mail/campaigns/${id}/resume`)).body.state, 'running');
    const { progress } = await mail.finished(id, 60_000);
    assert.deepEqual([progress.sent, progress.failed], [1, { removed: 1 }]);
    assert.deepEqual([relay.to(stays).length, relay.to(leaves).length], [1, 0]);
    await assertSpent(before, 0.1);
  },
);

test(
  'mails wait for a relay that closes every connection or answers 421',
  covers('mail.relay.down'),
  async () => {
    for (const behaviour of ['close', '421 4.3.2 not now']) {
      let refusals = 0;
      relay.behave = (moment) => (moment === 'connect' && refusals++ < 3 ? behaviour : undefined);
      await relay.close();
      await relay.open();
      const address = newAddress();
      const { progress } = await mail.finished(await mail.send([await listOf(address)]), 60_000);
      assert.equal(progress.sent, 1, behaviour);
      assert.equal(relay.to(address).length, 1);
    }
  },
);

test(
  'Nothing that a user has in a field begins a header or another command',
  covers('mail.injection'),
  async () => {
    relay.behave = () => undefined;
    const evil = 'x\r\nBcc: everyone@example.com\r\n\r\n.\r\nMAIL FROM:<evil@example.com>';
    const address = newAddress();
    const list = await mail.list([{ email: address, first_name: 'Dana' }]);
    // The APIs of lists refuse such fields: here they are all the same.
    await service.sql`
    UPDATE mail_users SET send_fields = ${service.sql.json([['evil', evil]])}, last_name = ${evil}
    WHERE address = ${address}`;
    const fields = {
      subject: 'Hello {{evil}}',
      html: '<p title={{evil}}>{{evil}}</p>',
      text: '{{LastName}}',
    };
    await mail.finished(await mail.send([list], fields));
    const [arrived, ...more] = relay.to(address);
    assert.deepEqual(more, []);
    const [headers] = arrived!.raw.split('\r\n\r\n') as [string];
    assert.doesNotMatch(headers, /^bcc:/im);
    assert.match(headers, /^Subject: Hello x Bcc: everyone@example\.com/m);
    assert.deepEqual(
      relay.taken.filter(({ from, to }) => from.includes('evil') || to.includes('everyone')),
      [],
    );
  },
);

test(
  'Addresses of other scripts go out in the form that the relay takes, or are refused with a code',
  covers('mail.addresses'),
  async () => {
    relay.behave = () => undefined;
    const domain = await mail.finished(await mail.send([await listOf('dana@דואר.example')]));
    assert.equal(domain.progress.sent, 1);
    assert.equal(relay.taken.at(-1)!.to, 'dana@xn--4dbfg1f.example');
    const refused = await mail.finished(await mail.send([await listOf('דנה@example.com')]));
    assert.deepEqual(refused.progress.failed, { '553 5.6.7': 1 });
    await relay.close();
    relay.extensions = ['SMTPUTF8'];
    await relay.open();
    const taken = await mail.finished(await mail.send([await listOf('עומר@example.com')]));
    assert.equal(taken.progress.sent, 1);
    assert.equal(relay.to('עומר@example.com').length, 1);
  },
);
