import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asPerson, type Calls, withToken } from '../../api/v1/calls.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* What is done without a person, with SMS of simulated phones: rules, the away message, turns, closing. */

const service = await startTestService();
const { sql, appContext } = service;

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly matches: number;
  readonly last_match_at: string | null;
}
interface Conversation {
  readonly id: string;
  readonly state: string;
  readonly assignee_id: string | null;
  readonly label_ids: readonly string[];
}
interface LogEntry {
  readonly reply: string | null;
  readonly client: string;
  readonly assigned: boolean;
  readonly webhook: boolean;
  readonly message_id: string | null;
}

let accounts = 0;

/** An account with a number of its own, and somebody who owns it. */
async function newDesk() {
  const account = await service.addAccount({ username: `desk-${++accounts}` });
  const number = `97255100${String(accounts).padStart(4, '0')}`;
  await appContext.sources.approve(account.id, number, { incoming: true });
  const owner = await asPerson(service, 'owner', account.id);
  const api = withToken(service.url, account.token);
  const write = (phone: string, text: string) => service.sendFromPhone(phone, number, text);
  const find = async (phone: string): Promise<Conversation | undefined> =>
    (await api.get<{ conversations: Conversation[] }>(`/conversations?search=${phone}`)).conversations[0];
  const conversationOf = (phone: string) => waitFor('the conversation', () => find(phone));
  const rule = (body: object) => owner.post<Rule>('/conversation-rules', { name: 'A rule', ...body });
  /** Texts that a phone got from the account. */
  const texts = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);
  const gets = (phone: string, wanted: readonly string[]) =>
    waitFor(`${wanted.length} texts`, async () => {
      const got = await texts(phone);
      assert.ok(got.length <= wanted.length, got.join());
      return got.length === wanted.length && assert.deepEqual(got, wanted) === undefined;
    });
  const agent = async (name: string) => {
    const { people } = appContext.people;
    const { person } = await people.add({
      accountId: account.id,
      username: `${name}-${account.id}`,
      name,
      role: 'agent',
    });
    return person;
  };
  /** How many messages of clients are stored. */
  const received = async () =>
    (
      await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM incoming WHERE account_id = ${account.id}`
    )[0]!.count;
  const log = async (id: string) =>
    (await api.get<{ entries: LogEntry[] }>(`/conversation-rules/${id}/log`)).entries;
  return {
    account,
    number,
    owner,
    api,
    write,
    find,
    conversationOf,
    rule,
    texts,
    gets,
    agent,
    received,
    log,
  };
}

const settings = (calls: Calls, body: object) => calls.call('PATCH', '/conversation-settings', body);
const closedAlways = Object.fromEntries(
  ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [day, []]),
);

describe('a rule', () => {
  test('replies, labels, assigns and tells webhooks, and shows what it did', async () => {
    const desk = await newDesk();
    const receiver = await startReceiver();
    await desk.owner.post('/webhooks', { url: receiver.url, types: ['conversation.rule_matched'] });
    const dana = await desk.agent('Dana');
    const label = await desk.owner.post<{ id: string }>('/conversation-labels', { name: 'Prices' });
    const saved = await desk.owner.post<{ id: string }>('/saved-replies', {
      shortcut: 'prices',
      title: 'Prices',
      text: 'Hello {{client_name|there}}, it costs 10. {{agent_name}}',
    });
    const { id } = await desk.rule({
      name: 'Prices',
      keywords: ['how much'],
      saved_reply_id: saved.id,
      label_ids: [label.id],
      assignee_id: String(dana.id),
      webhook: true,
    });
    const phone = newPhone();
    await desk.write(phone, 'So HOW MUCH is it?');
    await desk.gets(phone, [`Hello there, it costs 10. ${desk.account.name}`]);
    const conversation = await desk.conversationOf(phone);
    assert.deepEqual([conversation.assignee_id, conversation.label_ids], [String(dana.id), [label.id]]);
    const event = await waitFor('the webhook', async () => receiver.received[0]);
    const { data } = JSON.parse(event.body) as { data: Record<string, unknown> };
    assert.deepEqual(
      [data.rule, data.rule_id, data.conversation_id, data.text],
      ['Prices', id, conversation.id, 'So HOW MUCH is it?'],
    );
    const other = newPhone();
    await desk.write(other, 'Good morning');
    await desk.conversationOf(other);
    assert.deepEqual((await desk.conversationOf(other)).label_ids, []);
    const { matches, last_match_at } = await desk.owner.get<Rule>(`/conversation-rules/${id}`);
    assert.equal(matches, 1);
    assert.ok(last_match_at);
    const entries = await desk.log(id);
    assert.equal(entries.length, 1);
    assert.deepEqual(
      [entries[0]!.reply, entries[0]!.assigned, entries[0]!.webhook, entries[0]!.message_id],
      ['sent', true, true, data.message_id],
    );
    assert.deepEqual(await desk.texts(other), []);
  });

  test('of an account is for its messages alone', async () => {
    const [one, other] = [await newDesk(), await newDesk()];
    const { id } = await one.rule({ reply_text: 'From one' });
    await other.rule({ reply_text: 'From other' });
    const phone = newPhone();
    await one.write(phone, 'Hello');
    await one.gets(phone, ['From one']);
    await other.write(phone, 'Hello');
    await one.gets(phone, ['From one', 'From other']);
    assert.equal((await one.log(id)).length, 1);
    assert.equal(
      await other.owner.fetch('GET', `/conversation-rules/${id}`).then(({ status }) => status),
      404,
    );
    assert.equal((await other.owner.fetch('GET', `/conversation-rules/${id}/log`)).status, 404);
  });

  test('is looked at in its order, up to the first that stops; a change holds for the next message', async () => {
    const desk = await newDesk();
    const first = await desk.rule({ name: 'first', reply_text: 'one', keywords: ['a'] });
    const second = await desk.rule({ name: 'second', reply_text: 'two', stop: true });
    const third = await desk.rule({ name: 'third', reply_text: 'three' });
    const says = async (text: string, wanted: readonly string[]) => {
      const phone = newPhone();
      await desk.write(phone, text);
      await desk.gets(phone, wanted);
    };
    await says('a', ['one', 'two']);
    await says('b', ['two']);
    await desk.owner.post('/conversation-rules/order', { ids: [third.id, second.id, first.id] });
    const { rules } = await desk.owner.get<{ rules: Rule[] }>('/conversation-rules');
    assert.deepEqual(
      rules.map(({ name }) => name),
      ['third', 'second', 'first'],
    );
    await says('a', ['three', 'two']);
    await desk.owner.call('PATCH', `/conversation-rules/${second.id}`, { enabled: false });
    await says('a', ['three', 'one']);
    await desk.owner.call('DELETE', `/conversation-rules/${third.id}`);
    await says('a', ['one']);
    const ids = [first.id];
    assert.deepEqual(await desk.owner.refused('POST', '/conversation-rules/order', { ids }), [
      'bad-field',
      'ids',
      400,
    ]);
  });

  test('for the first message of a conversation is for one that is opened again, too', async () => {
    const desk = await newDesk();
    await desk.rule({ reply_text: 'Welcome', first_only: true });
    const phone = newPhone();
    await desk.write(phone, 'Hello');
    await desk.gets(phone, ['Welcome']);
    await desk.write(phone, 'And more');
    const { id } = await desk.conversationOf(phone);
    await waitFor('the second message', async () => (await desk.received()) === 2);
    await desk.api.call('PATCH', `/conversations/${id}`, { state: 'closed' });
    await desk.write(phone, 'Again');
    await desk.gets(phone, ['Welcome', 'Welcome']);
  });

  test('sends no more than five automatic replies to one client within an hour', async () => {
    const desk = await newDesk();
    const { id } = await desk.rule({ reply_text: 'I am a program' });
    const phone = newPhone();
    for (let count = 1; count <= 8; count++) {
      await desk.write(phone, `And you? ${count}`);
      await waitFor('it is stored', async () => (await desk.received()) === count);
    }
    await desk.gets(
      phone,
      Array.from({ length: 5 }, () => 'I am a program'),
    );
    assert.deepEqual(
      (await desk.log(id)).map(({ reply }) => reply),
      ['limited', 'limited', 'limited', 'sent', 'sent', 'sent', 'sent', 'sent'],
    );
    const other = newPhone();
    await desk.write(other, 'Hello');
    await desk.gets(other, ['I am a program']);
    await service.advance(3_601);
    await desk.write(phone, 'An hour later');
    await desk.gets(
      phone,
      Array.from({ length: 6 }, () => 'I am a program'),
    );
  });

  test('does nothing with a message that asks for removal, and no away message is sent', async () => {
    const desk = await newDesk();
    const { id } = await desk.rule({ reply_text: 'Stay!' });
    await settings(desk.owner, { hours: closedAlways, away_message: 'Closed', assign_by_turns: true });
    const phone = newPhone();
    await desk.write(phone, 'STOP');
    const conversation = await desk.conversationOf(phone);
    assert.equal(conversation.assignee_id, null);
    const [row] = await sql`SELECT FROM blacklist WHERE account_id = ${desk.account.id}`;
    assert.ok(row, 'the client is on the blacklist');
    const tasks = await sql`SELECT FROM conversation_tasks WHERE account_id = ${desk.account.id}`;
    assert.deepEqual([tasks.length, (await desk.log(id)).length], [0, 0]);
  });

  test('leaves a conversation with the person who has it, and out what there is no more', async () => {
    const desk = await newDesk();
    const [dana, gone] = [await desk.agent('Dana'), await desk.agent('Gone')];
    const label = await desk.owner.post<{ id: string }>('/conversation-labels', { name: 'Old' });
    await desk.rule({ keywords: ['dana'], assignee_id: String(dana.id) });
    await desk.rule({ keywords: ['gone'], assignee_id: String(gone.id), label_ids: [label.id] });
    await desk.owner.call('DELETE', `/conversation-labels/${label.id}`);
    await appContext.people.people.change(desk.account.id, gone.id, { suspended: true });
    const phone = newPhone();
    await desk.write(phone, 'gone');
    const before = await desk.conversationOf(phone);
    assert.deepEqual([before.assignee_id, before.label_ids], [null, []]);
    await desk.write(phone, 'dana');
    await waitFor('Dana has it', async () => (await desk.find(phone))!.assignee_id === String(dana.id));
  });

  test('is refused when it does nothing, or names what the account does not have', async () => {
    const [desk, other] = [await newDesk(), await newDesk()];
    const label = await other.owner.post<{ id: string }>('/conversation-labels', { name: 'Theirs' });
    const saved = await other.owner.post<{ id: string }>('/saved-replies', {
      shortcut: 'theirs',
      title: 'Theirs',
      text: 'Theirs',
    });
    const theirs = await other.agent('Theirs');
    const refused = async (body: object) => {
      const [code, field] = await desk.owner.refused('POST', '/conversation-rules', { name: 'x', ...body });
      assert.equal(code, 'bad-field');
      return field;
    };
    assert.equal(await refused({ keywords: ['a'] }), 'reply_text');
    assert.equal(await refused({ reply_text: 'a', saved_reply_id: saved.id }), 'reply_text');
    assert.equal(await refused({ saved_reply_id: saved.id }), 'saved_reply_id');
    assert.equal(await refused({ label_ids: [label.id] }), 'label_ids[0]');
    assert.equal(await refused({ assignee_id: String(theirs.id) }), 'assignee_id');
    assert.equal(await refused({ reply_text: 'a', keywords: ['?!'] }), 'keywords[0]');
    assert.equal(await refused({ reply_text: 'a', match: 'regex' }), 'match');
    assert.equal(await refused({ reply_text: 'a\0' }), 'reply_text');
    assert.equal(await refused({ assign_by_turns: true, assignee_id: '1' }), 'assign_by_turns');
    assert.deepEqual((await desk.owner.get<{ rules: [] }>('/conversation-rules')).rules, []);
  });
});

describe('the away message', () => {
  test('is sent to a client once until the next opening, and not together with the reply of a rule', async () => {
    const desk = await newDesk();
    await settings(desk.owner, { hours: closedAlways, away_message: 'Closed, {{client_name|friend}}' });
    await desk.rule({ keywords: ['price'], reply_text: 'It costs 10', when: 'closed-hours' });
    const phone = newPhone();
    await desk.write(phone, 'Hello');
    await desk.gets(phone, ['Closed, friend']);
    await desk.write(phone, 'Anybody?');
    await waitFor('the second message', async () => (await desk.received()) === 2);
    const asking = newPhone();
    await desk.write(asking, 'Price?');
    await desk.gets(asking, ['It costs 10']);
    assert.deepEqual(await desk.texts(phone), ['Closed, friend']);

    await settings(desk.owner, { hours: null });
    await desk.write(phone, 'And now?');
    await desk.write(asking, 'Price?');
    await waitFor('messages while it is open', async () => (await desk.received()) === 5);
    assert.deepEqual(await desk.texts(asking), ['It costs 10']);
    assert.deepEqual(await desk.texts(phone), ['Closed, friend']);
  });

  test('goes again after hours in which it was open', async () => {
    const desk = await newDesk();
    const now = appContext.clock.now();
    const day = new Date(now).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
    await appContext.accounts.change(desk.account.id, { timeZone: 'UTC' });
    const hour = new Date(now).getUTCHours();
    const text = (value: number) => `${String(value % 24).padStart(2, '0')}:00`;
    // Open from two hours from now on, for an hour; maybe after midnight.
    const opens = (hour + 2) % 24;
    const next = new Date(now + 86_400_000)
      .toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
      .toLowerCase();
    const onDay = hour + 2 < 24 ? day : next;
    const hours = { ...closedAlways, [onDay]: [`${text(opens)}-${text(opens + 1)}`] };
    await settings(desk.owner, { hours, away_message: 'Closed' });
    const phone = newPhone();
    await desk.write(phone, 'Hello');
    await desk.gets(phone, ['Closed']);
    await service.advance(3_600);
    await desk.write(phone, 'Still closed?');
    await waitFor('the second message', async () => (await desk.received()) === 2);
    await service.advance(2 * 3_600);
    await desk.write(phone, 'And today?');
    await waitFor('the third message', async () => (await desk.received()) === 3);
    await service.advance(3 * 3_600);
    await desk.write(phone, 'Closed again?');
    await desk.gets(phone, ['Closed', 'Closed']);
  });
});

describe('assignment by turns', () => {
  test('assigns new conversations evenly to everybody', async () => {
    const desk = await newDesk();
    const agents = [await desk.agent('A'), await desk.agent('B'), await desk.agent('C')];
    const turn_ids = agents.map(({ id }) => String(id));
    await settings(desk.owner, { assign_by_turns: true, turn_ids });
    const phones = Array.from({ length: 21 }, () => newPhone());
    await Promise.all(phones.map((phone) => desk.write(phone, 'Hello')));
    const assigned = await Promise.all(
      phones.map(async (phone) => (await desk.conversationOf(phone)).assignee_id),
    );
    assert.deepEqual(
      turn_ids.map((id) => assigned.filter((one) => one === id).length),
      [7, 7, 7],
    );
  });

  test('passes over who does not answer, and gives on what they had when the client writes again', async () => {
    const desk = await newDesk();
    const [dana, noa] = [await desk.agent('Dana'), await desk.agent('Noa')];
    await settings(desk.owner, { assign_by_turns: true, turn_ids: [dana.id, noa.id].map(String) });
    const takes = async (phone = newPhone()) => {
      const count = await desk.received();
      await desk.write(phone, 'Hello');
      await waitFor('it is stored', async () => (await desk.received()) === count + 1);
      return { phone, by: (await desk.conversationOf(phone)).assignee_id };
    };
    const first = await takes();
    assert.equal(first.by, String(dana.id));
    assert.equal((await takes()).by, String(noa.id));
    const close = async (phone: string) => {
      const { id } = await desk.conversationOf(phone);
      await desk.api.call('PATCH', `/conversations/${id}`, { state: 'closed' });
    };
    await close(first.phone);
    assert.equal((await takes(first.phone)).by, String(dana.id), 'who had it before');
    await appContext.people.people.change(desk.account.id, dana.id, { suspended: true });
    await close(first.phone);
    assert.equal((await takes(first.phone)).by, String(noa.id));
    assert.equal((await takes()).by, String(noa.id));
    await appContext.people.people.change(desk.account.id, noa.id, { suspended: true });
    assert.equal((await takes()).by, null);
    const [code, field] = await desk.owner.refused('PATCH', '/conversation-settings', {
      turn_ids: [String(noa.id)],
    });
    assert.deepEqual([code, field], ['bad-field', 'turn_ids[0]']);
  });
});

test('conversations without anything new are closed after the days that the account has set', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  await settings(desk.owner, { close_after_days: 2 });
  const [old, reopened, recent] = [newPhone(), newPhone(), newPhone()];
  const theirs = newPhone();
  await desk.write(old, 'Hello');
  await desk.write(reopened, 'Hello');
  await other.write(theirs, 'Hello');
  await desk.conversationOf(old);
  await other.conversationOf(theirs);
  const { id } = await desk.conversationOf(reopened);
  await desk.api.call('PATCH', `/conversations/${id}`, { state: 'closed' });
  await service.advance(2 * 86_400 + 60);
  await desk.api.call('PATCH', `/conversations/${id}`, { state: 'open' });
  await desk.write(recent, 'Hello');
  await desk.conversationOf(recent);
  const states = () =>
    Promise.all([old, reopened, recent].map(async (phone) => (await desk.find(phone))!.state));
  await waitFor('the old one is closed', async () => (await states())[0] === 'closed', 60_000);
  assert.deepEqual(await states(), ['closed', 'open', 'open']);
  assert.equal((await other.find(theirs))!.state, 'open');
});
