import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idFloor } from '../../../server/kit/ids.ts';
import { newPhones } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { DAY, startRetention } from './support.ts';

/* What accounts keep for how long, with the clock moved on, and what is in the tables then. */

const service = await startRetention();
const { api, sql, demo, appContext, tablesWith } = service;

interface Kind {
  readonly days: number;
  readonly asked: number | null;
  readonly limit: number;
  readonly own_limit: number | null;
  readonly installation: number;
  readonly least: number;
}
type Shown = Readonly<Record<string, Kind>>;
interface Message {
  readonly id: string;
  readonly text: string | null;
  readonly text_removed: boolean;
  readonly state: string;
}

const later = (days: number) => new Date(appContext.clock.now() + days * DAY * 1_000).toISOString();
const messagesOf = async (shipment: string) =>
  (await api.get<{ messages: Message[] }>(`/messages?shipment_id=${shipment}`)).messages;
const counts = async () =>
  (
    await sql`
    SELECT (SELECT count(*)::int FROM messages WHERE account_id = ${demo.id}) AS messages,
      (SELECT sum(amount) FROM ledger WHERE account_id = ${demo.id}) AS ledger`
  )[0];

test('an account asks for less than the limit, never for more; the operator sets the limit', async () => {
  const [owner, operator] = [await service.newOwner(), await service.newOperator()];
  const before = await owner.get<Shown>('/data/retention');
  assert.deepEqual(before.texts, {
    days: 400,
    asked: null,
    limit: 400,
    own_limit: null,
    installation: 400,
    least: 1,
  });
  assert.deepEqual(before.requests, {
    days: 7,
    asked: null,
    limit: 7,
    own_limit: null,
    installation: 7,
    least: 1,
  });
  const asked = await owner.call<Shown>('PATCH', '/data/retention', { texts: 30, audit: 100 });
  assert.deepEqual(
    [asked.texts!.days, asked.audit!.days, asked.messages!.days, asked.events!.days],
    [30, 100, 400, 30],
  );
  for (const [kind, days] of [
    ['texts', 401],
    ['messages', 30],
    ['audit', 89],
    ['requests', 8],
    ['media', 0],
  ] as const) {
    const refused = await owner.refused('PATCH', '/data/retention', { texts: 20, [kind]: days });
    assert.deepEqual(refused, ['bad-field', kind, 400], kind);
  }
  assert.equal((await owner.get<Shown>('/data/retention')).texts!.days, 30);

  const path = `/operator/accounts/${demo.id}/retention`;
  const limited = await operator.call<Shown>('PATCH', path, { texts: 10, messages: 200 });
  assert.deepEqual(limited.texts, {
    days: 10,
    asked: 30,
    limit: 10,
    own_limit: 10,
    installation: 400,
    least: 1,
  });
  assert.deepEqual(await owner.refused('PATCH', '/data/retention', { texts: 11 }), [
    'bad-field',
    'texts',
    400,
  ]);
  assert.deepEqual(await operator.refused('PATCH', path, { texts: 401 }), ['bad-field', 'texts', 400]);
  const lifted = await operator.call<Shown>('PATCH', path, { texts: null, messages: null });
  assert.equal(lifted.texts!.days, 30);
  await owner.call('PATCH', '/data/retention', { texts: null, audit: null });

  const { entries } = await owner.get<{
    entries: { object: { kind: string }; before: object; after: object }[];
  }>('/audit?kind=retention');
  assert.deepEqual(entries.at(-1)!.after, { asked: { texts: 30, audit: 100 }, limits: {} });
  assert.deepEqual(await api.refused('PATCH', '/data/retention', { texts: 5 }), [
    'not-allowed',
    undefined,
    403,
  ]);
});

test('texts go first: of every channel, sent and received; states, prices and counts stay', async () => {
  const word = 'Zauberwort';
  const said = await service.sayEverywhere(word);
  assert.deepEqual(await tablesWith(word), [
    'campaigns',
    'chat_incoming',
    'conversations',
    'event_batches',
    'incoming',
    'kept_requests',
    'mail_contents',
    'mail_incoming',
    'mail_users',
    'messages',
    'shipments',
  ]);
  const waiting = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: `${word} later`, phones: newPhones(2), at: later(40) },
    202,
  );
  const before = await counts();
  await (await service.newOwner()).call('PATCH', '/data/retention', { texts: 5 });

  await service.advance(4 * DAY);
  await service.runRetention();
  assert.equal((await messagesOf(said.sms))[0]!.text, `${word} one`);

  await service.advance(2 * DAY);
  await service.runRetention();
  // The recipient's name is what a mailing list has; what waits keeps its text.
  assert.deepEqual(await tablesWith(word), ['mail_users', 'shipments']);
  assert.deepEqual(
    await sql`SELECT id::text FROM shipments WHERE strpos(payload, ${word}) > 0`.then((rows) => [...rows]),
    [{ id: waiting.shipment_id }],
  );
  assert.deepEqual(await counts(), before);

  const [message] = await messagesOf(said.sms);
  assert.deepEqual([message!.text, message!.text_removed, message!.state], [null, true, 'delivered']);
  const [first] = await messagesOf(said.bulk);
  assert.deepEqual([first!.text, first!.text_removed, first!.state], [null, true, 'delivered']);
  assert.equal((await messagesOf(waiting.shipment_id))[0]!.text, `${word} later`);
  const timeline = await api.get<Message & { steps: object[] }>(`/messages/${message!.id}`);
  assert.deepEqual([timeline.text, timeline.text_removed, timeline.steps.length > 2], [null, true, true]);
  for (const shipment of [said.sms, said.bulk, said.call, said.reply, said.campaign]) {
    const [sent] = await messagesOf(shipment);
    const content = await api.get<Record<string, unknown>>(`/messages/${sent!.id}/content`);
    const { text, chat, mail, call, text_removed } = content;
    assert.deepEqual([text, chat, mail, call, text_removed], [null, null, null, null, true], shipment);
  }
  const shown = await api.get<{
    text: string | null;
    text_removed: boolean;
    progress: { delivered: number };
  }>(`/campaigns/${said.bulk}`);
  assert.deepEqual([shown.text, shown.text_removed, shown.progress.delivered], [null, true, 3]);
  for (const campaign of [said.bulk, said.campaign]) {
    assert.deepEqual(await api.refused('GET', `/campaigns/${campaign}/request`), ['not-now', undefined, 409]);
  }
  const mails = await service.mail.campaign(said.campaign);
  assert.deepEqual([mails.state, mails.progress.sent], ['finished', 1]);
  const { items } = await api.get<{ items: { kind: string; text: string | null; text_removed: boolean }[] }>(
    `/conversations/${said.conversation}/timeline`,
  );
  assert.deepEqual(
    items
      .filter(({ kind }) => kind === 'received' || kind === 'sent')
      .map(({ text, text_removed }) => [text, text_removed]),
    [
      [null, true],
      [null, true],
      [null, true],
    ],
  );
  assert.match(await (await api.fetch('GET', `/messages.csv?shipment_id=${said.bulk}`)).text(), /delivered/);

  // A mail whose text is removed is still known: a click in it counts.
  const [row] = await sql<
    { payload: string }[]
  >`SELECT payload FROM messages WHERE account_id = ${demo.id} AND shipment_id = ${Number(said.campaign)}`;
  assert.equal((JSON.parse(row!.payload) as unknown[])[0], Number(said.campaign));
  assert.equal(typeof (JSON.parse(row!.payload) as unknown[])[1], 'number');

  // What waited is sent with its text, and loses it when its time is over.
  await service.advance(36 * DAY);
  await service.settled();
  await service.runRetention();
  assert.deepEqual(await tablesWith(word), ['mail_users']);
});

test('messages, conversations, events, logs and their parts are deleted; what waits stays, and hours keep their counts', async () => {
  const { sms, bulk, conversation } = await service.sayEverywhere('Rosenholz');
  // What is in the same hour as a message that waits stays with it, since hours are counted by their messages.
  await service.advance(2 * 3_600);
  const waiting = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: 'later', phones: newPhones(2), at: later(60) },
    202,
  );
  const owner = await service.newOwner();
  await owner.call('PATCH', '/data/retention', {
    messages: 31,
    conversations: 3,
    events: 2,
    requests: 1,
    audit: 90,
  });
  await waitFor('all hours are counted, that of the messages that wait among them', async () => {
    const [row] = await sql<{ waiting: number; marks: number }[]>`
      SELECT coalesce(sum(waiting), 0)::int AS waiting,
        (SELECT count(*)::int FROM message_hours_changed WHERE account_id = ${demo.id}) AS marks
      FROM message_hours WHERE account_id = ${demo.id}`;
    return row!.waiting === 2 && row!.marks === 0;
  });
  const hours =
    await sql`SELECT count(*)::int AS hours, sum(delivered)::int AS delivered FROM message_hours WHERE account_id = ${demo.id}`;
  const [money] =
    await sql`SELECT count(*)::int AS entries, sum(amount) AS amount FROM ledger WHERE account_id = ${demo.id}`;
  for (const [subject, until] of [
    [sms, appContext.clock.now()],
    [waiting.shipment_id, null],
  ] as const) {
    await sql`
      INSERT INTO waits (account_id, id, subject_id, reason, from_at, until_at)
      VALUES (${demo.id}, ${appContext.ids.next()}, ${Number(subject)}, 'paused', ${appContext.clock.now()}, ${until})`;
  }
  await service.advance(1);
  const began = idFloor(appContext.clock.now());

  await service.advance(32 * DAY);
  await service.runRetention();
  const left = async (table: string, key = 'id') =>
    (
      await sql`SELECT count(*)::int AS count FROM ${sql(table)} WHERE account_id = ${demo.id} AND ${sql(key)} < ${began}`
    )[0]!.count as number;
  assert.equal(await left('messages'), 2);
  assert.equal(await left('shipments'), 1);
  assert.equal(await left('waits'), 1, 'a wait that goes on stays');
  for (const table of [
    'incoming',
    'chat_incoming',
    'mail_incoming',
    'campaigns',
    'kept_requests',
    'mail_contents',
    'short_links',
    'clicks',
    'conversations',
    'event_batches',
    'deliveries',
    'request_log',
  ]) {
    assert.equal(await left(table, table === 'kept_requests' ? 'shipment_id' : 'id'), 0, table);
  }
  assert.ok((await left('audit_log')) > 0);
  assert.deepEqual(
    await sql`SELECT count(*)::int AS hours, sum(delivered)::int AS delivered FROM message_hours WHERE account_id = ${demo.id}`,
    hours,
  );
  assert.deepEqual(
    (
      await sql`SELECT count(*)::int AS entries, sum(amount) AS amount FROM ledger WHERE account_id = ${demo.id}`
    )[0],
    money,
  );
  for (const path of [`/campaigns/${bulk}`, `/shipments/${sms}`, `/conversations/${conversation}`])
    await api.get(path, 404);
  assert.equal((await messagesOf(waiting.shipment_id)).length, 2);

  await service.advance(60 * DAY);
  await service.settled();
  await service.runRetention();
  assert.equal(await left('audit_log'), 0);
  await service.advance(32 * DAY);
  await service.runRetention();
  assert.equal(await left('messages'), 0);
});

test('a run that is cut off anywhere is continued by the next one', async () => {
  const word = 'Bruchstelle';
  await service.sayEverywhere(word);
  await (await service.newOwner()).call('PATCH', '/data/retention', { texts: 1, conversations: 30 });
  await service.advance(2 * DAY);
  let cutOff = 0;
  for (let isCut = true; isCut; cutOff++) {
    isCut = false;
    let left = cutOff;
    // The job's statements alone: others of the service are of other accounts, or of none.
    appContext.sql.options.observe = (text) => {
      if (
        !/text_removed|text_removals|last_text = ''|kept_requests|mail_contents/.test(text) ||
        !/^\s*(UPDATE|DELETE|INSERT)/.test(text)
      )
        return;
      if (left-- > 0) return;
      isCut = true;
      throw new Error('cut off by the test');
    };
    await service.runRetention();
    appContext.sql.options.observe = undefined;
  }
  assert.ok(cutOff > 5, String(cutOff));
  assert.deepEqual(await tablesWith(word), ['mail_users']);
});
