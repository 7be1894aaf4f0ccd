import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createTransport } from 'nodemailer';
import { extract } from 'tar-stream';
import { freePort } from '../../../bench/support/wait.ts';
import { mailChannel } from '../../../server/channels/mail/channel.ts';
import type { Sql } from '../../../server/database/connection.ts';
import { runningLoops } from '../../../server/kit/loop.ts';
import { SubjectRequests } from '../../../server/modules/data-subjects/requests.ts';
import type { TextMode } from '../../../server/secrets/text-storage.ts';
import { asPerson, type Calls, withToken } from '../../api/v1/calls.ts';
import { v1 } from '../../api/v1/support.ts';
import { SOURCE } from '../../channels/chat-api/support.ts';
import { mailAt, v1At } from '../../channels/mail/campaign-support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import { jpeg } from '../media/samples.ts';

/* A sandbox in which a person has used every channel, and what is told of them. */

export interface Count {
  readonly kind: string;
  readonly count: number;
}
export interface Request {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reference: string;
  readonly counts: readonly Count[];
  readonly problem: string;
  readonly finished_at: string | null;
}
export interface Found {
  readonly phones: readonly string[];
  readonly counts: readonly Count[];
  readonly own_uses: readonly { identifier: string; use: string }[];
  readonly requests: readonly Request[];
}

/** Somebody who uses every channel: a local number, an address, and a word that all their texts have. */
export interface Somebody {
  readonly phone: string;
  readonly address: string;
  readonly word: string;
}

export type Persons = Awaited<ReturnType<typeof startPersons>>;

export async function startPersons() {
  const bouncePort = await freePort();
  const service = await startTestService({
    settings: { MAIL_BOUNCE_PORT: String(bouncePort), MAIL_INBOUND_DOMAIN: 'in.shop.example' },
  });
  const { url, sql, demo } = service;
  const api = withToken(url, DEMO_TOKEN);
  let session = await asPerson(service, 'owner', demo.id);
  /** An owner of the demo account, whose session lives as long as the clock is not moved on. */
  const owner: Calls = {
    text: (...given) => session.text(...given),
    call: (...given) => session.call(...given),
    get: (...given) => session.get(...given),
    post: (...given) => session.post(...given),
    refused: (...given) => session.refused(...given),
    fetch: (...given) => session.fetch(...given),
  };
  async function advance(seconds: number): Promise<void> {
    await service.advance(seconds);
    session = await asPerson(service, 'owner', demo.id);
  }
  const mail = mailAt(v1At(url));
  const transport = createTransport({ host: '127.0.0.1', port: bouncePort, ignoreTLS: true });
  // Takes nothing, so that deliveries wait.
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end('no room');
  await owner.post('/webhooks', { url: `${receiver.url}/all` });
  const inbox = '972550000009';
  await sql`
    INSERT INTO inbound_numbers (number, account_id) VALUES (${inbox}, ${demo.id}) ON CONFLICT DO NOTHING`;

  const count = async (table: string, column: string, value: string) =>
    (
      await sql.unsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`, [
        value,
      ])
    )[0]!.n;

  /** Brings a file to be sent; its id. */
  async function upload(name: string, bytes: Buffer): Promise<string> {
    const answer = await v1(url, DEMO_TOKEN).post(`/media?kind=image&file_name=${name}`, bytes);
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { id: string }).id;
  }

  /**
   * Sends to and receives from somebody over every channel, and waits until all of it is stored. They get a file of their own, and
   * the `shared` ones.
   */
  async function live({ phone, address, word }: Somebody, shared: readonly string[] = []): Promise<void> {
    const digits = stored(phone);
    const { id: list } = await api.post<{ id: string }>('/contact-lists', { name: 'All' });
    await api.post(`/contact-lists/${list}/contacts`, { contacts: [{ phone, fields: [`${word} field`] }] });
    const link = { id: 'a', url: `https://example.com/${word}` };
    await api.post(
      '/sms',
      { source: 'Shop', message: `${word} [link-a]`, phones: [phone], links: [link] },
      202,
    );
    await api.post(
      '/sms',
      {
        source: 'Shop',
        message: `Dear ${word}`,
        phones: [{ phone, id: `ref-${phone}` }],
        campaign_name: 'One',
      },
      202,
    );
    const tts = { type: 4, voice: 'ymFemale', rate: 0, repeat: 1 };
    await api.post('/sms', { source: 'Shop', message: `${word} aloud`, phones: [phone], tts }, 202);
    await api.post('/otp', { phone, source: 'Shop', app_id: 1 }, 202);
    await service.sendFromPhone(phone, inbox, `${word} by SMS`);
    await api.post(`/sandbox/phones/${digits}/chat`, { to: SOURCE, body: `${word} by chat` });
    const file = await v1(url, DEMO_TOKEN).post(
      `/sandbox/phones/${digits}/files?to=${SOURCE}&type=image&mime_type=image/jpeg`,
      jpeg(20_000 + word.length),
    );
    assert.equal(file.status, 200);
    const conversation = await waitFor('the chat and its file', async () => {
      const [row] = await sql<{ id: number }[]>`
        SELECT c.id FROM conversations c WHERE c.client = ${digits} AND c.sender = ${SOURCE} AND EXISTS (
          SELECT 1 FROM media m JOIN chat_incoming i ON i.account_id = m.account_id AND i.media_id = m.id
          WHERE i.client = ${digits} AND m.state = 1)`;
      return row?.id;
    });
    await owner.post(`/conversations/${conversation}/notes`, { text: `${word} note about ${phone}` });
    await owner.post(`/conversations/${conversation}/replies`, { text: `${word} reply` }, 202);
    for (const media_id of [await upload(`${word}.jpg`, jpeg(30_000 + word.length)), ...shared]) {
      await owner.post(`/conversations/${conversation}/replies`, { media: { media_id } }, 202);
    }
    const mailing = await mail.list([{ email: address, first_name: word, fields: { Town: `${word} town` } }]);
    await mail.finished(await mail.send([mailing]));
    const received = await waitFor('the mail', async () => (await mail.mailbox(address))[0]);
    await transport.sendMail({
      from: { name: word, address },
      to: received.headers['reply-to']!,
      subject: 'Re',
      text: `${word} by mail`,
    });
    await api
      .post('/drafts', { channel: 'sms', title: 'Draft', content: { phones: [phone] } })
      .catch(() => {});
    await waitFor('all of it is stored', async () => {
      const [open] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM messages WHERE recipient IN (${digits}, ${address}) AND channel <> ${mailChannel.id}
          AND final_at IS NULL`;
      const [arrived] = await sql<
        { n: number }[]
      >`SELECT count(*)::int AS n FROM incoming WHERE source = ${digits}`;
      const answered = await count('mail_incoming', 'client', address);
      return open!.n === 0 && arrived!.n === 1 && answered === 1;
    });
    const links = (await service.phone(phone)).flatMap(({ text }) => /https?:\/\/\S+/.exec(text) ?? []);
    assert.ok(links.length > 0, 'the text has a link');
    await fetch(links[0]!, { redirect: 'manual' });
    await waitFor('the click', async () => {
      const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM clicks c JOIN messages m ON m.account_id = c.account_id AND m.id = c.message_id
        WHERE m.recipient = ${digits}`;
      return row!.n > 0;
    });
  }

  /** Waits until a request is in this state. */
  const until = (id: string, state: string) =>
    waitFor(`request ${id} is ${state}`, async () => {
      const request = await owner.get<Request>(`/data-subjects/requests/${id}`);
      return request.state === state && request;
    });

  return {
    ...{ service, url, sql, demo, api, owner, mail, live, upload, until, inbox, transport, advance },

    /** Has the texts of the demo account stored so from now on. */
    storeTexts: (mode: TextMode) => owner.call('PATCH', '/data/texts', { mode }),

    /** Runs the jobs of retention, which otherwise come once an hour, and every 15 seconds. */
    runRetention: () =>
      Promise.all(
        runningLoops()
          .filter((loop) => loop.owner === 'retention')
          .map((loop) => loop.run()),
      ),

    /** As the upkeep of every hour does. */
    cleanUp: () => {
      const { appContext } = service;
      return new SubjectRequests({
        ...appContext,
        budgets: budgetsFor(appContext),
        work: workFor(appContext),
      }).cleanUp();
    },

    search: ({ phone, address }: Partial<Somebody>) =>
      owner.post<Found>('/data-subjects/search', named({ phone, address })),

    /** Erases somebody, to the end. */
    async erase({ phone, address }: Partial<Somebody>, reference = ''): Promise<Request> {
      const confirm = phone ?? address;
      const { id } = await owner.post<Request>(
        '/data-subjects/erasures',
        { ...named({ phone, address }), confirm, reference },
        202,
      );
      await until(id, 'rechecking');
      await advance(16 * 60);
      return until(id, 'done');
    },
  };
}

let people = 0;
/** Somebody new. The word has five letters or more: dumps have sealed texts in base64, in which four letters occur by chance. */
export const somebody = (word: string): Somebody => ({
  phone: newPhone(),
  address: `${word.toLowerCase()}${++people}@example.com`,
  word,
});

/** The texts by which rows of somebody are found. */
export const needlesOf = ({ phone, address, word }: Somebody): string[] => [phone.slice(1), address, word];

/** Returns counts by their kind. */
export const countsOf = (counts: readonly Count[]): Record<string, number> =>
  Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));

export const named = ({ phone, address }: Partial<Somebody>) => ({
  ...(phone !== undefined && { phones: [phone] }),
  ...(address !== undefined && { emails: [address] }),
});

/** The files of an archive, by their names. */
export async function filesIn(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const reader = extract();
  const done = (async () => {
    for await (const entry of reader) {
      const parts: Buffer[] = [];
      for await (const part of entry) parts.push(part as Buffer);
      files.set(entry.header.name, Buffer.concat(parts));
    }
  })();
  reader.end(gunzipSync(archive));
  await done;
  return files;
}

/** Every row of every table as text, with its table; bytes are hexadecimal. */
export async function dump(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ line: string }[]>(`SELECT to_jsonb(t)::text AS line FROM ${name} t`);
    for (const { line } of rows) lines.push(`${name} ${line}`);
  }
  return lines;
}

/** As `dump`, where texts that are sealed are open, as the driver reads them. */
export async function openDump(sql: Sql): Promise<string[]> {
  const lines: string[] = [];
  for (const table of [
    'event_batches',
    'deliveries',
    'messages',
    'incoming',
    'chat_incoming',
    'mail_incoming',
  ]) {
    const rows = await sql`SELECT * FROM ${sql(table)}`;
    lines.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`));
  }
  return lines;
}

/** The lines that have one of these texts, as it is, or as bytes. */
export function linesWith(lines: readonly string[], texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  return lines.filter((line) => needles.some((needle) => line.includes(needle)));
}

/** The bytes of every file below a folder. */
export function filesBelow(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));
}
