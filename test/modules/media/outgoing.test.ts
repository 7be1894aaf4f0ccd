import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { OutgoingMedia } from '../../../server/channels/chat/outgoing-media.ts';
import { jpeg, pdf } from './samples.ts';
import { startMedia } from './support.ts';

/* Stored files are brought to the platform before the messages with them. */

const under = await startMedia();
const { platform, media, client, number, accountId } = under;
const never = new AbortController().signal;

let uploads = 0;
beforeEach(() => {
  uploads = 0;
  platform.change({ onMedia: (step) => void (step === 'upload' && uploads++) });
});

async function* once(bytes: Buffer) {
  yield bytes;
}
const stored = (bytes: Buffer, kind: 'image' | 'document' = 'image', fileName = '') =>
  media.upload(accountId, { kind, fileName, size: bytes.length, content: once(bytes) });

test('a file is uploaded as it is, once for all messages with it', async () => {
  const outgoing = new OutgoingMedia({ media, client });
  const bytes = jpeg(300_000);
  const { id } = await stored(bytes);
  const [one, other] = await Promise.all([
    outgoing.upload(accountId, number, id, never),
    outgoing.upload(accountId, number, id, never),
  ]);
  assert.ok(one.outcome === 'done' && other.outcome === 'done');
  assert.equal(one.platformId, other.platformId);
  assert.deepEqual(await outgoing.upload(accountId, number, id, never), one);
  assert.equal(uploads, 1);
  const there = platform.files.get(one.platformId)!;
  assert.deepEqual([there.mimeType, there.bytes.equals(bytes)], ['image/jpeg', true]);
});

test('an upload without an answer of the platform is repeated with the next message', async () => {
  const outgoing = new OutgoingMedia({ media, client });
  const { id } = await stored(pdf, 'document', 'a.pdf');
  const outcomes = [500, 502, undefined];
  platform.change({ onMedia: () => outcomes.shift() });
  const kinds = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    kinds.push((await outgoing.upload(accountId, number, id, never)).outcome);
  }
  assert.deepEqual(kinds, ['again', 'unknown', 'done']);
});

test('a file that is not stored, of another account, or deleted is refused', async () => {
  const outgoing = new OutgoingMedia({ media, client });
  const { id } = await stored(jpeg());
  const other = await outgoing.upload(accountId + 1, number, id, never);
  const pending = await outgoing.upload(accountId, number, await under.expect(jpeg(), '1'), never);
  await under.deps.store.remove(`${accountId}/${dayOf(id)}/${id}`);
  const deleted = await outgoing.upload(accountId, number, id, never);
  for (const outcome of [other, pending, deleted]) {
    assert.deepEqual([outcome.outcome, 'reason' in outcome && outcome.reason], ['refused', 'media']);
  }
  assert.equal(uploads, 0);
});

test('a store that fails is no fault of the file: it is tried again', async () => {
  const { id } = await stored(jpeg());
  let isAway = true;
  const outgoing = new OutgoingMedia({
    client,
    media: {
      find: (...of) => media.find(...of),
      read: (...of) => (isAway ? Promise.reject(new Error('away')) : media.read(...of)),
    },
  });
  await assert.rejects(outgoing.upload(accountId, number, id, never), /away/);
  isAway = false;
  assert.equal((await outgoing.upload(accountId, number, id, never)).outcome, 'done');
});

const dayOf = (id: number) => Math.floor((Math.floor(id / 4096) + Date.UTC(2025, 0, 1)) / 86_400_000);
