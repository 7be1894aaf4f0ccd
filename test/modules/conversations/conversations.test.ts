import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asPerson, type Calls, withToken } from '../../api/v1/calls.ts';
import { openStream } from '../../api/v1/live-support.ts';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Conversations with clients, from what simulated phones send. */

const chat = await startChat();
const { url, sql, demo } = chat;
const api = withToken(url, DEMO_TOKEN);
const owner = await asPerson(chat, 'owner', demo.id);

interface Conversation {
  readonly id: string;
  readonly sender: string;
  readonly client: string;
  readonly client_name: string;
  readonly channel: string;
  readonly state: string;
  readonly assignee_id: string | null;
  readonly unread: number;
  readonly label_ids: readonly string[];
  readonly last_at: string;
  readonly last_text: string;
  readonly last_from_client: boolean;
  readonly writer: { readonly name: string } | null;
  readonly replies: {
    readonly kinds: readonly string[];
    readonly problem: string | null;
    readonly closes_at: string | null;
  };
}
interface Item {
  readonly id: string;
  readonly kind: string;
  readonly by: string | null;
  readonly channel: string | null;
  readonly type: string | null;
  readonly text: string | null;
  readonly assignee: string | null;
  readonly labels_added: readonly string[];
  readonly message: { readonly state: string; readonly source: string } | null;
  readonly chat: { readonly kind: string; readonly buttons: readonly { readonly text: string }[] } | null;
}

const writesChat = (client: string, body: string) =>
  api.post<{ id: string }>(`/sandbox/phones/${client}/chat`, { to: SOURCE, body });
const writesSms = (client: string, text: string, to: string = SOURCE) =>
  api.post(`/sandbox/phones/${client}/sms`, { to, text });

const found = async (client: string, calls: Calls = api): Promise<Conversation | undefined> =>
  (await calls.get<{ conversations: Conversation[] }>(`/conversations?search=${client}`)).conversations[0];
const conversationOf = (client: string) => waitFor('the conversation', () => found(client));
/** As it is shown alone. */
const one = (id: string) => api.get<Conversation>(`/conversations/${id}`);
const timeline = async (id: string): Promise<Item[]> =>
  (await api.get<{ items: Item[] }>(`/conversations/${id}/timeline`)).items.reverse();
const reply = (calls: Calls, id: string, body: object, status = 202) =>
  calls.post<{ shipment_id: string }>(`/conversations/${id}/replies`, body, status);

/** A conversation whose client has written this, over chat. */
async function begun(text = 'Is it open today?'): Promise<{ client: string; id: string }> {
  const client = newClient();
  await writesChat(client, text);
  return { client, id: (await conversationOf(client)).id };
}

describe('what clients write', () => {
  test('over SMS and chat is one conversation, with everything that was sent from that number', async () => {
    const client = newClient();
    await writesSms(client, 'Hello by SMS');
    const first = await conversationOf(client);
    assert.deepEqual(
      [first.channel, first.state, first.unread, first.last_text, first.last_from_client],
      ['sms', 'open', 1, 'Hello by SMS', true],
    );
    await writesChat(client, 'and by chat');
    const both = await waitFor('the second message', async () => {
      const now = await one(first.id);
      return now.unread === 2 && now;
    });
    assert.deepEqual([both.channel, both.last_text], ['chat', 'and by chat']);
    await chat.accepted('send-template-message', {
      source: SOURCE,
      destination: client,
      templateId: templateId('plain'),
    });
    const items = await waitFor('the template to be delivered', async () => {
      const all = await timeline(first.id);
      return all[2]?.message?.state === 'delivered' && all;
    });
    assert.deepEqual(
      items.map(({ kind, channel, type, text }) => [kind, channel, type, text]),
      [
        ['received', 'sms', 'text', 'Hello by SMS'],
        ['received', 'chat', 'text', 'and by chat'],
        ['sent', 'chat', 'template', items[2]!.text],
      ],
    );
  });

  test('to another number is another conversation, and of another account none is seen', async () => {
    const { client, id } = await begun();
    await writesSms(client, 'Elsewhere', '0521112233');
    const { conversations } = await waitFor('both', async () => {
      const answer = await api.get<{ conversations: Conversation[] }>(`/conversations?search=${client}`);
      return answer.conversations.length === 2 && answer;
    });
    assert.notEqual(conversations[0]!.id, conversations[1]!.id);
    const other = await chat.addAccount({ username: 'others' });
    const theirs = withToken(url, other.token);
    await theirs.get(`/conversations/${id}`, 404);
    await theirs.get(`/conversations/${id}/timeline`, 404);
    await theirs.call('PATCH', `/conversations/${id}`, { state: 'closed' }, 404);
    await theirs.post(`/conversations/${id}/replies`, { text: 'Hello' }, 404);
    assert.deepEqual((await theirs.get<{ conversations: [] }>('/conversations')).conversations, []);
  });

  test('opens a closed conversation again', async () => {
    const { client, id } = await begun();
    await owner.call('PATCH', `/conversations/${id}`, { state: 'closed' });
    const closed = await one(id);
    assert.deepEqual([closed.state, closed.unread], ['closed', 0]);
    await writesChat(client, 'One more thing');
    const opened = await waitFor('the conversation to be open', async () => {
      const now = await one(id);
      return now.state === 'open' && now;
    });
    assert.equal(opened.unread, 1);
    const items = await timeline(id);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['received', 'closed', 'received'],
    );
  });

  test('is reported as events, to which a webhook can subscribe alone', async () => {
    const receiver = await startReceiver();
    await api.post('/webhooks', {
      url: receiver.url,
      types: ['message.received', 'conversation.opened', 'conversation.assigned', 'conversation.closed'],
    });
    const { client, id } = await begun('Where is my parcel?');
    const { agents } = await owner.get<{ agents: { id: string; name: string }[] }>('/conversation-agents');
    await owner.call('PATCH', `/conversations/${id}`, { assignee_id: agents[0]!.id });
    await owner.call('PATCH', `/conversations/${id}`, { state: 'closed' });
    const told = await waitFor('four events', () => {
      const events = receiver.received
        .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
        .filter(({ data }) => data.from === client);
      return events.length === 4 && events;
    });
    const of = (type: string) => told.find((event) => event.type === type)!.data;
    assert.equal(of('conversation.opened').reopened, false);
    assert.deepEqual(
      [of('message.received').text, of('message.received').conversation_id],
      ['Where is my parcel?', id],
    );
    assert.equal(of('conversation.assigned').assignee_id, agents[0]!.id);
    assert.equal(of('conversation.closed').conversation_id, id);
  });
});

describe('replies', () => {
  test('go over the channel and from the number that the client wrote to, once for a key', async () => {
    const { client, id } = await begun();
    assert.deepEqual((await one(id)).replies.kinds, ['text', 'media', 'buttons', 'carousel', 'template']);
    const headers = { 'idempotency-key': `"reply-${id}"` };
    const send = () =>
      owner.fetch('POST', `/conversations/${id}/replies`, { text: 'Yes, until six' }, headers);
    const answers = await Promise.all([send(), send()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202],
    );
    const phone = await waitFor('the phone to have it', async () => {
      const { chat: messages } = await api.get<{ chat: { body: string }[] }>(`/sandbox/phones/${client}`);
      return messages.length > 0 && messages;
    });
    assert.deepEqual(
      phone.map(({ body }) => body),
      ['Yes, until six'],
    );
    const item = await waitFor('it to be delivered', async () => {
      const items = await timeline(id);
      return items[1]?.message?.state === 'delivered' && items[1];
    });
    assert.deepEqual(
      [item.kind, item.text, item.by?.startsWith('person-')],
      ['sent', 'Yes, until six', true],
    );
    const now = await one(id);
    assert.deepEqual([now.unread, now.last_text, now.last_from_client], [0, 'Yes, until six', false]);
  });

  test('by SMS are texts, with their price', async () => {
    const client = newClient();
    await writesSms(client, 'Stock?', '0521112233');
    const { id } = await conversationOf(client);
    assert.deepEqual((await one(id)).replies, { kinds: ['text'], problem: null, closes_at: null });
    const estimate = await owner.post<{ cost: string; parts: number }>(
      `/conversations/${id}/replies/estimate`,
      {
        text: 'כן '.repeat(40),
      },
    );
    assert.equal(estimate.parts, 2);
    const before = await chat.balance();
    await reply(owner, id, { text: 'Yes' });
    const sms = await waitFor('the phone to have it', async () => (await chat.phone(client))[0]);
    assert.deepEqual([sms.text, sms.from], ['Yes', '0521112233']);
    assert.ok((await chat.balance()) < before);
    assert.deepEqual(await owner.refused('POST', `/conversations/${id}/replies`, { buttons: buttons }), [
      'bad-field',
      'buttons',
      400,
    ]);
  });

  test('with buttons are shown as the phone shows them, and their press is in the conversation', async () => {
    const { client, id } = await begun();
    await reply(owner, id, { buttons });
    const sent = await waitFor('the phone to have it', async () => {
      const { chat: messages } = await api.get<{ chat: { id: string }[] }>(`/sandbox/phones/${client}`);
      return messages[0];
    });
    await api.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, message: sent.id, button: '1' });
    const items = await waitFor('the press', async () => {
      const all = await timeline(id);
      return all.length === 3 && all;
    });
    assert.deepEqual(
      items[1]!.chat!.buttons.map(({ text }) => text),
      ['Today', 'Tomorrow'],
    );
    assert.deepEqual([items[2]!.type, items[2]!.text], ['button', 'Today']);
  });

  test('are templates alone once the window is closed, and nothing else is sent or charged', async () => {
    const { client, id } = await begun();
    await sql`
      UPDATE chat_windows SET client_at = client_at - 86400001 WHERE account_id = ${demo.id} AND client = ${client}`;
    const { replies } = await one(id);
    assert.deepEqual(
      [replies.kinds, replies.problem, replies.closes_at],
      [['template'], 'window-closed', null],
    );
    const before = await chat.balance();
    assert.deepEqual(await owner.refused('POST', `/conversations/${id}/replies`, { text: 'Hello' }), [
      'window-closed',
      undefined,
      400,
    ]);
    assert.equal(await chat.balance(), before);
    await reply(owner, id, { template: { template_id: templateId('plain') } });
    const items = await timeline(id);
    assert.deepEqual([items[1]!.kind, items[1]!.chat!.kind], ['sent', 'template']);
  });

  test('can quote a message of the client, and report it', async () => {
    const { client, id } = await begun('Which colours are there?');
    const [asked] = await timeline(id);
    await reply(owner, id, { text: 'Red and blue', reply_to: asked!.id });
    const { items } = await api.get<{ items: (Item & { reply_to: string | null })[] }>(
      `/conversations/${id}/timeline`,
    );
    assert.deepEqual([items[0]!.text, items[0]!.reply_to], ['Red and blue', asked!.id]);
    await waitFor('the phone to have it', async () => {
      const { chat: messages } = await api.get<{ chat: unknown[] }>(`/sandbox/phones/${client}`);
      return messages.length > 0;
    });
  });

  test('name the field that is wrong', async () => {
    const { id } = await begun();
    const refused = (body: object) => owner.refused('POST', `/conversations/${id}/replies`, body);
    assert.deepEqual(await refused({}), ['bad-field', 'text', 400]);
    assert.deepEqual(await refused({ text: ' ' }), ['bad-field', 'text', 400]);
    assert.deepEqual(await refused({ text: 'Hello', buttons }), ['bad-field', 'buttons', 400]);
    assert.deepEqual(await refused({ text: 'Hello', reply_to: '7' }), ['bad-reply', 'reply_to', 400]);
    assert.deepEqual(
      await refused({ buttons: { ...buttons, replies: [{ text: 'Same' }, { text: 'Same' }] } }),
      ['bad-field', 'buttons.replies[1].text', 400],
    );
    assert.deepEqual(await refused({ template: { template_id: 'none' } }), [
      'unknown-template',
      'template.template_id',
      400,
    ]);
  });
});

const buttons = { body: 'When shall we come?', replies: [{ text: 'Today' }, { text: 'Tomorrow' }] };

describe('teams', () => {
  test('two people do not write over each other', async () => {
    const { id } = await begun();
    const [noa, avi] = [await asPerson(chat, 'agent', demo.id), await asPerson(chat, 'agent', demo.id)];
    const writing = (calls: Calls, body: object) =>
      calls.post<Conversation>(`/conversations/${id}/writing`, body);
    const mine = (await writing(noa, { writing: true })).writer!.name;
    assert.equal((await writing(avi, { writing: true })).writer!.name, mine);
    const refused = await avi.fetch('POST', `/conversations/${id}/replies`, { text: 'Me too' });
    const { error } = (await refused.json()) as { error: { code: string; reason: string; params: object } };
    assert.deepEqual([refused.status, error.code, error.reason], [409, 'not-now', 'somebody-writes']);
    assert.notEqual((await writing(avi, { writing: true, take_over: true })).writer!.name, mine);
    await reply(avi, id, { text: 'I answer' });
    assert.equal((await one(id)).writer, null);
    await reply(noa, id, { text: 'And I' });
  });

  test('assignment, labels, notes and states appear in the timeline, and lists find them', async () => {
    const { client, id } = await begun();
    const agent = await asPerson(chat, 'agent', demo.id);
    const { agents } = await agent.get<{ agents: { id: string; name: string }[] }>('/conversation-agents');
    const me = agents.at(-1)!;
    const label = await owner.post<{ id: string }>('/conversation-labels', {
      name: `Order ${id}`,
      color: 'blue',
    });
    const changed = await agent.call<Conversation>('PATCH', `/conversations/${id}`, {
      assignee_id: me.id,
      label_ids: [label.id],
    });
    assert.deepEqual([changed.assignee_id, changed.label_ids], [me.id, [label.id]]);
    await agent.post(`/conversations/${id}/notes`, { text: 'Pays late' });
    const items = await timeline(id);
    assert.deepEqual(
      items.map(({ kind, text, assignee, labels_added }) => [kind, text, assignee, labels_added]),
      [
        ['received', 'Is it open today?', null, []],
        ['assigned', null, me.name, []],
        ['labels', null, null, [label.id]],
        ['note', 'Pays late', null, []],
      ],
    );
    const ids = async (query: string, calls: Calls = api) =>
      (await calls.get<{ conversations: Conversation[] }>(`/conversations?${query}`)).conversations.map(
        (row) => row.id,
      );
    assert.deepEqual(await ids(`label=${label.id}`), [id]);
    assert.deepEqual(await ids(`assignee=${me.id}`), [id]);
    assert.ok((await ids('assignee=none')).every((other) => other !== id));
    assert.ok((await ids('unread=true')).includes(id));
    assert.deepEqual(await ids(`search=0${client.slice(3)}&state=open`), [id]);
    assert.deepEqual(await ids(`search=0${client.slice(3)}&state=closed`), []);
    assert.deepEqual(await api.refused('GET', '/conversations?assignee=me'), ['bad-field', 'assignee', 400]);
    assert.deepEqual(await agent.refused('PATCH', `/conversations/${id}`, { assignee_id: '1' }), [
      'bad-field',
      'assignee_id',
      400,
    ]);
    assert.deepEqual(await agent.refused('PATCH', `/conversations/${id}`, { label_ids: ['1'] }), [
      'bad-field',
      'label_ids[0]',
      400,
    ]);
    assert.deepEqual(
      await owner.refused('POST', '/conversation-labels', { name: `order ${id}`, color: 'red' }),
      ['bad-field', 'name', 400],
    );
  });

  test('what was read up to a message leaves later ones unread', async () => {
    const { client, id } = await begun();
    const [seen] = await timeline(id);
    await writesChat(client, 'And tomorrow?');
    await waitFor('the second message', async () => (await one(id)).unread === 2);
    await owner.post(`/conversations/${id}/read`, { up_to: seen!.id });
    assert.equal((await one(id)).unread, 2);
    await owner.post(`/conversations/${id}/read`, { up_to: (await timeline(id)).at(-1)!.id });
    assert.equal((await one(id)).unread, 0);
    await owner.post(`/conversations/${id}/read`, { up_to: null });
    assert.equal((await one(id)).unread, 1);
  });

  test('a viewer sees that there are messages, and not what they say', async () => {
    const { client, id } = await begun();
    const viewer = await asPerson(chat, 'viewer', demo.id);
    assert.equal((await found(client, viewer))!.last_text, '••••••');
    const { items } = await viewer.get<{ items: Item[] }>(`/conversations/${id}/timeline`);
    assert.equal(items[0]!.text, null);
    await viewer.post(`/conversations/${id}/replies`, { text: 'Hello' }, 403);
  });
});

test('a live stream tells of conversations and of the messages of one', async () => {
  const { client, id } = await begun();
  const stream = await openStream(`${url}/v1/live?conversations=true&conversation=${id}`, DEMO_TOKEN);
  await writesChat(client, 'Are you there?');
  await stream.until(
    'the second message',
    ({ type, data }) => type === 'conversation' && data.id === id && data.last_text === 'Are you there?',
  );
  await reply(owner, id, { text: 'Yes' });
  await stream.until('its delivery', ({ type, data }) => type === 'message' && data.state === 'delivered');
  await stream.close();
});

test('conversations are begun from the numbers of the account that clients can write to', async () => {
  const { senders } = await api.get<{ senders: { sender: string; channel: string }[] }>(
    '/conversation-senders',
  );
  const shown = senders.map(({ sender, channel }) => `${channel} ${sender}`);
  assert.ok(shown.includes('chat 0550000001'), shown.join());
  const other = await chat.addAccount({ username: 'senders' });
  const theirs = withToken(url, other.token);
  assert.deepEqual((await theirs.get<{ senders: [] }>('/conversation-senders')).senders, []);
});

test('a conversation can be begun with a client who has never written', async () => {
  const client = newClient();
  const begin = (body: object) =>
    owner.post<Conversation>('/conversations', { sender: SOURCE, client, channel: 'chat', ...body });
  const made = await begin({});
  assert.deepEqual([made.replies.kinds, made.replies.problem], [['template'], 'never-written']);
  assert.equal((await begin({})).id, made.id);
  assert.deepEqual(
    await owner.refused('POST', '/conversations', { sender: '972559999999', client, channel: 'chat' }),
    ['bad-field', 'sender', 400],
  );
});

test('many people of an account watch its conversations', async () => {
  const { client, id } = await begun();
  const streams = await Promise.all(
    Array.from({ length: 40 }, () => openStream(`${url}/v1/live?conversations=true`, DEMO_TOKEN)),
  );
  await writesChat(client, 'Everybody sees this');
  await Promise.all(
    streams.map((stream) =>
      stream.until(
        'the message',
        ({ type, data }) =>
          type === 'conversation' && data.id === id && data.last_text === 'Everybody sees this',
      ),
    ),
  );
  await Promise.all(streams.map((stream) => stream.close()));
});
