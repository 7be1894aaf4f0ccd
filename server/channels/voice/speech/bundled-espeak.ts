import { parseArgs } from 'node:util';
import Module from '@echogarden/espeak-ng-emscripten';
import { writeWav } from './wav.ts';

/*
 * A program of its own, which the service starts for each text and never imports: eSpeak NG as WebAssembly, from npm,
 * whose licence (GPL-3.0) is not ours. It takes those options of `espeak-ng` that the service gives, the text in UTF-8 on
 * standard input, and writes a WAV to standard output. `--version` says whether it works.
 */

const { values } = parseArgs({
  options: {
    version: { type: 'boolean' },
    voice: { type: 'string', short: 'v', default: 'en' },
    // Words a minute.
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
  // A text ends at NUL for the engine, which is written in C.
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
