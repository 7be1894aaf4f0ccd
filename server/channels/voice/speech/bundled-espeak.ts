import { parseArgs } from 'node:util';
import Module from '@echogarden/espeak-ng-emscripten';
import { writeWav } from './wav.ts';

/*
 * A separate program, which the service starts for each text and never imports: eSpeak NG as WebAssembly, from npm,
 * whose licence (GPL-3.0) differs from ours. It supports those options of `espeak-ng` that the service uses, reads the
 * text in UTF-8 from standard input, and writes a WAV to standard output. `--version` shows whether it works.
 */

const { values } = parseArgs({
  options: {
    version: { type: 'boolean' },
    voice: { type: 'string', short: 'v', default: 'en' },
    // Words per minute.
    speed: { type: 'string', short: 's', default: '160' },
    encoding: { type: 'string', short: 'b' },
    stdin: { type: 'boolean' },
    stdout: { type: 'boolean' },
  },
});

const { eSpeakNGWorker: Worker } = await Module();
const worker = new Worker();
if (values.version) process.stdout.write('eSpeak NG of npm\n');
else {
  const text = await readStandardInput();
  // The engine is written in C, so a text ends at NUL.
  const spoken = text.replaceAll('\0', ' ');
  if (worker.set_voice(values.voice) !== 0) fail(`there is no voice ${values.voice}`);
  worker.set_rate(Number(values.speed));
  const chunks: Int16Array[] = [];
  worker.synthesize(spoken, (samples) => {
    if (samples !== null) chunks.push(samples);
    return false;
  });
  const wav = writeWav({ sampleRate: worker.get_samplerate(), samples: joined(chunks) });
  process.stdout.write(wav);
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function joined(chunks: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    samples.set(chunk, at);
    at += chunk.length;
  }
  return samples;
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
