import assert from 'node:assert/strict';
import { createTransport } from 'nodemailer';
import { freePort } from '../../../bench/support/wait.ts';
import { mailChannel } from '../../../server/channels/mail/channel.ts';
import { runningLoops } from '../../../server/kit/loop.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { v1 } from '../../api/v1/support.ts';
import { newChatPhone, newClient, SOURCE, startChat } from '../../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { jpeg } from '../media/samples.ts';

export const DAY = 86_400;

/** A service with every channel, a webhook, and what finds a text in any of its tables. */
export async function startRetention(settings: Record<string, string> = {}) {
  const port = await freePort();
  const chat = await startChat({
    MAIL_BOUNCE_PORT: String(port),
    MAIL_INBOUND_DOMAIN: 'in.shop.example',
    ...settings,
  });
  const { url, sql, demo } = chat;
  const api = withToken(url, DEMO_TOKEN);
  const mail = mailAt(v1At(url));
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const receiver = await startReceiver();
  await api.post('/webhooks', {
    kind: 'webhook',
    url: receiver.url,
    types: ['sms.incoming', 'chat.message', 'message.received', 'message.status'],
  });

  // A part of a message is there for some milliseconds; this keeps what stood in its row.
  await sql.unsafe(`
    CREATE TABLE seen_parts AS TABLE incoming_parts WITH NO DATA;
    CREATE FUNCTION see_part() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen_parts SELECT NEW.*; RETURN NEW; END';
    CREATE TRIGGER see_part AFTER INSERT ON incoming_parts FOR EACH ROW EXECUTE FUNCTION see_part()`);
  const headed = await chat.addTemplate('headed', {
    header: { kind: 'text', text: 'Order {{1}}', sample: '1' },
  });

  /** Runs the jobs of retention, which otherwise come once an hour, and every 15 seconds. */
  async function runRetention(): Promise<void> {
    await Promise.all(
      runningLoops()
        .filter(({ owner }) => owner === 'retention')
        .map((loop) => loop.run()),
    );
  }

  /** Where a text is: every table, whatever the column, also as the bytes of one. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await sql<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;
    const bytes = Buffer.from(text).toString('hex');
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await sql`
        SELECT FROM ${sql(name)} t
        WHERE strpos(t::text, ${text}) > 0 OR strpos(t::text, ${bytes}) > 0 LIMIT 1`;
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  /** Everything that the account sent has ended, which is of a mail that it is submitted, and every event was delivered. */
  async function settled(): Promise<void> {
    await waitFor('everything has ended', async () => {
      const [open] = await sql`
        SELECT FROM messages
        WHERE account_id = ${demo.id} AND final_at IS NULL AND (handed_at IS NULL OR channel <> ${mailChannel.id})
        UNION ALL SELECT FROM event_queue WHERE account_id = ${demo.id}
        UNION ALL SELECT FROM campaigns WHERE account_id = ${demo.id} AND finished_at IS NULL LIMIT 1`;
      return open === undefined;
    });
  }

  const conversationOf = async (client: string) =>
    (await api.get<{ conversations: object[] }>(`/conversations?search=${encodeURIComponent(client)}`))
      .conversations[0];

  /** Brings a file to be sent, whose name has `word`; its id. */
  async function bring(word: string): Promise<string> {
    const answer = await v1(url, DEMO_TOKEN).post(`/media?kind=image&file_name=${word}.jpg`, jpeg(2_000));
    return ((await answer.json()) as { id: string }).id;
  }

  /** A client presses a button whose id has `word`, of a message that is sent with a send key. */
  async function press(word: string): Promise<void> {
    const client = await chat.writingClient();
    const replies = [{ id: `${word}-yes`, text: 'Yes' }];
    const body = { source: SOURCE, to: client, body: `${word} today?`, replies };
    const send = async () => {
      const answer = await api.fetch('POST', '/chat/buttons', body, { 'idempotency-key': `"${client}"` });
      return answer.json() as Promise<{ body: string }>;
    };
    const sent = await send();
    assert.equal(sent.body, body.body);
    // The answer is kept for a day, with what it says.
    assert.deepEqual(await send(), sent);
    const [message] = (await chat.arrived(client)) as [{ id: string }];
    await api.post(`/sandbox/phones/${client}/chat`, {
      to: SOURCE,
      message: message.id,
      button: `${word}-yes`,
    });
    await waitFor('the press is stored', async () => {
      const [pressed] = await sql`SELECT FROM chat_incoming WHERE client = ${client} AND type = 'button'`;
      return pressed;
    });
  }

  /** Sends and receives `word` over every channel, and waits until all of it has ended. */
  async function sayEverywhere(word: string) {
    const client = newClient();
    const sms = await api.post<{ shipment_id: string }>(
      '/sms',
      { source: 'Shop', message: `${word} one`, phones: newPhones(1) },
      202,
    );
    const links = [{ id: 'a', url: 'https://example.com/a' }];
    const bulk = await api.post<{ shipment_id: string }>(
      '/sms',
      { source: 'Shop', message: `${word} [link-a]`, links, phones: newPhones(3), campaign_name: 'Spring' },
      202,
    );
    const call = await api.post<{ shipment_id: string }>(
      '/sms',
      {
        source: 'Shop',
        message: `${word} aloud`,
        phones: newPhones(1),
        tts: { type: 4, voice: 'ymFemale', rate: 0, repeat: 1 },
      },
      202,
    );
    const { id: contacts } = await api.post<{ id: string }>('/contact-lists', { name: 'Called' });
    await api.post(`/contact-lists/${contacts}/contacts`, { contacts: [{ phone: newPhones(1)[0] }] });
    await api.post(
      '/sms',
      {
        source: 'Shop',
        message: `${word} aloud to a list`,
        lists: [contacts],
        tts: { type: 4, voice: 'ymFemale', rate: 0, repeat: 1 },
      },
      202,
    );
    await chat.clientWrites(client, `${word} by chat`);
    await api.post(`/sandbox/phones/${client}/sms`, { to: SOURCE, text: `${word} by SMS` });
    const conversation = await waitFor('both messages are in the conversation', async () => {
      const { conversations } = await api.get<{ conversations: { id: string; unread: number }[] }>(
        `/conversations?search=${client}`,
      );
      return conversations[0]?.unread === 2 && conversations[0];
    });
    const reply = await api.post<{ shipment_id: string }>(
      `/conversations/${conversation.id}/replies`,
      { text: `${word} answered` },
      202,
    );
    const address = newAddress();
    const list = await mail.list([{ email: address, first_name: `${word}name` }]);
    const campaign = await mail.send([list], {
      subject: `${word} {{FirstName}}`,
      html: `<p>${word} {{FirstName}}</p>`,
      text: `${word} {{FirstName}}`,
    });
    await mail.finished(campaign);
    const received = await waitFor('the mail has arrived', async () => (await mail.mailbox(address))[0]);
    await transport.sendMail({
      from: address,
      to: received.headers['reply-to']!,
      subject: `Re: ${word}`,
      text: `${word} by mail`,
      html: `<p>${word}</p>`,
    });
    await waitFor('the answer is in its conversation', () => conversationOf(address));
    await settled();
    return {
      sms: sms.shipment_id,
      bulk: bulk.shipment_id,
      call: call.shipment_id,
      reply: reply.shipment_id,
      campaign,
      conversation: conversation.id,
      address,
      client,
    };
  }

  /** Brings `word` to where a text of a message stands beside it, and waits until all of it has ended. */
  async function sayBeside(word: string) {
    const values = await api.post<{ id: string }>(
      '/chat/campaigns',
      { source: SOURCE, template_id: headed, phones: [newChatPhone()], header_link: `${word} header` },
      202,
    );
    const linked = await api.post<{ shipment_id: string }>(
      '/sms',
      {
        source: 'Shop',
        message: 'Here: [link-a]',
        links: [{ id: 'a', url: `https://example.com/${word}` }],
        phones: newPhones(1),
      },
      202,
    );
    const draft = await api.post<{ id: string }>('/drafts', {
      channel: 'sms',
      title: `${word} title`,
      content: { message: `${word} composed` },
    });
    const file = await bring(word);
    const parted = newClient();
    await api.post(`/sandbox/phones/${parted}/sms`, { to: SOURCE, text: `${word} in parts `.repeat(20) });
    await waitFor('the long message is in its conversation', () => conversationOf(parted));
    await press(word);
    await settled();
    return { values: values.id, linked: linked.shipment_id, draft: draft.id, file };
  }

  return {
    ...chat,
    api,
    mail,
    receiver,
    /** Somebody new: a session ends when the clock is moved on. */
    newOwner: () => asPerson(chat, 'owner', demo.id),
    newOperator: () => asPerson(chat, 'operator'),
    runRetention,
    tablesWith,
    settled,
    sayEverywhere,
    sayBeside,
  };
}
