import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNumber, NUMBER, phones, startPlatform, VERIFY } from '../../channels/chat/platform-support.ts';
import { jpeg } from '../../modules/media/samples.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two real processes of the program on one database share the background work, and one of them is paused (SIGSTOP). */

const { platform, environment } = await startPlatform();
const { sql, target } = await createDatabase();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  ...environment,
  // The platform of the test names addresses of this machine.
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
});
const serve = { args: ['serve'], ready: false };
const programs = [await installation.start(serve), await installation.start(serve)];
await platform.subscribe(`${programs[0]!.url}/chat-webhooks`, VERIFY);
await addNumber(installation, programs[0]!.url, 'chatting');

const told = { type: 'document', mimeType: 'image/jpeg', fileName: 'a', caption: '', voice: false } as const;
const stored = async () => (await sql`SELECT FROM media WHERE state = 1`).length;

/** Sends a file from a phone, which a process then fetches. */
function send(from: string): void {
  assert.ok('id' in platform.sendFileFromPhone({ from, to: NUMBER, bytes: jpeg(50_000), ...told }));
}

test('a process that is paused beyond its lease stores nothing of what another one has done', async (t) => {
  let isSlow = true;
  platform.change({ onMedia: (step) => (step === 'download' && isSlow ? 'half' : undefined) });
  send(phones(0, 1)[0]!);
  const { pid } = await waitFor('a process fetches the file', async () => {
    const [row] = await sql<{ pid: number }[]>`
      SELECT p.pid FROM work w JOIN processes p ON p.boot = w.lease_owner
      WHERE w.kind = 'media-fetch' AND w.lease_until > 0 AND p.pid IS NOT NULL`;
    return row;
  });
  assert.ok(programs.some((program) => program.pid === pid));
  process.kill(pid, 'SIGSTOP');
  const resume = () => process.kill(pid, 'SIGCONT');
  t.after(resume);
  isSlow = false;
  // The end of the lease, without the wait of 30 seconds.
  await sql`UPDATE work SET lease_until = 0`;
  await waitFor('the other process stores it', async () => (await stored()) === 1);
  assert.equal((await sql`SELECT FROM work WHERE kind = 'media-fetch'`).length, 0);
  const before = await sql`SELECT r::text AS row FROM media r`;
  resume();
  // Both processes work on what comes now, so the resumed one has gone on.
  for (const from of phones(1, 20)) send(from);
  await waitFor('the others are stored', async () => (await stored()) === 21);
  assert.equal((await sql`SELECT FROM work WHERE kind = 'media-fetch'`).length, 0);
  const [first] = before as unknown as [{ row: string }];
  const after = await sql<{ row: string }[]>`SELECT r::text AS row FROM media r`;
  assert.ok(after.some(({ row }) => row === first.row));
});

test('a process that is stopped ends what it can, and the other one does the rest', async () => {
  for (const from of phones(100, 40)) send(from);
  await Promise.all([
    programs[1]!.stop(),
    waitFor('all are stored', async () => (await stored()) === 61, 120_000),
  ]);
  assert.equal((await sql`SELECT FROM work WHERE kind = 'media-fetch'`).length, 0);
});
