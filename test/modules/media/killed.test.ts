import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../bench/support/wait.ts';
import { addNumber, NUMBER, phones, startPlatform, VERIFY } from '../../channels/chat/platform-support.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { jpeg } from './samples.ts';

/* The real program is killed (kill -9) while it fetches files of clients, again and again. */

const { platform, environment } = await startPlatform();
const port = await freePort();
const installation = new Installation({
  PORT: String(port),
  ...environment,
  // The platform of the test names addresses of this machine.
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
});
let program = await installation.start({ ready: false });
await platform.subscribe(`${program.url}/chat-webhooks`, VERIFY);
const account = await addNumber(installation, program.url, 'chatting');

interface File {
  readonly id: number;
  readonly state: number;
  readonly file_name: string;
}

test('killed while it fetches: every file is stored once, whole, and nothing is left over', async () => {
  const sent = phones(0, 40).map((client) => ({ client, bytes: jpeg(50_000) }));
  // Every other download stops half-way, until the program was killed often enough.
  let downloads = 0;
  let isSlow = true;
  platform.change({
    onMedia: (step) => (step === 'download' && isSlow && ++downloads % 2 === 0 ? 'half' : undefined),
  });
  const sql = await installation.sql();
  const files = () => sql<File[]>`SELECT id, state, file_name FROM media ORDER BY id`;
  const send = ({ client, bytes }: (typeof sent)[number]) => {
    const told = {
      type: 'document',
      mimeType: 'image/jpeg',
      fileName: client,
      caption: '',
      voice: false,
    } as const;
    assert.ok('id' in platform.sendFileFromPhone({ from: client, to: NUMBER, bytes, ...told }));
  };
  for (const part of [sent.slice(0, 20), sent.slice(20)]) {
    for (const one of part) send(one);
    const isStored = ({ state }: File) => state === 1;
    const before = (await files()).filter(isStored).length;
    await waitFor('some are stored, and others under way', async () => {
      const all = await files();
      const half = await sql`SELECT FROM work WHERE kind = 'media-fetch' AND lease_until > 0`;
      return half.length > 0 && all.filter(isStored).length > before && all.length >= part.length;
    });
    await program.kill();
    program = await installation.start();
  }
  isSlow = false;
  const all = await waitFor(
    'all are stored',
    async () => {
      const found = await files();
      return found.length === sent.length && found.every(({ state }) => state === 1) && found;
    },
    60_000,
  );
  assert.deepEqual(all.map((file) => file.file_name).toSorted(), sent.map(({ client }) => client).toSorted());
  const headers = { authorization: `Bearer ${account.token}` };
  for (const { client, bytes } of sent) {
    const { id } = all.find((file) => file.file_name === client)!;
    const answer = await fetch(`${program.url}/v1/media/${id}/file`, { headers });
    assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())), client);
  }
  // One message and one file for each, and no other file in the store.
  const [row] = await sql<{ messages: number }[]>`SELECT count(*)::int AS messages FROM chat_incoming`;
  assert.equal(row!.messages, sent.length);
  const [owner] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = ${account.username}`;
  const store = join(installation.folder, 'media', String(owner!.id));
  const names = readdirSync(store).flatMap((day) => readdirSync(join(store, day)));
  assert.deepEqual(names.toSorted(), all.map(({ id }) => String(id)).toSorted());
});
