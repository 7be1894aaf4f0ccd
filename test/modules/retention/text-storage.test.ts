import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { texts } from '../../../server/database/arrays.ts';
import { TextSeal } from '../../../server/secrets/text-seal.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startRetention } from './support.ts';

/* How texts stand in the database, by looking into every column of every table. */

const service = await startRetention();
const { api, sql, demo, appContext, tablesWith, receiver } = service;

interface Message {
  readonly id: string;
  readonly text: string | null;
  readonly text_removed: boolean;
}
const messagesOf = async (shipment: string) =>
  (await api.get<{ messages: Message[] }>(`/messages?shipment_id=${shipment}`)).messages;
const contentOf = async (shipment: string) => {
  const [message] = await messagesOf(shipment);
  return api.get<Record<string, unknown>>(`/messages/${message!.id}/content`);
};
const timelineOf = async (conversation: string) =>
  (
    await api.get<{ items: { kind: string; text: string | null; text_removed: boolean }[] }>(
      `/conversations/${conversation}/timeline`,
    )
  ).items.filter(({ kind }) => kind === 'received' || kind === 'sent');
const storeAs = async (mode: string | null) =>
  (await service.newOwner()).call<{ mode: string; asked: string | null; installation: string }>(
    'PATCH',
    '/data/texts',
    { mode },
  );
const toldTo = (word: string) => receiver.received.filter(({ body }) => body.includes(word)).length;
const later = () => new Date(appContext.clock.now() + 86_400_000).toISOString();
/** A mailing list has the name of its user, which the test says, too. */
const elsewhere = ['mail_users'];

test('sealed: no text is in any table, and everything is shown, sent and told as before', async () => {
  assert.deepEqual(await storeAs('sealed'), { mode: 'sealed', asked: 'sealed', installation: 'plain' });
  const word = 'Siegelwort';
  const said = { ...(await service.sayEverywhere(word)), ...(await service.sayBeside(word)) };
  const waiting = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: `${word} later`, phones: [newPhone(), newPhone()], at: later() },
    202,
  );
  assert.deepEqual(await tablesWith(word), elsewhere);

  assert.equal((await messagesOf(said.sms))[0]!.text, `${word} one`);
  assert.equal((await messagesOf(waiting.shipment_id))[0]!.text, `${word} later`);
  assert.equal((await contentOf(said.reply)).text, `${word} answered`);
  assert.match(JSON.stringify((await contentOf(said.call)).call), new RegExp(`"text":"${word} aloud"`));
  assert.match(JSON.stringify((await contentOf(said.campaign)).mail), new RegExp(`${word} ${word}name`));
  assert.deepEqual(
    (await timelineOf(said.conversation)).map(({ text }) => text),
    [`${word} answered`, `${word} by SMS`, `${word} by chat`],
  );
  const { body } = await api.get<{ body: { message: string } }>(`/campaigns/${said.bulk}/request`);
  assert.equal(body.message, `${word} [link-a]`);
  const repeated = await api.get<{ body: { header_link: string } }>(`/campaigns/${said.values}/request`);
  assert.equal(repeated.body.header_link, `${word} header`);
  const { links } = await api.get<{ links: { url: string }[] }>(`/shipments/${said.linked}/links`);
  assert.deepEqual(
    links.map(({ url }) => url),
    [`https://example.com/${word}`],
  );
  const { shipments } = await api.get<{ shipments: { id: string; url: string }[] }>('/links');
  const listed = shipments.find(({ id }) => id === said.linked);
  assert.equal(listed?.url, `https://example.com/${word}`);
  const draft = await api.get<{ title: string; content: object }>(`/drafts/${said.draft}`);
  assert.deepEqual([draft.title, draft.content], [`${word} title`, { message: `${word} composed` }]);
  assert.equal((await api.get<{ file_name: string }>(`/media/${said.file}`)).file_name, `${word}.jpg`);
  const [press] = await sql<{ button_id: string }[]>`
    SELECT button_id FROM chat_incoming WHERE type = 'button' ORDER BY id DESC LIMIT 1`;
  assert.equal(press!.button_id, `${word}-yes`);
  const parts = await sql<{ octets: Buffer; sealed: string }[]>`SELECT octets, sealed FROM seen_parts`;
  assert.ok(parts.length > 1 && parts.every(({ octets }) => octets.length === 0));
  const [whole] = await sql<{ text: string }[]>`
    SELECT text FROM incoming WHERE account_id = ${demo.id} ORDER BY id DESC LIMIT 1`;
  assert.equal(whole!.text, `${word} in parts `.repeat(20));
  await waitFor('the webhook was told', () => toldTo(word) >= 4);
  const [{ id: message }] = (await messagesOf(said.sms)) as [Message];
  const { pushes } = await api.get<{ pushes: { type: string }[] }>(`/messages/${message}`);
  assert.deepEqual(
    pushes.map(({ type }) => type),
    ['message.status'],
  );
  const { conversations } = await api.get<{ conversations: { id: string; last_text: string }[] }>(
    '/conversations',
  );
  assert.equal(conversations.find(({ id }) => id === said.conversation)!.last_text, `${word} answered`);

  await service.advance(86_401);
  await service.settled();
  const [arrived] = await messagesOf(waiting.shipment_id);
  assert.equal(arrived!.text, `${word} later`);
  assert.deepEqual(await tablesWith(word), elsewhere);
});

test('none: a text goes with the result of its message, the rest when nothing waits for it', async () => {
  assert.equal((await storeAs('none')).mode, 'none');
  const word = 'Flusterwort';
  const said = { ...(await service.sayEverywhere(word)), ...(await service.sayBeside(word)) };
  assert.deepEqual(await tablesWith(word), elsewhere);
  await waitFor('the webhook was told', () => toldTo(word) >= 4);

  // Without the job: the statement that stored the result has emptied it.
  const [own] = await sql<{ payload: string | null; text_removed: boolean }[]>`
    SELECT payload, text_removed FROM messages WHERE account_id = ${demo.id} AND shipment_id = ${Number(said.sms)}`;
  assert.deepEqual({ ...own }, { payload: null, text_removed: true });
  await service.runRetention();
  const [left] = await sql<{ texts: number }[]>`
    SELECT (SELECT count(*)::int FROM messages WHERE account_id = ${demo.id} AND payload IS NOT NULL AND channel <> 2)
      + (SELECT count(*)::int FROM shipments WHERE account_id = ${demo.id} AND payload IS NOT NULL)
      + (SELECT count(*)::int FROM kept_requests WHERE account_id = ${demo.id})
      + (SELECT count(*)::int FROM campaigns WHERE account_id = ${demo.id} AND
        coalesce(content ->> 'call', content ->> 'headerLink') IS NOT NULL)
      + (SELECT count(*)::int FROM mail_contents WHERE account_id = ${demo.id}) AS texts`;
  assert.equal(left!.texts, 0);
  for (const shipment of [said.sms, said.bulk, said.call, said.reply, said.campaign, said.values]) {
    assert.equal((await contentOf(shipment)).text_removed, true, shipment);
  }
  const owner = await service.newOwner();
  assert.deepEqual((await owner.refused('GET', `/campaigns/${said.values}/request`)).slice(0, 1), [
    'not-now',
  ]);
  assert.deepEqual(
    (await timelineOf(said.conversation)).map(({ text, text_removed }) => [text, text_removed]),
    [
      [null, true],
      [null, true],
      [null, true],
    ],
  );
  await service.advance(2 * 3_600);
  await service.runRetention();
  const [events] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM event_batches WHERE account_id = ${demo.id}`;
  assert.equal(events!.count, 0);
  assert.deepEqual(await storeAs(null), { mode: 'plain', asked: null, installation: 'plain' });
});

test('what somebody writes is never taken for a sealed text, nor is one of another account opened', async () => {
  const seal = new TextSeal(Buffer.alloc(32, 7));
  const { text } = seal.seal(5, 'secret');
  assert.equal(seal.open(text.slice(1)), 'secret');
  assert.equal(new TextSeal(Buffer.alloc(32, 8)).open(text.slice(1)), undefined);
  const bytes = Buffer.from(text.slice(1), 'base64');
  bytes[9]! ^= 1;
  assert.equal(seal.open(bytes.toString('base64')), undefined);

  await storeAs('sealed');
  const stored = appContext.sql.waitingText(demo.id, 'secret');
  assert.ok(typeof stored === 'object');
  const [row] = await sql<Record<string, unknown>[]>`
    SELECT ${stored.text}::text AS given, ${sql.json(stored.text)} AS json, ${stored}::text AS sealed,
      (${texts([stored.text])}::text[])[1] AS element`;
  const replaced = `\ufffd${stored.text.slice(1)}`;
  assert.deepEqual({ ...row }, { given: replaced, json: replaced, sealed: 'secret', element: replaced });
  await storeAs(null);
});

test('a text whose key is lost is shown as removed, and not sent', async () => {
  await storeAs('sealed');
  const { shipment_id } = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: 'Verlorenes', phones: [newPhone()], at: later() },
    202,
  );
  const { text: foreign } = new TextSeal(Buffer.alloc(32, 9)).seal(demo.id, 'Verlorenes');
  // As another key has it: a superuser's statement, since nothing of the service writes that.
  await sql.unsafe(
    `UPDATE messages SET payload = chr(1) || '${foreign.slice(1)}' WHERE shipment_id = ${shipment_id}`,
  );
  assert.equal((await contentOf(shipment_id)).text_removed, true);
  await service.advance(86_401);
  await service.settled();
  const [message] = await api
    .get<{ messages: { state: string; carrier_status: string }[] }>(`/messages?shipment_id=${shipment_id}`)
    .then(({ messages }) => messages);
  assert.deepEqual([message!.state, message!.carrier_status], ['failed', 'TEXT_LOST']);
  await storeAs(null);
});

test('an account has nothing less strict than the installation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-texts-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const strict = await startRetention({ TEXT_STORAGE: 'sealed', DATA_DIR: folder });
  const { shipment_id } = await strict.api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: 'Hausordnung', phones: [newPhone()] },
    202,
  );
  const tts = { type: 4, voice: 'ymFemale', rate: 0, repeat: 1 };
  await strict.api.post('/sms', { source: 'Shop', message: 'Hausordnung', phones: [newPhone()], tts }, 202);
  await strict.settled();
  // What the call said was rendered, and not kept.
  assert.deepEqual(await readdir(join(folder, 'speech')), []);
  assert.deepEqual(await strict.tablesWith('Hausordnung'), []);
  const { messages } = await strict.api.get<{ messages: Message[] }>(`/messages?shipment_id=${shipment_id}`);
  assert.equal(messages[0]!.text, 'Hausordnung');
  const owner = await strict.newOwner();
  assert.deepEqual(await owner.call('PATCH', '/data/texts', { mode: 'plain' }), {
    mode: 'sealed',
    asked: 'plain',
    installation: 'sealed',
  });
  assert.deepEqual(await owner.refused('PATCH', '/data/texts', { mode: 'open' }), ['bad-field', 'mode', 400]);
});
