import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { content, mailAt, newAddress, startMail, v1At } from './campaign-support.ts';

const mail = await startMail();
const { v1, service, assertSpent } = mail;

test(
  'A campaign to several lists brings each user one mail, with their fields, and ends with its event',
  covers('mail.send', 'mail.sandbox'),
  async () => {
    const [dana, omer, noa] = [newAddress(), newAddress(), newAddress()];
    const first = await mail.list([{ email: dana, first_name: 'Dana' }, { email: omer }]);
    const second = await mail.list([{ email: omer }, { email: noa, first_name: 'Noa & <b>Co</b>' }]);
    const before = await service.balance();
    const id = await mail.send([first, second], { name: 'Spring' });
    const campaign = await mail.finished(id);
    assert.equal(campaign.total, 3);
    assert.equal(campaign.progress.sent, 3);
    assert.deepEqual(campaign.progress.failed, {});
    await assertSpent(before, 0.3);

    const [mailOfDana, ...more] = await mail.mailbox(dana);
    assert.deepEqual(more, []);
    assert.equal(mailOfDana!.subject, 'Hello Dana');
    assert.equal(mailOfDana!.from, 'The shop <news@shop.example>');
    assert.match(mailOfDana!.text, /^Hello Dana\n\nUnsubscribe: http/);
    assert.match(mailOfDana!.html, /Hello Dana, <a href="http:[^"]*\/m\/c\/[a-z2-7]{50}">look<\/a>/);
    assert.deepEqual(Object.keys(mailOfDana!).sort(), [
      'at',
      'attachments',
      'bytes',
      'from',
      'headers',
      'html',
      'id',
      'subject',
      'text',
    ]);
    assert.equal(mailOfDana!.headers.to, dana);
    assert.deepEqual(await mail.mailbox(dana.toUpperCase()), [mailOfDana]);
    assert.deepEqual(await mail.mailbox('nobody@example.com'), []);
    assert.equal((await mail.mailbox(omer)).length, 1);
    const [mailOfNoa] = await mail.mailbox(noa);
    assert.match(mailOfNoa!.html, /Hello Noa &amp; &lt;b&gt;Co&lt;\/b&gt;,/);
    assert.equal(mailOfNoa!.subject, 'Hello Noa & <b>Co</b>');
  },
);

test(
  'Every mail has the headers of removal, and one POST to the link in them removes its user',
  covers('mailingLists.one-click'),
  async () => {
    const address = newAddress();
    const list = await mail.list([{ email: address }]);
    const id = await mail.send([list]);
    await mail.finished(id);
    const [arrived] = await mail.mailbox(address);
    assert.equal(arrived!.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    const link = /^<(http[^>]+)>$/.exec(arrived!.headers['list-unsubscribe']!)![1]!;
    const pressed = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(pressed.status, 200);
    assert.equal((await mail.campaign(id)).progress.removals, 1);
    const { returns, next } = (await v1('GET', `mail/campaigns/${id}/returns?kind=removal`))
      .body as unknown as {
      returns: { address: string; code: string }[];
      next: string | null;
    };
    assert.deepEqual([returns.map((row) => [row.address, row.code]), next], [[[address, 'one-click']], null]);
    const refused = await v1('POST', 'mail/campaigns', { ...content, lists: [list] });
    assert.equal(refused.body.error?.message, 'lists: these lists have no active users');
  },
);

test('A cancelled campaign sends nothing and gives its credit back', covers('mail.cancel'), async () => {
  const list = await mail.list([{ email: newAddress() }, { email: newAddress() }]);
  const before = await service.balance();
  const id = await mail.send([list], {
    at: new Date(service.appContext.clock.now() + 3_600_000).toISOString(),
  });
  await assertSpent(before, 0.2);
  const cancelled = await v1('POST', `mail/campaigns/${id}/cancel`);
  assert.deepEqual([cancelled.body.state, cancelled.body.cancelled], ['cancelled', 2]);
  await assertSpent(before, 0);
  const again = await v1('POST', `mail/campaigns/${id}/cancel`);
  assert.deepEqual([again.status, again.body.error?.code], [409, 'not-now']);
});

test(
  'The estimate and the preview tell what a campaign would be, and send nothing',
  covers('mail.test, preview, estimate'),
  async () => {
    const address = newAddress();
    const list = await mail.list([{ email: address, first_name: 'Dana', fields: { City: 'Haifa' } }]);
    const other = await mail.list([{ email: address }, { email: newAddress() }]);
    const estimate = await v1('POST', 'mail/campaigns/estimate', { ...content, lists: [list, other] });
    assert.deepEqual(
      [estimate.body.recipients, estimate.body.price, estimate.body.cost],
      [2, '0.1', '0.2'],
      JSON.stringify(estimate.body),
    );
    const preview = await v1('POST', 'mail/campaigns/preview', {
      ...content,
      text: '{{ city }} {{unknown|else}}',
      lists: [list],
    });
    assert.equal(preview.body.subject, 'Hello Dana');
    assert.equal(preview.body.text, 'Haifa else\n\nUnsubscribe: #\n');
    assert.match(String(preview.body.html), /Unsubscribe<\/a>/);
    assert.deepEqual(preview.body.fields, ['city', 'firstname', 'unknown']);
    assert.deepEqual([preview.body.address, preview.body.next], [address, null]);
    const first = await v1('POST', 'mail/campaigns/preview', { ...content, lists: [other] });
    assert.equal(first.body.address, address);
    const { body: second } = await v1('POST', 'mail/campaigns/preview', {
      ...content,
      lists: [other],
      after: first.body.next,
    });
    assert.notEqual(second.address, address);
    assert.equal(second.next, null);
    assert.deepEqual(await mail.mailbox(address), []);
  },
);

test(
  'A test goes to a few addresses with the fields of a user, and is no campaign',
  covers('mail.test, preview, estimate'),
  async () => {
    const [user, tester] = [newAddress(), newAddress()];
    const list = await mail.list([{ email: user, first_name: 'Dana' }]);
    const sent = await v1('POST', 'mail/campaigns/test', { ...content, lists: [list], to: [tester] });
    assert.deepEqual([sent.status, sent.body.mails], [202, 1]);
    const [arrived] = await waitFor('the test is there', async () => {
      const mails = await mail.mailbox(tester);
      return mails.length > 0 && mails;
    });
    assert.equal(arrived!.subject, 'Hello Dana');
    assert.equal(arrived!.headers['list-unsubscribe'], undefined);
    assert.match(arrived!.html, /href="https:\/\/example\.com\/spring\?a=1&amp;b=2"/);
    assert.deepEqual(await mail.mailbox(user), []);
    const { campaigns } = (await v1('GET', 'mail/campaigns')).body as unknown as {
      campaigns: { name: string }[];
    };
    assert.equal(campaigns.length > 0 && campaigns.every(({ name }) => name !== undefined), true);
  },
);

test(
  'opens and clicks are counted only if the list is configured for it',
  covers('mail.opens, clicks'),
  async () => {
    const [counted, uncounted] = [newAddress(), newAddress()];
    const [yes, no] = [
      await mail.list([{ email: counted }]),
      await mail.list([{ email: uncounted }], { track: false }),
    ];
    const id = await mail.send([yes, no]);
    await mail.finished(id);
    const [plain] = await mail.mailbox(uncounted);
    assert.doesNotMatch(plain!.html, /\/m\/[oc]\//);
    assert.match(plain!.html, /href="https:\/\/example\.com\/spring\?a=1&amp;b=2"/);
    const [arrived] = await mail.mailbox(counted);
    const image = /<img src="([^"]+\/m\/o\/[^"]+)"/.exec(arrived!.html)![1]!;
    const opened = await fetch(image);
    assert.equal(opened.headers.get('content-type'), 'image/gif');
    await opened.arrayBuffer();
    const link = /<a href="([^"]+\/m\/c\/[^"]+)"/.exec(arrived!.html)![1]!;
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
    const followed = await fetch(link, { redirect: 'manual', headers });
    assert.deepEqual(
      [followed.status, followed.headers.get('location')],
      [302, 'https://example.com/spring?a=1&b=2'],
    );
    await waitFor('both are counted', async () => {
      const { progress } = await mail.campaign(id);
      return progress.opened === 1 && progress.clicked === 1;
    });
    const forged = link.slice(0, -1) + (link.endsWith('a') ? 'b' : 'a');
    assert.equal((await fetch(forged, { redirect: 'manual' })).status, 404);
  },
);

test(
  'invalid campaigns are refused with the name of the field, and nothing is stored',
  covers('mail.injection'),
  async () => {
    const list = await mail.list([{ email: newAddress() }]);
    const campaign = { ...content, lists: [list] };
    const wrong: [field: string, body: Record<string, unknown>][] = [
      ['subject', { ...campaign, subject: '' }],
      ['subject', { ...campaign, subject: 'a\r\nBcc: everyone@example.com' }],
      ['subject', { ...campaign, subject: 'x'.repeat(251) }],
      ['text', { ...campaign, html: null, text: '' }],
      ['from.name', { ...campaign, from: { name: 'a\nTo: b@example.com', address: 'a@example.com' } }],
      ['from.address', { ...campaign, from: { name: '', address: 'a@example.com\r\nBcc: b@example.com' } }],
      ['from.address', { ...campaign, from: { name: '', address: 'a@example.com, b@example.com' } }],
      ['reply_to', { ...campaign, reply_to: 'a@example.com>\n' + 'Bcc: b@example.com' }],
      ['name', { ...campaign, name: 'x'.repeat(51) }],
      ['at', { ...campaign, at: 'tomorrow' }],
      ['lists', { ...campaign, lists: [] }],
      ['to', { ...campaign, to: ['nobody'] }],
    ];
    const count = async () => (await service.sql`SELECT count(*) AS n FROM shipments`)[0]!.n as string;
    const before = await count();
    for (const [field, body] of wrong) {
      const { status, body: answer } = await v1('POST', `mail/campaigns${'to' in body ? '/test' : ''}`, body);
      assert.equal(status, 400, `${field}: ${JSON.stringify(answer)}`);
      assert.equal((answer.error as { field?: string }).field, field, JSON.stringify(answer));
    }
    assert.equal((await v1('POST', 'mail/campaigns', { ...campaign, lists: [99] })).status, 404);
    assert.equal(await count(), before);
  },
);

test(
  'Credit that ends in the middle leaves the rest of the recipients with a reason, and the books in balance',
  covers('mail.credit'),
  async () => {
    const poor = await service.addAccount({ username: 'poor-mailer' }, 1);
    const own = mailAt(v1At(service.url, poor.token));
    const users = Array.from({ length: 10 }, () => ({ email: newAddress() }));
    const list = await own.list(users);
    const id = await own.send([list], {
      at: new Date(service.appContext.clock.now() + 3_600_000).toISOString(),
    });
    const more = await own.v1('POST', `mail/lists/${list}/users`, { users: [{ email: newAddress() }] });
    assert.equal(more.status, 200);
    await service.advance(3_600);
    const { progress } = await own.finished(id);
    assert.deepEqual([progress.sent, progress.failed], [10, { 'no-credit': 1 }]);
    const refused = await own.v1('POST', 'mail/campaigns', { ...content, lists: [list] });
    assert.deepEqual([refused.status, refused.body.error?.code], [402, 'no-credit']);
  },
);
