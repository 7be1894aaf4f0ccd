import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AudioStore } from '../../../server/channels/voice/speech/audio-store.ts';
import {
  type SpeechEngine,
  SpeechError,
  type Utterance,
} from '../../../server/channels/voice/speech/engine.ts';
import { type PromptInput, Prompts } from '../../../server/channels/voice/speech/prompts.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { covers } from '../../conformance/covers.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-speech-'));
  folders.push(folder);
  return join(folder, 'speech');
}

/** An engine that keeps what it was asked and how many it was asked at once. */
function listener(speak: (utterance: Utterance) => Promise<Int16Array> = async () => new Int16Array(800)) {
  const asked: Utterance[] = [];
  let now = 0;
  let most = 0;
  const engine: SpeechEngine = {
    async speak(utterance) {
      asked.push(utterance);
      most = Math.max(most, ++now);
      try {
        return await speak(utterance);
      } finally {
        now--;
      }
    },
  };
  return { engine, asked, most: () => most };
}

const log = createLogger('silent');
const wish: PromptInput = { text: 'Your code is 4829', voice: 'ymMale', rate: 0 };
const key = (n: number) => n.toString(16).padStart(64, '0');

async function promptsIn(folder: string, engine: SpeechEngine, engineName = 'test', atOnce = 2) {
  const store = await AudioStore.open(folder, 1_000_000);
  return new Prompts({ engine, engineName, store, log, atOnce });
}

test(
  'a text is rendered once, however many calls want it at a time or later, or after a restart',
  covers('B3.once'),
  async () => {
    const folder = await newFolder();
    const first = listener();
    const prompts = await promptsIn(folder, first.engine);
    const made = await Promise.all(Array.from({ length: 50 }, () => prompts.promptFor(wish)));
    assert.equal(new Set(made).size, 1);
    assert.equal(made[0]!.samples, 800);
    await prompts.promptFor({ ...wish });
    assert.deepEqual(first.asked, [
      { text: 'Your code is four, eight, two, nine', language: 'en', voice: 'ymMale', rate: 0 },
    ]);
    const again = listener();
    assert.deepEqual(await (await promptsIn(folder, again.engine)).promptFor(wish), made[0]);
    assert.equal(again.asked.length, 0);
  },
);

test('in memory alone or nowhere: nothing is on disk, and what is nowhere is rendered each time', async () => {
  const folder = await newFolder();
  const { engine, asked } = listener();
  const prompts = await promptsIn(folder, engine);
  const made = await prompts.promptFor(wish, 'memory');
  assert.equal(await prompts.promptFor(wish, 'memory'), made);
  assert.equal(asked.length, 1);
  await prompts.promptFor(wish, 'nowhere');
  assert.equal(asked.length, 2);
  assert.deepEqual(await readdir(folder), []);
  await prompts.promptFor({ ...wish, text: 'Bye' });
  assert.equal((await readdir(folder)).length, 1);
});

test('another voice, rate, text or engine is other audio', async () => {
  const folder = await newFolder();
  const { engine, asked } = listener();
  const prompts = await promptsIn(folder, engine);
  for (const one of [
    wish,
    { ...wish, voice: 'ymFemale' as const },
    { ...wish, rate: 1 },
    { ...wish, text: 'Bye' },
  ]) {
    await prompts.promptFor(one);
  }
  await (await promptsIn(folder, engine, 'other')).promptFor(wish);
  assert.equal(asked.length, 5);
});

test('a failed rendering is repeated at the next request; unspeakable text never reaches the engine', async () => {
  let fails = true;
  const { engine, asked } = listener(async () => {
    if (fails) throw new SpeechError('no');
    return new Int16Array(10);
  });
  const prompts = await promptsIn(await newFolder(), engine);
  await assert.rejects(prompts.promptFor(wish), SpeechError);
  fails = false;
  assert.equal((await prompts.promptFor(wish)).samples, 10);
  await assert.rejects(prompts.promptFor({ ...wish, text: '[link-1]' }), SpeechError);
  assert.equal(asked.length, 2);
});

test('a limited number of texts is rendered concurrently, and a failed one passes its turn on', async () => {
  const { engine, asked, most } = listener(async ({ text }) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (text.endsWith('3')) throw new SpeechError('no');
    return new Int16Array(10);
  });
  const prompts = await promptsIn(await newFolder(), engine);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => prompts.promptFor({ ...wish, text: `Number ${n}` })),
  );
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 2);
  assert.equal(asked.length, 20);
  assert.equal(most(), 2);
});

test('a disk that takes nothing costs rendering again, and no call', async () => {
  const folder = await newFolder();
  const { engine, asked } = listener();
  const prompts = await promptsIn(folder, engine);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file in the place of the folder');
  assert.equal((await prompts.promptFor(wish)).samples, 800);
  assert.equal(asked.length, 1);
  await rm(folder);
});

test('the store keeps to its limit: what was used longest ago goes first', async () => {
  const folder = await newFolder();
  const each = 44 + 2_000;
  const store = await AudioStore.open(folder, each * 10);
  for (let n = 0; n < 10; n++) await store.put(key(n), new Int16Array(1_000));
  assert.equal(store.bytes, each * 10);
  assert.ok(await store.get(key(0)));
  await store.put(key(10), new Int16Array(1_000));
  assert.ok(store.bytes <= each * 10 * 0.9);
  assert.ok(await store.get(key(0)));
  assert.equal(await store.get(key(1)), undefined);
  assert.equal((await readdir(folder)).length * each, store.bytes);
  // More than the whole limit is not kept at all.
  await store.put(key(11), new Int16Array(20_000));
  assert.equal(await store.get(key(11)), undefined);
});

test('what was not used for a week is gone, and what is damaged or half written counts as not there', async () => {
  const folder = await newFolder();
  const store = await AudioStore.open(folder, 1_000_000);
  for (let n = 0; n < 3; n++) await store.put(key(n), Int16Array.from([n, 2, 3]));
  const old = new Date(Date.now() - 8 * 86_400_000);
  await utimes(join(folder, `${key(0)}.wav`), old, old);
  await writeFile(join(folder, `${key(1)}.wav`), 'RIFF');
  await writeFile(join(folder, 'abc.part'), 'half');
  const opened = await AudioStore.open(folder, 1_000_000);
  assert.equal(await opened.get(key(0)), undefined);
  assert.equal(await opened.get(key(1)), undefined);
  assert.deepEqual(await opened.get(key(2)), Int16Array.from([2, 2, 3]));
  assert.deepEqual(await readdir(folder), [`${key(2)}.wav`]);
});

test('texts are people’s: nobody else of the machine may read them', async () => {
  const folder = await newFolder();
  const store = await AudioStore.open(folder, 1_000_000);
  await store.put(key(1), new Int16Array(10));
  assert.equal((await stat(folder)).mode & 0o077, 0);
  assert.equal((await stat(join(folder, `${key(1)}.wav`))).mode & 0o077, 0);
});
