import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, test } from 'node:test';
import { MEDIA_ORIGIN } from '../../../server/channels/chat/media-fetch.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { FetchHosts } from '../../../server/modules/media/fetch-hosts.ts';
import type { MediaStore } from '../../../server/modules/media/store.ts';
import { keyOf } from '../../../server/modules/media/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { html, jpeg, png, svg, voiceNote } from './samples.ts';
import { NUMBER, startMedia } from './support.ts';

/* Files of clients are fetched from the platform, once, whatever it does meanwhile. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const under = await startMedia();
const { sql, clock, platform, media, accountId, folder } = under;
const fetches = under.fetches();

const contentOf = async (id: number) => buffer((await media.read({ accountId, id }))!);
const left = () => readdirSync(join(folder, '.incoming'));
const row = async (id: number) =>
  (
    await sql<{ attempts: number; due_at: number | null; lease_owner: string | null; lease_until: number }[]>`
      SELECT attempts, due_at, lease_owner, lease_until FROM work
      WHERE account_id = ${accountId} AND kind = 'media-fetch' AND key = ${id} AND state = 'waiting'`
  )[0];

/** A picture that a client has sent, and our id of it. */
async function picture(told: Parameters<typeof under.expect>[2] = {}) {
  const bytes = jpeg(200_000);
  return { bytes, id: await under.expect(bytes, under.onPlatform(bytes), told) };
}

let asked: string[] = [];
beforeEach(() => {
  asked = [];
  platform.change({ onMedia: (step) => void asked.push(step) });
});

test('a file is stored with its details, and not requested again', async () => {
  const { bytes, id } = await picture();
  assert.deepEqual((await under.find(id)).state, 0);
  await fetches.run();
  const file = await under.find(id);
  assert.deepEqual(file, {
    ...{ id, accountId, kind: 'image', state: 1, mimeType: 'image/jpeg', fileName: '' },
    ...{ size: bytes.length, sha256: hash('sha256', bytes, 'hex'), problem: '', detail: '' },
  });
  assert.deepEqual(await contentOf(id), bytes);
  await fetches.run();
  assert.deepEqual(asked, ['find', 'download']);
  assert.deepEqual(left(), []);
});

test('two concurrent processes fetch each of many files once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const bytes = voiceNote(index);
      return under.expect(bytes, under.onPlatform(bytes, 'audio/ogg'), { kind: 'audio' });
    }),
  );
  await Promise.all([fetches.run(), under.fetches().run()]);
  for (const id of ids) assert.equal((await under.find(id)).mimeType, 'audio/ogg');
  assert.equal(asked.filter((step) => step === 'download').length, ids.length);
});

describe('a file that differs from its announcement', () => {
  const rows: [string, Buffer, Parameters<typeof under.expect>[2], string][] = [
    ['a web page that is named a picture', html, { fileName: 'a.jpg' }, 'wrong-type'],
    ['a drawing with a script', svg, { mimeType: 'image/svg+xml' }, 'wrong-type'],
    ['a picture that is told to be a sound', png, { kind: 'audio' }, 'wrong-type'],
    ['a sticker over its limit', jpeg(2 * 1024 * 1024), { kind: 'sticker' }, 'too-large'],
  ];
  for (const [name, bytes, told, problem] of rows) {
    test(`${name} is not kept`, async () => {
      const id = await under.expect(bytes, under.onPlatform(bytes), told);
      await fetches.run();
      const file = await under.find(id);
      assert.deepEqual([file.state, file.problem], [2, problem]);
      assert.notEqual(file.detail, '');
      assert.equal(await media.read(file), undefined);
      assert.deepEqual([await row(id), left()], [undefined, []]);
    });
  }

  test('one with another digest is fetched three times, then it counts as damaged', async () => {
    const { id } = await picture({ sha256: hash('sha256', 'another', 'base64') });
    for (let attempt = 1; attempt <= 3; attempt++) {
      await fetches.run();
      const file = await under.find(id);
      assert.deepEqual([file.state, file.problem], [attempt === 3 ? 2 : 0, 'damaged']);
      clock.advance(DAY / 24);
    }
    assert.equal(asked.filter((step) => step === 'download').length, 3);
  });

  test('a file with a digest in an unknown form is accepted unchecked', async () => {
    const { id } = await picture({ sha256: 'unknown' });
    await fetches.run();
    assert.equal((await under.find(id)).state, 1);
  });
});

describe('a platform that does not give it', () => {
  test('it has no such file: that is final', async () => {
    const id = await under.expect(png, '1');
    await fetches.run();
    const file = await under.find(id);
    assert.deepEqual([file.state, file.problem], [2, 'gone']);
    assert.match(file.detail, /does not exist|Invalid parameter/);
  });

  for (const step of ['find', 'download'] as const) {
    test(`an error at "${step}" is tried again, after growing pauses`, async () => {
      const { bytes, id } = await picture();
      let failing = true;
      platform.change({ onMedia: (at) => (failing && at === step ? 500 : undefined) });
      const pauses = [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600].map((seconds) => seconds * 1_000);
      for (const [index, pause] of pauses.entries()) {
        const attempt = index + 1;
        const before = clock.now();
        await fetches.run();
        const file = await under.find(id);
        assert.deepEqual([file.state, file.problem], [0, 'not-fetched']);
        const { attempts, due_at: dueAt, lease_owner: owner } = (await row(id))!;
        assert.deepEqual([attempts, owner], [attempt, null]);
        assert.ok(dueAt! >= before + pause && dueAt! <= clock.now() + pause, String(pause));
        // Not before its time.
        await fetches.run();
        assert.equal((await row(id))!.attempts, attempt);
        clock.advance(dueAt! - clock.now());
      }
      failing = false;
      await fetches.run();
      assert.equal((await under.find(id)).state, 1);
      assert.deepEqual(await contentOf(id), bytes);
    });
  }

  test('an outage of the platform is two log lines, however many files wait for it', async () => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(line) });
    const logging = under.fetches({ log });
    for (let n = 0; n < 5; n++) await picture();
    platform.change({ onMedia: () => 500 });
    for (let n = 0; n < 3; n++) {
      await logging.run();
      clock.advance(MINUTE);
    }
    platform.change({ onMedia: () => undefined });
    clock.advance(HOUR);
    await logging.run();
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      told.map(({ msg, name, outage }) => [msg, name, outage]),
      [
        ['files cannot be fetched, they wait', MEDIA_ORIGIN, 'media'],
        ['files can be fetched again', MEDIA_ORIGIN, 'media'],
      ],
    );
    assert.ok(Number(told[1]!.failures) >= 5);
  });

  test('a fetch is abandoned after seven days, with its last error', async () => {
    const { id } = await picture();
    platform.change({ onMedia: (step) => (step === 'download' ? 404 : undefined) });
    clock.advance(7 * DAY - 1_000);
    await fetches.run();
    const file = await under.find(id);
    assert.deepEqual([file.state, file.problem], [2, 'not-fetched']);
    assert.match(file.detail, /HTTP 404/);
    assert.equal(await row(id), undefined);
  });

  test('nothing is asked of an address that may not be called', async () => {
    const { id } = await picture();
    await under.fetches({ guarded: true }).run();
    const file = await under.find(id);
    assert.deepEqual([file.state, file.problem], [0, 'not-fetched']);
    assert.match(file.detail, /private or reserved address/);
    assert.deepEqual(asked, ['find']);
    clock.advance(MINUTE);
    await fetches.run();
  });
});

test('a store that fails is tried again', async () => {
  const { bytes, id } = await picture();
  const failing: MediaStore = {
    ...under.deps.store,
    put: () => Promise.reject(new Error('no space left on device')),
  };
  await under.fetches({ store: failing }).run();
  const file = await under.find(id);
  assert.deepEqual([file.state, file.problem, file.detail], [0, 'not-fetched', 'no space left on device']);
  assert.deepEqual(left(), []);
  clock.advance(MINUTE);
  await fetches.run();
  assert.deepEqual(await contentOf(id), bytes);
});

test('slow files of one account leave places to the files of others, also to those that become due later', async () => {
  const slow = new Set<string>();
  for (let index = 0; index < 20; index++) {
    const remoteId = under.onPlatform(jpeg(1_000));
    slow.add(remoteId);
    await under.expect(jpeg(1_000), remoteId);
  }
  platform.change({
    onMedia: (step, id) => (step === 'download' && slow.has(id) ? 'half' : undefined),
  });
  const process = under.fetches();
  const running = process.run();
  await waitFor('slow files are being fetched', () => left().length > 0);
  const { id: other } = await new Accounts(sql, under.ids, clock).create({
    username: 'other',
    name: 'Other',
  });
  for (let round = 0; round < 2; round++) {
    const bytes = png;
    const from = { origin: MEDIA_ORIGIN, number: NUMBER, id: under.onPlatform(bytes, 'image/png') };
    const told = { kind: 'image', mimeType: 'image/png', fileName: '', sha256: '', from } as const;
    const id = await sql.begin((tx) => media.expect(tx, other, told));
    await waitFor(
      'the file of the other account is stored',
      async () => (await media.find(other, id))?.state === 1,
    );
  }
  process.stop();
  await running;
  platform.change({ onMedia: null });
  await fetches.run();
});

test('a host does not take all places', () => {
  const hosts = new FetchHosts();
  const slow = [1, 2, 3, 4, 5, 6, 7].map((account) => hosts.begin(account));
  for (const fetch of slow) hosts.downloadsFrom(fetch, 'slow.example');
  assert.deepEqual(hosts.full(), []);
  hosts.downloadsFrom(hosts.begin(8), 'slow.example');
  hosts.downloadsFrom(hosts.begin(9), 'other.example');
  assert.deepEqual(hosts.full(), [1, 2, 3, 4, 5, 6, 7, 8]);
  for (const fetch of slow) hosts.end(fetch);
  assert.deepEqual(hosts.full(), []);
});

test('a fetch that stops in the middle is returned, and another process does it immediately', async () => {
  const { bytes, id } = await picture();
  const stopping = under.fetches();
  platform.change({ onMedia: (step) => (step === 'download' ? 'half' : undefined) });
  const running = stopping.run();
  await waitFor('half of it is here', () => left().length > 0);
  stopping.stop();
  await running;
  assert.deepEqual(left(), []);
  const { attempts, lease_until: until } = (await row(id))!;
  assert.deepEqual([attempts, until], [0, 0]);
  platform.change({ onMedia: null });
  await fetches.run();
  assert.deepEqual(await contentOf(id), bytes);
});

test('a process that has lost its lease changes nothing of what another one has stored', async () => {
  const { bytes, id } = await picture();
  const store: MediaStore = {
    ...under.deps.store,
    async put() {
      await sql`UPDATE work SET lease_until = 0 WHERE account_id = ${accountId} AND key = ${id}`;
      await fetches.run();
      throw new Error('too late');
    },
  };
  await under.fetches({ store }).run();
  assert.equal((await under.find(id)).state, 1);
  assert.deepEqual(await contentOf(id), bytes);
});

test('files are deleted when their time is over, and uploads that were cut off', async () => {
  const old = await picture();
  await fetches.run();
  clock.advance(399 * DAY);
  const young = await picture();
  await fetches.run();
  await sql`
    INSERT INTO media (account_id, id, kind, state, mime_type, file_name, sha256, origin, origin_number, origin_id, problem,
      detail, attempts, lease_until)
    VALUES (${accountId}, ${under.ids.next()}, 'image', 3, 'image/png', '', '', '', '', '', '', '', 0, 0)`;
  await media.cleanUp();
  assert.equal((await under.find(old.id)).state, 1);
  clock.advance(2 * DAY);
  await media.cleanUp();
  assert.equal(await under.find(old.id), undefined);
  assert.equal(existsSync(join(folder, keyOf(accountId, old.id))), false);
  assert.deepEqual(await contentOf(young.id), young.bytes);
  const states = await sql<{ state: number }[]>`SELECT DISTINCT state FROM media`;
  assert.deepEqual(
    states.map(({ state }) => state),
    [1],
  );
});

test('a file of another account is not found', async () => {
  const bytes = randomBytes(10);
  const id = await under.expect(bytes, '1');
  assert.equal(await media.find(accountId + 1, id), undefined);
});
