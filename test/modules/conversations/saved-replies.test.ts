import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, type Calls } from '../../api/v1/calls.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Saved replies, and the settings of conversations, under /v1. */

const service = await startTestService();
const { demo } = service;
const owner = await asPerson(service, 'owner', demo.id);
const agent = await asPerson(service, 'agent', demo.id);
const stranger = await asPerson(service, 'owner', (await service.addAccount({ username: 'stranger' })).id);

interface SavedReply {
  readonly id: string;
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly created_by: string | null;
  readonly uses: number;
}

const save = (shortcut: string, over: object = {}) =>
  owner.post<SavedReply>('/saved-replies', { shortcut, title: `About ${shortcut}`, text: 'Hello', ...over });
const list = async (calls: Calls, search = '') =>
  (await calls.get<{ saved_replies: SavedReply[] }>(`/saved-replies?search=${encodeURIComponent(search)}`))
    .saved_replies;

test('saved replies are found by their shortcut first, then by anything in them', async () => {
  await save('Refund', { text: 'Money comes back in a week' });
  await save('hours', { title: 'Opening hours', text: 'From 9' });
  await save('re-open', { title: 'Open again' });
  await save('מחיר', { title: 'המחיר שלנו' });
  const shortcuts = async (search: string) => (await list(agent, search)).map(({ shortcut }) => shortcut);
  assert.deepEqual(await shortcuts(''), ['hours', 're-open', 'refund', 'מחיר']);
  assert.deepEqual(await shortcuts('RE'), ['re-open', 'refund']);
  assert.deepEqual(await shortcuts('open'), ['hours', 're-open']);
  assert.deepEqual(await shortcuts('מח'), ['מחיר']);
  assert.deepEqual(await shortcuts('money'), ['refund']);
  assert.deepEqual(await shortcuts('%'), []);
  assert.deepEqual(await list(stranger), []);
});

test('a shortcut is one of its account alone, without spaces', async () => {
  const { id } = await save('once');
  const refused = (body: object) =>
    owner.refused('POST', '/saved-replies', { shortcut: 'x', title: 'x', text: 'x', ...body });
  assert.deepEqual(await refused({ shortcut: 'ONCE' }), ['bad-field', 'shortcut', 400]);
  assert.deepEqual(await refused({ shortcut: 'two words' }), ['bad-field', 'shortcut', 400]);
  assert.deepEqual(await refused({ shortcut: '/x' }), ['bad-field', 'shortcut', 400]);
  assert.deepEqual(await refused({ text: ' ' }), ['bad-field', 'text', 400]);
  const theirs = { shortcut: 'once', title: 'Theirs', text: 'Theirs' };
  const other = await stranger.post<SavedReply>('/saved-replies', theirs);
  assert.equal((await owner.fetch('DELETE', `/saved-replies/${other.id}`)).status, 404);
  assert.equal((await stranger.fetch('PATCH', `/saved-replies/${id}`, { title: 'x' })).status, 404);
  await save('twice');
  assert.deepEqual(await owner.refused('PATCH', `/saved-replies/${id}`, { shortcut: 'twice' }), [
    'bad-field',
    'shortcut',
    400,
  ]);
  const changed = await owner.call<SavedReply>('PATCH', `/saved-replies/${id}`, { title: 'Changed' });
  assert.deepEqual([changed.shortcut, changed.title, changed.text], ['once', 'Changed', 'Hello']);
});

test('an agent takes one for a conversation, with its names; it is counted, and cannot be changed by them', async () => {
  const { id } = await save('greeting', { text: 'Hello {{client_name|there}}, {{agent_name}} here' });
  const phone = newPhone();
  await service.sendFromPhone(phone, '0559876543', 'Hello');
  const conversation = await waitFor(
    'the conversation',
    async () =>
      (await agent.get<{ conversations: { id: string }[] }>(`/conversations?search=${phone}`))
        .conversations[0],
  );
  const { person } = await agent.get<{ person: { name: string } }>('/session');
  const body = { conversation_id: conversation.id };
  const { text } = await agent.post<{ text: string }>(`/saved-replies/${id}/use`, body);
  assert.equal(text, `Hello there, ${person.name} here`);
  assert.equal((await list(agent, 'greeting'))[0]!.uses, 1);
  assert.equal((await stranger.fetch('POST', `/saved-replies/${id}/use`, body)).status, 404);
  assert.equal((await agent.refused('PATCH', `/saved-replies/${id}`, { title: 'x' }))[2], 403);
  assert.equal((await list(agent, 'greeting'))[0]!.uses, 1);
});

test('one that a rule sends is not deleted', async () => {
  const { id } = await save('kept');
  const rule = await owner.post<{ id: string }>('/conversation-rules', {
    name: 'Sends it',
    saved_reply_id: id,
  });
  assert.deepEqual(await owner.refused('DELETE', `/saved-replies/${id}`), ['not-now', undefined, 409]);
  await owner.call('DELETE', `/conversation-rules/${rule.id}`);
  await owner.call('DELETE', `/saved-replies/${id}`);
  assert.deepEqual(await list(owner, 'kept'), []);
});

test('settings keep what is not given, are those of their account, and name the field that is wrong', async () => {
  interface Settings {
    readonly time_zone: string;
    readonly is_open: boolean;
    readonly hours: Readonly<Record<string, readonly string[]>> | null;
    readonly closed_dates: readonly { readonly date: string; readonly name: string }[];
    readonly away_message: string | null;
    readonly close_after_days: number | null;
  }
  const get = (calls: Calls) => calls.get<Settings>('/conversation-settings');
  const change = (body: object) => owner.call<Settings>('PATCH', '/conversation-settings', body);
  const before = await get(owner);
  assert.deepEqual([before.hours, before.is_open, before.away_message], [null, true, null]);
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  const hours = Object.fromEntries(days.map((day) => [day, [] as string[]]));
  const closed = await change({ hours });
  assert.equal(closed.is_open, false);
  await change({ away_message: 'Closed', close_after_days: 14 });
  const dates = [{ date: '2027-10-02', name: 'Rosh Hashanah' }, { date: '2027-04-21' }];
  await change({ closed_dates: dates, hours: { ...hours, sunday: ['09:00-13:00', '22:00-02:00'] } });
  const after = await get(owner);
  assert.deepEqual(after.hours!.sunday, ['09:00-13:00', '22:00-02:00']);
  assert.deepEqual(after.closed_dates, [{ date: '2027-04-21', name: '' }, dates[0]]);
  assert.deepEqual([after.away_message, after.close_after_days], ['Closed', 14]);
  assert.equal((await get(stranger)).away_message, null);
  assert.equal(after.time_zone, 'Asia/Jerusalem');

  const refused = async (body: object) => {
    const [code, field] = await owner.refused('PATCH', '/conversation-settings', body);
    assert.equal(code, 'bad-field');
    return field;
  };
  assert.equal(await refused({ hours: { ...hours, monday: ['9-17'] } }), 'hours.monday[0]');
  assert.equal(await refused({ hours: { ...hours, monday: ['09:00-09:00'] } }), 'hours.monday[0]');
  assert.equal(await refused({ hours: { monday: [] } }), 'hours.sunday');
  assert.equal(await refused({ closed_dates: [{ date: '2027-02-30' }] }), 'closed_dates[0].date');
  assert.equal(await refused({ close_after_days: 0 }), 'close_after_days');
  assert.equal(await refused({ away_message: '' }), 'away_message');
  assert.equal(await refused({ turn_ids: ['1'] }), 'turn_ids[0]');
  assert.deepEqual(await get(owner), after);
  assert.equal((await agent.refused('GET', '/conversation-settings'))[2], 403);
});
