import { fileURLToPath } from 'node:url';
import { spawnPiped } from '../../../kit/child-processes.ts';
import type { Language } from '../../../kit/text/language.ts';
import type { Voice } from '../../../kit/text/voices.ts';
import { SAMPLE_RATE, type SpeechEngine, SpeechError, speedOf, type Utterance } from './engine.ts';
import { readWav, samplesAt } from './wav.ts';

/** Words per minute for rate 0, and the limits of the program. */
const NORMAL_WORDS = 160;
const LEAST_WORDS = 80;
const MAX_WORDS = 450;
/** Several minutes of speech. Rendering a text of 1,005 characters takes a second or two. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

const variants: Readonly<Record<Voice, string>> = { ymMale: 'm3', ymFemale: 'f2' };
const names: Readonly<Record<Language, string>> = { he: 'he', en: 'en', ar: 'ar', ru: 'ru' };

/** A program with the options of `espeak-ng`. */
export interface EspeakProgram {
  /** Name for the operator. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The program espeak-ng of this machine; `command` is its name or path. */
export function installedEspeak(command: string): EspeakProgram {
  return { name: command, command, args: [] };
}

/** The same engine as WebAssembly, installed by `npm install`. It takes about half a second longer for each text. */
export const bundledEspeak: EspeakProgram = {
  name: 'espeak-ng of npm',
  command: process.execPath,
  // Optimising the code on background threads does not pay off for one text: 0.45 seconds of CPU without, 0.76 with it.
  args: ['--single-threaded', fileURLToPath(new URL('bundled-espeak.ts', import.meta.url))],
};

/**
 * Speaks with a program that runs once per text in a separate process (its licence, GPL-3.0, differs from ours). The
 * text goes to standard input and never appears in the list of processes.
 */
export function createEspeak(program: EspeakProgram): SpeechEngine {
  return {
    async speak({ text, language, voice, rate }: Utterance) {
      const words = Math.round(NORMAL_WORDS * speedOf(rate));
      const wav = await run(
        program,
        [
          '-v',
          `${names[language]}+${variants[voice]}`,
          '-s',
          String(Math.max(LEAST_WORDS, Math.min(MAX_WORDS, words))),
          '-b',
          '1',
          '--stdin',
          '--stdout',
        ],
        harmless(text),
      );
      try {
        const audio = readWav(wav);
        if (audio.samples.length === 0) throw new RangeError('no samples');
        return samplesAt(audio, SAMPLE_RATE);
      } catch (error) {
        throw new SpeechError(`${program.name} did not speak: ${(error as Error).message}`);
      }
    },
  };
}

/** Whether the program exists and starts. */
export async function hasEspeak(program: EspeakProgram): Promise<boolean> {
  try {
    await run(program, ['--version'], '');
    return true;
  } catch {
    return false;
  }
}

/** `[[` begins phonemes, which texts must not contain. */
function harmless(text: string): string {
  return text.replace(/\[+|\]+/g, ' ');
}

function run(
  { name, command, args: first }: EspeakProgram,
  args: readonly string[],
  input: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawnPiped(command, [...first, ...args]);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 200) complaint += chunk.toString('utf8', 0, 200);
    });
    // The program may end before it has read everything. Its exit says more than this error.
    child.stdin.on('error', () => {});
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const why = error.code === 'ENOENT' ? 'is not installed' : `does not start (${error.code})`;
      reject(new SpeechError(`${name} ${why}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new SpeechError(`${name} ended with ${signal ?? code}: ${complaint.trim()}`));
    });
    child.stdin.end(input);
  });
}
