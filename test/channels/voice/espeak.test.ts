import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type SpeechEngine,
  SpeechError,
  type Utterance,
} from '../../../server/channels/voice/speech/engine.ts';
import {
  bundledEspeak,
  createEspeak,
  hasEspeak,
  installedEspeak,
} from '../../../server/channels/voice/speech/espeak.ts';
import { covers } from '../../conformance/covers.ts';

const hello: Utterance = { text: 'Hello, one, two, three', language: 'en', voice: 'ymMale', rate: 0 };
const folder = await mkdtemp(join(tmpdir(), 'carillon-espeak-'));
after(() => rm(folder, { recursive: true }));

/** What `npm install` brings, and beside it what this machine has. */
const installed = installedEspeak('espeak-ng');
const programs = (await hasEspeak(installed)) ? [bundledEspeak, installed] : [bundledEspeak];

/** A program in the place of espeak-ng, for what that does not do. */
async function program(script: string): Promise<SpeechEngine> {
  const path = join(folder, `program-${Math.random()}`);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return createEspeak(installedEspeak(path));
}

for (const program of programs) {
  test(
    `${program.name} speaks each language, at 8 kHz, the voices and rates differently`,
    covers('B3.rate', 'B3.voice'),
    async () => {
      const engine = createEspeak(program);
      const texts = {
        en: 'Hello, one, two, three',
        he: 'שלום, אחת, שתיים',
        ar: 'مرحبا, واحد',
        ru: 'Привет, один, два',
      };
      for (const [language, text] of Object.entries(texts) as [keyof typeof texts, string][]) {
        const samples = await engine.speak({ ...hello, text, language });
        assert.ok(
          samples.length > 4_000 && samples.length < 80_000,
          `${language}: ${samples.length} samples`,
        );
        assert.ok(
          samples.some((sample) => Math.abs(sample) > 2_000),
          `${language} is silent`,
        );
      }
      const [male, female, slow, fast] = await Promise.all([
        engine.speak(hello),
        engine.speak({ ...hello, voice: 'ymFemale' }),
        engine.speak({ ...hello, rate: -10 }),
        engine.speak({ ...hello, rate: 10 }),
      ]);
      assert.notDeepEqual(male, female);
      assert.ok(slow.length > male.length * 1.4 && male.length > fast.length * 1.3);
    },
  );

  test(
    `a text is data for ${program.name}: it is never an option, a phoneme or a command`,
    covers('B3.engines'),
    async () => {
      const engine = createEspeak(program);
      for (const text of [
        '--version',
        '-f /etc/passwd',
        '$(touch x); `id`',
        'a\0b',
        '[[_]]',
        '<speak>x</speak>',
      ]) {
        assert.ok((await engine.speak({ ...hello, text })).length > 0, text);
      }
    },
  );
}

test('the presence of the program is detected', async () => {
  assert.equal(await hasEspeak(bundledEspeak), true);
  const missing = installedEspeak('/nowhere/espeak-ng');
  assert.equal(await hasEspeak(missing), false);
  await assert.rejects(createEspeak(missing).speak(hello), {
    name: 'Error',
    message: '/nowhere/espeak-ng is not installed',
  });
});

test('a program that fails, says nothing, or says something else is a SpeechError', async () => {
  for (const script of [
    'exit 3',
    'kill -9 $$',
    'cat >/dev/null',
    'echo no wav',
    'exec 0<&-; sleep 0.1; exit 1',
  ]) {
    const engine = await program(script);
    await assert.rejects(engine.speak({ ...hello, text: 'x'.repeat(200_000) }), SpeechError, script);
  }
});
