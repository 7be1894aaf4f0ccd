import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { asPerson } from '../../api/v1/calls.ts';
import { json, v1 } from '../../api/v1/support.ts';
import { newClient, SOURCE, startChat } from '../../channels/chat-api/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { docx, html, jpeg, mp4, pdf, png, svg, voiceNote, webp } from './samples.ts';

/* A phone sends a file, and who may reads it; what is uploaded, and what is not taken. */

const chat = await startChat();
const { url, sql } = chat;
const api = v1(url, DEMO_TOKEN);

interface File {
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly mime_type: string;
  readonly file_name: string;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly shown: boolean;
  readonly problem: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Lets a phone send a file; the id that its message has for it. */
async function phoneSends(type: string, bytes: Buffer, mimeType: string, more = ''): Promise<string> {
  const client = newClient();
  const query = `to=${SOURCE}&type=${type}&mime_type=${encodeURIComponent(mimeType)}${more}`;
  await json(api.post(`/sandbox/phones/${client}/files?${query}`, bytes));
  return waitFor('the message is stored', async () => {
    const [row] = await sql<{ content: { media_id: string } }[]>`
      SELECT content FROM chat_incoming WHERE client = ${client}`;
    return row?.content.media_id;
  });
}

/** The details of a file when it is not pending any more. */
const settled = (id: string) =>
  waitFor('the file is fetched', async () => {
    const file = await json<File>(api.get(`/media/${id}`));
    return file.state !== 'pending' && file;
  });

const download = (id: string, headers: Record<string, string> = {}, token = DEMO_TOKEN) =>
  fetch(`${url}/v1/media/${id}/file`, { headers: { authorization: `Bearer ${token}`, ...headers } });

test('a picture of a client is fetched, and shown as what it is', async () => {
  const bytes = jpeg(100_000);
  const id = await phoneSends('image', bytes, 'image/jpeg', '&caption=Look');
  const file = await settled(id);
  assert.deepEqual(
    { ...file, created_at: '', expires_at: '' },
    {
      ...{ id, kind: 'image', state: 'stored', mime_type: 'image/jpeg', file_name: '', size: bytes.length },
      ...{ sha256: hash('sha256', bytes, 'hex'), shown: true, problem: null, created_at: '', expires_at: '' },
    },
  );
  assert.equal(Date.parse(file.expires_at) - Date.parse(file.created_at), 400 * 86_400_000);
  const answer = await download(id);
  assert.equal(answer.status, 200);
  assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())));
  const header = (name: string) => answer.headers.get(name);
  assert.deepEqual(
    [header('content-type'), header('content-length'), header('content-disposition')],
    ['image/jpeg', String(bytes.length), 'inline'],
  );
  assert.equal(header('x-content-type-options'), 'nosniff');
  assert.equal(header('content-security-policy'), "default-src 'none'; sandbox");
  assert.equal(header('cache-control'), 'private, no-cache');
});

test('parts of a film, as a browser asks for them when it plays', async () => {
  const bytes = Buffer.concat([mp4, Buffer.alloc(50_000, 7)]);
  const id = await phoneSends('video', bytes, 'video/mp4');
  await settled(id);
  const part = await download(id, { range: 'bytes=10-19' });
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), part.headers.get('content-length')],
    [206, `bytes 10-19/${bytes.length}`, '10'],
  );
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
  const none = await download(id, { range: `bytes=${bytes.length}-` });
  assert.deepEqual([none.status, none.headers.get('content-range')], [416, `bytes */${bytes.length}`]);
  const whole = await download(id, { range: 'lines=1-2' });
  assert.equal(whole.status, 200);
  await whole.arrayBuffer();
  const known = await download(id, { 'if-none-match': whole.headers.get('etag')! });
  assert.equal(known.status, 304);
  assert.equal(await known.text(), '');
});

describe('a document is saved and never shown', () => {
  for (const [name, bytes, type, file] of [
    ['a PDF', pdf, 'application/pdf', 'חשבונית (1).pdf'],
    ['a web page', html, 'text/html', 'a.html'],
    ['a drawing with a script', svg, 'image/svg+xml', 'a.svg'],
    ['a picture', png, 'image/png', 'a.png'],
  ] as const) {
    test(name, async () => {
      const id = await phoneSends('document', bytes, type, `&file_name=${encodeURIComponent(file)}`);
      const { state, shown, file_name: told } = await settled(id);
      assert.deepEqual([state, shown, told], ['stored', false, file]);
      const answer = await download(id);
      assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
      const disposition = answer.headers.get('content-disposition')!;
      assert.match(disposition, /^attachment; filename\*=UTF-8''[\w.%-]+$/);
      assert.equal(decodeURIComponent(disposition.split("''")[1]!), file);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
    });
  }
});

test('a web page that is named a picture is not kept, and one can see why', async () => {
  const id = await phoneSends('image', html, 'image/jpeg');
  const file = await settled(id);
  assert.deepEqual([file.state, file.problem, file.shown], ['failed', 'wrong-type', false]);
  const answer = await download(id);
  assert.equal(answer.status, 409);
});

test('a location is returned with its name', async () => {
  const client = newClient();
  const location = { latitude: 32.0853, longitude: 34.7818, name: 'Tel Aviv' };
  await json(
    api.post(`/sandbox/phones/${client}/chat`, JSON.stringify({ to: SOURCE, location }), {
      'content-type': 'application/json',
    }),
  );
  await waitFor('the message is stored', async () => {
    const [row] = await sql`SELECT type, content FROM chat_incoming WHERE client = ${client}`;
    return row && assert.deepEqual([row.type, row.content], ['location', location]) === undefined;
  });
});

describe('who may read a file', () => {
  test('nobody of another account', async () => {
    const id = await phoneSends('image', png, 'image/png');
    await settled(id);
    const other = await chat.addAccount({ username: 'stranger' });
    for (const path of [`/media/${id}`, `/media/${id}/file`]) {
      assert.equal((await v1(url, other.token).get(path)).status, 404);
    }
    assert.equal((await fetch(`${url}/v1/media/${id}/file`)).status, 401);
  });

  test('viewers see that there is one, and not what it shows', async () => {
    const id = await phoneSends('document', pdf, 'application/pdf', '&file_name=private.pdf');
    await settled(id);
    const viewer = await asPerson(chat, 'viewer', chat.demo.id);
    const file = await viewer.get<File>(`/media/${id}`);
    assert.deepEqual([file.state, file.file_name], ['stored', '••••••']);
    assert.equal((await viewer.fetch('GET', `/media/${id}/file`)).status, 403);
    const sender = await asPerson(chat, 'sender', chat.demo.id);
    assert.equal((await sender.fetch('GET', `/media/${id}/file`)).status, 200);
  });
});

describe('an upload', () => {
  const upload = (kind: string, bytes: Buffer | string, name = '') =>
    api.post(`/media?kind=${kind}&file_name=${encodeURIComponent(name)}`, bytes);

  test('of every kind is kept and can be read', async () => {
    for (const [kind, bytes, name, type] of [
      ['image', jpeg(), 'photo.jpg', 'image/jpeg'],
      ['video', mp4, 'film.mp4', 'video/mp4'],
      ['audio', voiceNote(), '', 'audio/ogg'],
      ['sticker', webp, '', 'image/webp'],
      [
        'document',
        docx,
        'הצעה.docx',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
    ] as const) {
      const file = await json<File>(upload(kind, bytes, name));
      assert.deepEqual(
        [file.kind, file.state, file.mime_type, file.file_name, file.size],
        [kind, 'stored', type, name, bytes.length],
      );
      assert.deepEqual(Buffer.from(await (await download(file.id)).arrayBuffer()), bytes);
    }
  });

  test('of what the platform does not take is refused, and nothing is kept', async () => {
    const count = async () => (await sql`SELECT count(*)::int AS count FROM media`)[0]!.count;
    const before = await count();
    for (const [kind, bytes, name] of [
      ['image', html, 'a.jpg'],
      ['image', svg, 'a.svg'],
      ['image', webp, 'a.webp'],
      ['video', png, 'a.mp4'],
      ['audio', html, 'a.mp3'],
      ['document', png, 'a.pdf'],
      ['sticker', png, 'a.webp'],
      ['image', Buffer.alloc(0), 'a.jpg'],
    ] as const) {
      const answer = await upload(kind, bytes, name);
      const { error } = (await answer.json()) as { error: { code: string; field: string } };
      assert.deepEqual(
        [answer.status, error.code, error.field],
        [400, 'bad-field', 'file'],
        `${kind} ${name}`,
      );
    }
    const large = await upload('sticker', Buffer.concat([webp, Buffer.alloc(512_000)]));
    assert.equal(large.status, 413);
    assert.match(await large.text(), /500 KiB/);
    assert.equal((await upload('film', mp4)).status, 400);
    assert.equal(await count(), before);
  });
});
