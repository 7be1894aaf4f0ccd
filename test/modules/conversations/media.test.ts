import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { json, v1 } from '../../api/v1/support.ts';
import { newClient, SOURCE, startChat } from '../../channels/chat-api/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { html, jpeg, pdf, voiceNote, webp } from '../media/samples.ts';

/* A client and an agent send each other files. */

const chat = await startChat();
const { url, sql, demo } = chat;
const api = withToken(url, DEMO_TOKEN);
const files = v1(url, DEMO_TOKEN);
const agent = await asPerson(chat, 'agent', demo.id);

interface Conversation {
  readonly id: string;
  readonly last_type: string;
  readonly last_text: string;
  readonly replies: { readonly kinds: readonly string[] };
}
interface Item {
  readonly kind: string;
  readonly type: string | null;
  readonly text: string | null;
  readonly content: { readonly media_id?: string } | null;
  readonly chat: {
    readonly kind: string;
    readonly media: { readonly media_id: string; readonly kind: string; readonly file_name: string } | null;
  } | null;
  readonly message: { readonly state: string; readonly source: string } | null;
}
interface ShownMedia {
  readonly type: string;
  readonly url: string;
  readonly mimeType: string;
  readonly fileName: string;
  readonly voice: boolean;
}

async function begun(): Promise<{ client: string; id: string }> {
  const client = newClient();
  await api.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, body: 'Hello' });
  const id = await waitFor('the conversation', async () => {
    const { conversations } = await api.get<{ conversations: Conversation[] }>(
      `/conversations?search=${client}`,
    );
    return conversations[0]?.id;
  });
  return { client, id };
}
const upload = async (kind: string, bytes: Buffer, name = '') =>
  (await json<{ id: string }>(files.post(`/media?kind=${kind}&file_name=${name}`, bytes))).id;

/** The file that came to a phone, as it shows it, and its bytes. */
async function arrived(client: string) {
  const messages = (await chat.arrived(client)) as unknown as { body: string; media: ShownMedia }[];
  const { body, media } = messages.at(-1)!;
  const answer = await fetch(url + media.url, { headers: { authorization: `Bearer ${DEMO_TOKEN}` } });
  return { body, media, bytes: Buffer.from(await answer.arrayBuffer()) };
}

for (const { kind, bytes, name, caption, type } of [
  { kind: 'image', bytes: jpeg(50_000), name: 'menu.jpg', caption: 'Our new menu', type: 'image/jpeg' },
  { kind: 'document', bytes: pdf, name: 'offer.pdf', caption: '', type: 'application/pdf' },
  { kind: 'audio', bytes: voiceNote(), name: '', caption: '', type: 'audio/ogg' },
  { kind: 'sticker', bytes: webp, name: '', caption: '', type: 'image/webp' },
]) {
  test(`an agent sends a file as ${kind}, and the phone has it`, async () => {
    const { client, id } = await begun();
    const shown = await agent.get<Conversation>(`/conversations/${id}`);
    assert.ok(shown.replies.kinds.includes('media'));
    const mediaId = await upload(kind, bytes, name);
    await agent.post(`/conversations/${id}/replies`, { media: { media_id: mediaId, caption } }, 202);
    const { body, media, bytes: received } = await arrived(client);
    assert.deepEqual(
      [body, media.type, media.mimeType, media.fileName, media.voice],
      [caption, kind, type, kind === 'document' ? name : '', kind === 'audio'],
    );
    assert.ok(received.equals(bytes));
    const now = await agent.get<Conversation>(`/conversations/${id}`);
    assert.deepEqual([now.last_type, now.last_text], [kind, caption]);
    const [item] = (await agent.get<{ items: Item[] }>(`/conversations/${id}/timeline`)).items;
    assert.deepEqual([item!.kind, item!.chat!.kind, item!.chat!.media!.media_id], ['sent', 'media', mediaId]);
    await waitFor('it is delivered', async () => {
      const [sent] = (await agent.get<{ items: Item[] }>(`/conversations/${id}/timeline`)).items;
      return sent?.message?.state === 'delivered';
    });
  });
}

test('a file of a client is in the conversation, and an agent reads it and sends it to another client', async () => {
  const { client, id } = await begun();
  const bytes = jpeg(20_000);
  await files.post(`/sandbox/phones/${client}/files?to=${SOURCE}&type=image&mime_type=image/jpeg`, bytes);
  const mediaId = await waitFor('the picture', async () => {
    const [item] = (await agent.get<{ items: Item[] }>(`/conversations/${id}/timeline`)).items;
    return item?.type === 'image' && item.content!.media_id!;
  });
  await waitFor('it is fetched', async () => {
    const { state } = await agent.get<{ state: string }>(`/media/${mediaId}`);
    return state === 'stored';
  });
  const answer = await agent.fetch('GET', `/media/${mediaId}/file`);
  assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())));
  const other = await begun();
  await agent.post(`/conversations/${other.id}/replies`, { media: { media_id: mediaId } }, 202);
  assert.ok((await arrived(other.client)).bytes.equals(bytes));
});

test('what cannot be sent is refused with its field, and nothing is stored', async () => {
  const { client, id } = await begun();
  const stranger = await chat.addAccount({ username: 'stranger' });
  const theirs = await json<{ id: string }>(v1(url, stranger.token).post('/media?kind=image', jpeg()));
  await files.post(
    `/sandbox/phones/${client}/files?to=${SOURCE}&type=document&mime_type=text/html&file_name=a.bin`,
    Buffer.concat([Buffer.alloc(4), html]),
  );
  const binary = await waitFor('the document', async () => {
    const [row] = await sql<{ id: number }[]>`SELECT id FROM media WHERE file_name = 'a.bin' AND state = 1`;
    return row && String(row.id);
  });
  const count = async () => (await sql`SELECT count(*)::int AS count FROM messages`)[0]!.count;
  const before = await count();
  for (const [media, field] of [
    [{ media_id: theirs.id }, 'media.media_id'],
    [{ media_id: '1' }, 'media.media_id'],
    [{ media_id: 'x' }, 'media.media_id'],
    [{ media_id: binary }, 'media.media_id'],
    [{ media_id: await upload('audio', voiceNote()), caption: 'Listen' }, 'media.caption'],
    [{ media_id: await upload('image', jpeg()), caption: 'x'.repeat(1_025) }, 'media.caption'],
    [{}, 'media.media_id'],
  ] as const) {
    const path = `/conversations/${id}/replies`;
    assert.deepEqual(await agent.refused('POST', path, { media }), ['bad-field', field, 400]);
    assert.deepEqual(await agent.refused('POST', `${path}/estimate`, { media }), ['bad-field', field, 400]);
  }
  assert.equal(await count(), before);
});

test('an SMS has no files', async () => {
  const client = newClient();
  await api.post(`/sandbox/phones/${client}/sms`, { to: SOURCE, text: 'Hello' });
  const conversation = await waitFor('the conversation', async () => {
    const { conversations } = await api.get<{ conversations: Conversation[] }>(
      `/conversations?search=${client}`,
    );
    return conversations[0];
  });
  const shown = await agent.get<Conversation>(`/conversations/${conversation.id}`);
  assert.ok(!shown.replies.kinds.includes('media'));
  const media = { media_id: await upload('image', jpeg()) };
  const [code] = await agent.refused('POST', `/conversations/${conversation.id}/replies`, { media });
  assert.equal(code, 'bad-field');
});
