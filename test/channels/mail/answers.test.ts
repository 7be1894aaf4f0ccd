import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { freePort } from '../../../bench/support/wait.ts';
import { mailChannel } from '../../../server/channels/mail/channel.ts';
import { smsChannel } from '../../../server/channels/sms/channel.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newAddress, startMail } from './campaign-support.ts';

/* Answers to mails: they come to a signed address, once, into the conversation with whom the mail went to. */

const port = await freePort();
const mail = await startMail({ MAIL_BOUNCE_PORT: String(port), MAIL_INBOUND_DOMAIN: 'in.shop.example' });
const { service, v1 } = mail;
const { sql, demo } = service;
const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });

interface Item {
  readonly kind: string;
  readonly channel: string | null;
  readonly type: string | null;
  readonly text: string | null;
  readonly reply_to: string | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly unreadable: string | null;
}
interface Conversation {
  readonly id: string;
  readonly state: string;
  readonly unread: number;
}

/** A mail that arrived at a new address, and where answers to it go. */
async function arrived(more: Record<string, unknown> = {}) {
  const address = newAddress();
  await mail.finished(await mail.send([await mail.list([{ email: address }])], more));
  const received = await waitFor('the mail has arrived', async () => (await mail.mailbox(address))[0]);
  return { address, received, replyTo: received.headers['reply-to'] ?? '' };
}
const conversationOf = async (address: string): Promise<Conversation | undefined> => {
  const { body } = await v1('GET', `conversations?search=${encodeURIComponent(address)}`);
  return (body.conversations as Conversation[])[0];
};
async function timelineOf(address: string): Promise<Item[]> {
  const { id } = (await conversationOf(address))!;
  const { status, body } = await v1('GET', `conversations/${id}/timeline`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Item[];
}
const rowsFrom = (address: string) => sql<
  { subject: string; body: string; automatic: string | null; from_address: string; raw: Buffer | null }[]
>`
  SELECT subject, body, automatic, from_address, raw FROM mail_incoming
  WHERE account_id = ${demo.id} AND client = ${address} ORDER BY id`;

test('an answer of a mail program comes into the conversation, once, and is answered as a mail', async () => {
  const { address, received, replyTo } = await arrived();
  assert.match(replyTo, /^r-[a-z2-7]{50}@in\.shop\.example$/);
  const answer = {
    from: { name: 'Dana', address },
    to: replyTo,
    subject: `Re: ${received.subject}`,
    messageId: '<answer-1@example.com>',
    inReplyTo: received.headers['message-id']!,
    text: 'Is it open today?\r\n\r\nOn Mon, 1 Jun 2026 at 10:00, The shop wrote:\r\n> Hello friend\r\n',
    html: '<p>Is it open today?</p><script>alert(1)</script>',
    attachments: [{ filename: 'list.pdf', content: 'x' }],
  };
  await Promise.all([transport.sendMail(answer), transport.sendMail(answer)]);
  await transport.sendMail(answer);
  const conversation = (await conversationOf(address))!;
  assert.deepEqual([conversation.state, conversation.unread], ['open', 1]);
  const [item, sent] = await timelineOf(address);
  assert.deepEqual(
    [item!.kind, item!.channel, item!.type, item!.text],
    ['received', 'mail', 'mail', 'Is it open today?'],
  );
  const { subject, from, attachments, automatic, html, whole_text: whole } = item!.content!;
  assert.deepEqual(
    [subject, from, attachments, automatic],
    ['Re: Hello friend', address, ['list.pdf'], null],
  );
  assert.match(String(html), /Is it open today/);
  assert.match(String(whole), /> Hello friend/);
  assert.equal(sent!.kind, 'sent');
  assert.match(sent!.text!, /^Hello friend\n/);

  const replied = await v1('POST', `conversations/${conversation.id}/replies`, { text: 'Until {{eight}}.' });
  assert.ok(replied.status < 300, JSON.stringify(replied.body));
  const reply = await waitFor('the reply has arrived', async () =>
    (await mail.mailbox(address)).find(({ text }) => text.startsWith('Until')),
  );
  assert.equal(reply.text.trim(), 'Until {{eight}}.');
  assert.deepEqual(
    [reply.subject, reply.headers['in-reply-to'], reply.headers.references],
    ['Re: Hello friend', '<answer-1@example.com>', '<answer-1@example.com>'],
  );
  assert.match(reply.from, /news@shop\.example/);
  // An answer to the reply comes to the same conversation.
  await transport.sendMail({
    ...answer,
    to: reply.headers['reply-to']!,
    messageId: '<answer-2@example.com>',
    text: 'Thanks',
  });
  assert.deepEqual(
    (await timelineOf(address)).map(({ kind, text }) => [kind, text!.split('\n')[0]]),
    [
      ['received', 'Thanks'],
      ['sent', 'Until {{eight}}.'],
      ['received', 'Is it open today?'],
      ['sent', 'Hello friend'],
    ],
  );
});

test('who answers cannot be somebody else: the client is whom the mail went to', async () => {
  const { address, replyTo } = await arrived();
  await transport.sendMail({ from: 'boss@other.example', to: replyTo, subject: 'Hi', text: 'It is me' });
  const rows = await rowsFrom(address);
  assert.deepEqual(
    rows.map(({ from_address, body }) => [from_address, body]),
    [['boss@other.example', 'It is me']],
  );
  assert.equal(await conversationOf('boss@other.example'), undefined);
});

test('programs that answer are marked, open no conversation, and stop each other', async () => {
  const { address, replyTo } = await arrived();
  const send = (more: object, envelope?: string) =>
    transport.sendMail({
      ...{ from: address, to: replyTo, subject: 'Re: Hello', text: 'I am away' },
      ...(envelope !== undefined && { envelope: { from: envelope, to: replyTo } }),
      ...more,
    });
  await send({ headers: { 'Auto-Submitted': 'auto-replied' } });
  await send({ headers: { 'X-Autoreply': 'yes' } });
  await send({ headers: { Precedence: 'auto_reply' } });
  await send({ headers: { 'List-Id': '<list.example>' } });
  await send({ subject: 'Automatic reply: Hello' });
  await send({ subject: 'תשובה אוטומטית: שלום' });
  await send({ from: 'no-reply@example.com' });
  await send({}, '');
  const automatic = async () => (await rowsFrom(address)).map((row) => row.automatic);
  const causes = [
    'auto-submitted',
    'auto-response',
    'precedence',
    'list',
    'subject',
    'subject',
    'no-sender',
    'no-sender',
  ];
  assert.deepEqual(await automatic(), causes);
  assert.equal(await conversationOf(address), undefined);
  for (let count = causes.length; count < 20; count++) await send({ text: `Again ${count}` });
  assert.equal((await conversationOf(address))!.unread, 20 - causes.length);
  await send({ text: 'One too many' });
  assert.equal((await automatic()).at(-1), 'too-many');
  assert.equal((await conversationOf(address))!.unread, 20 - causes.length);
});

test('what cannot be read is kept as it came', async () => {
  const { address, replyTo } = await arrived();
  const raw = `Subject: x\r\n${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(40)}`;
  await transport.sendMail({ envelope: { from: address, to: replyTo }, raw });
  const [row] = await rowsFrom(address);
  assert.match(row!.raw!.toString(), /^Subject: x/);
  const [item] = await timelineOf(address);
  assert.match(Buffer.from(item!.unreadable!, 'hex').toString(), /^Subject: x/);
});

test('other addresses, forged ones, and answers to mails that are forgotten are refused', async () => {
  const { address, received, replyTo } = await arrived();
  const token = replyTo.slice(2, replyTo.indexOf('@'));
  const id = /^<([a-z2-7]+)@/.exec(received.headers['message-id']!)![1]!;
  const refused = (to: string) =>
    assert.rejects(transport.sendMail({ from: address, to, subject: 'x', text: 'x' }), { responseCode: 550 });
  await refused('news@in.shop.example');
  await refused(`r-${id}@in.shop.example`);
  await refused(`r-${token}@other.example`);
  await refused(`r-${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}@in.shop.example`);
  // As when the time is over for which messages are kept.
  const move = (from: number, to: number) => sql`
    UPDATE messages SET channel = ${to} WHERE account_id = ${demo.id} AND recipient = ${address} AND channel = ${from}`;
  await move(mailChannel.id, smsChannel.id);
  await refused(replyTo);
  await move(smsChannel.id, mailChannel.id);
  assert.deepEqual([...(await rowsFrom(address))], []);
});

test('a mail keeps its own Reply-To', async () => {
  assert.equal((await arrived({ reply_to: 'desk@shop.example' })).replyTo, 'desk@shop.example');
});

test('the reader of a simulated mailbox answers, by hand and by a program', async () => {
  const { address, received } = await arrived();
  const answer = (id: string, body: object) => v1('POST', `sandbox/mailboxes/${address}/${id}/answers`, body);
  const { status, body } = await answer(received.id, { text: 'Yes, please' });
  assert.deepEqual([status, body.to], [200, received.headers['reply-to']]);
  assert.equal((await timelineOf(address))[0]!.text, 'Yes, please');
  assert.equal((await answer(received.id, { text: 'I am away', automatic: true })).status, 200);
  assert.deepEqual(
    (await rowsFrom(address)).map(({ automatic }) => automatic),
    [null, 'auto-submitted'],
  );
  assert.equal((await answer('mail-0', { text: 'x' })).status, 404);
  assert.equal((await answer(received.id, { text: '' })).status, 400);
  // Nobody reads answers to the shop itself.
  const other = await arrived({ reply_to: 'desk@shop.example' });
  assert.equal(
    (await v1('POST', `sandbox/mailboxes/${other.address}/${other.received.id}/answers`, { text: 'x' }))
      .status,
    400,
  );
});
