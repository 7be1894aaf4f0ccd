import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import S3rver from '@20minutes/s3rver';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { TlsPeer } from '../../../server/kit/tls-faults.ts';
import { FolderStore } from '../../../server/modules/media/folder-store.ts';
import { S3Store } from '../../../server/modules/media/s3-store.ts';
import { OverLimit, Spool } from '../../../server/modules/media/spool.ts';
import { keyOf, type MediaStore } from '../../../server/modules/media/store.ts';
import { atEnd, newFolder } from '../../support/database.ts';

/* The media store: a folder, and a bucket of a server that we did not write. */

const MIB = 1024 * 1024;
const folder = newFolder();
const spool = new Spool(join(folder, '.incoming'));
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: newFolder(),
  configureBuckets: [{ name: 'files' }],
});
const { port } = await server.run();
atEnd(() => server.close());

const keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const bucket = `http://127.0.0.1:${port}/files/carillon/`;
const peer = new TlsPeer('media store', createLogger('silent'));
function s3(settings: Partial<typeof keys & { url: string }> = {}): S3Store {
  const store = new S3Store({ url: bucket, ...keys, ...settings }, peer);
  atEnd(() => store.close());
  return store;
}

const whole = { maxBytes: 200 * MIB };
const piecesOf = (content: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / 65_536) }, (_, index) =>
      content.subarray(index * 65_536, (index + 1) * 65_536),
    ),
  );
const put = async (store: MediaStore, key: string, content: Buffer) => {
  const file = await spool.receive(piecesOf(content), whole);
  try {
    await store.put(key, file, 'application/pdf');
  } finally {
    await file.discard();
  }
};
const get = async (store: MediaStore, ...of: Parameters<MediaStore['read']>) => {
  const content = await store.read(...of);
  return content && buffer(content);
};

let id = 1_774_337_460_000;
for (const [name, store] of [
  ['a folder', new FolderStore(folder)],
  ['a bucket', s3()],
] as const) {
  describe(name, () => {
    test('keeps a file, gives all of it and parts of it, and removes it', async () => {
      const [key, content] = [keyOf(17, ++id), randomBytes(300_000)];
      assert.equal(await get(store, key), undefined);
      await put(store, key, content);
      assert.deepEqual(await get(store, key), content);
      assert.deepEqual(
        await get(store, key, { first: 100_000, last: 100_009 }),
        content.subarray(100_000, 100_010),
      );
      assert.equal(await get(store, keyOf(18, id)), undefined);
      await store.remove(key);
      assert.equal(await get(store, key), undefined);
      await store.remove(key);
    });

    test('a file replaces the previous one', async () => {
      const key = keyOf(17, ++id);
      for (const content of [randomBytes(1_000), randomBytes(2_000)]) {
        await put(store, key, content);
        assert.deepEqual(await get(store, key), content);
      }
    });

    test('a large file', async () => {
      const [key, content] = [keyOf(17, ++id), randomBytes(16 * MIB)];
      await put(store, key, content);
      assert.ok(content.equals((await get(store, key))!));
    });
  });
}

test('a folder: the folder of a day goes with its last file', async () => {
  const own = newFolder();
  const files = new FolderStore(own);
  const spoolOfIt = new Spool(join(own, '.incoming'));
  for (const name of ['1/20000/5', '1/20000/6']) {
    await files.put(name, await spoolOfIt.receive(piecesOf(randomBytes(10)), whole));
  }
  await files.remove('1/20000/5');
  assert.deepEqual(readdirSync(join(own, '1')), ['20000']);
  await files.remove('1/20000/6');
  assert.deepEqual(readdirSync(join(own, '1')), []);
});

describe('a bucket that cannot be used', () => {
  test('another secret', async () => {
    await assert.rejects(
      put(s3({ secretAccessKey: 'other' }), 'x', randomBytes(10)),
      /HTTP 403[\s\S]*SignatureDoesNotMatch/,
    );
  });
  test('no such bucket', async () => {
    const store = s3({ url: `http://127.0.0.1:${port}/nowhere` });
    await assert.rejects(put(store, 'x', randomBytes(10)), /HTTP 404[\s\S]*NoSuchBucket/);
  });
  test('nobody answers', async () => {
    const store = s3({ url: 'http://127.0.0.1:1/files' });
    await assert.rejects(put(store, 'x', randomBytes(10)), /ECONNREFUSED/);
    await assert.rejects(store.read('x'), /ECONNREFUSED/);
  });
});

describe('the spool', () => {
  const left = () => readdirSync(join(folder, '.incoming'));

  test('a file over its limit is abandoned when that is detected, and leaves nothing behind', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += MIB;
        yield Buffer.alloc(MIB);
      }
    }
    await assert.rejects(spool.receive(endless(), { maxBytes: 3 * MIB }), OverLimit);
    assert.ok(given <= 8 * MIB, String(given));
    assert.deepEqual(left(), []);
  });

  test('an interrupted or cancelled file leaves nothing behind', async () => {
    async function* broken() {
      yield Buffer.alloc(10);
      throw new Error('cut off');
    }
    await assert.rejects(spool.receive(broken(), whole), /cut off/);
    const stop = new AbortController();
    const waiting = new Readable({ read() {} });
    waiting.push(Buffer.alloc(10));
    setImmediate(() => stop.abort());
    await assert.rejects(spool.receive(waiting, { ...whole, signal: stop.signal }), /abort/i);
    assert.deepEqual(left(), []);
  });

  test('what a killed process left is removed after an hour', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(folder, '.incoming', name)) as [string, string];
    for (const path of [old, young]) writeFileSync(path, 'half');
    const past = Date.now() / 1_000 - 3_700;
    utimesSync(old, past, past);
    await spool.cleanUp();
    assert.deepEqual(left(), ['young']);
  });
});
