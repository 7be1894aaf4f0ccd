import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Prompt, promptOf } from '../../../carriers/sip/prompt.ts';
import type { Context } from '../../../context.ts';
import { readAloud } from '../../../text/read-aloud.ts';
import type { Voice } from '../../../text/voices.ts';
import type { AudioStore } from './audio-store.ts';
import { SAMPLE_RATE, type SpeechEngine, SpeechError } from './engine.ts';
import { renderSeconds, spoken, storedBytes } from './metrics.ts';

/** What is in the key beside what is said: raised when the same would sound different. */
const VERSION = 1;
/** Prompts in memory: 16 kB a second of speech, so an hour of different texts. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** What nobody wants to hear to its end, and what no callee waits for. */
const MAX_SECONDS = 600;

/** How long the audio of a text is kept: not at all, since it has a secret; until the process ends; on disk, too. */
export type Keeping = 'nowhere' | 'memory' | 'disk';

/** A text as somebody wrote it, and how it is to sound. */
export interface PromptInput {
  readonly text: string;
  readonly voice: Voice;
  /** -10 to 10. */
  readonly rate: number;
}

interface PromptDeps extends Pick<Context, 'log'> {
  readonly engine: SpeechEngine;
  /** Tells engines apart, and what they were set to: what two of them made is not the same audio. */
  readonly engineName: string;
  /** Undefined: nothing is kept on disk. */
  readonly store: AudioStore | undefined;
  /** Texts that are rendered at once, at most; others wait their turn. */
  readonly atOnce?: number;
}

/**
 * What calls play. A text is rendered once, however many calls want it and however often: those that come while it is
 * rendered wait for the same, and afterwards it is in memory, and on disk.
 */
export class Prompts {
  readonly #deps: PromptDeps;
  readonly #atOnce: number;
  /** Those used longest ago first. */
  readonly #ready = new Map<string, Prompt>();
  readonly #coming = new Map<string, Promise<Prompt>>();
  readonly #turns: (() => void)[] = [];
  #readyBytes = 0;
  #rendering = 0;

  constructor(deps: PromptDeps) {
    this.#deps = deps;
    this.#atOnce = deps.atOnce ?? Math.max(1, Math.min(4, availableParallelism()));
  }

  /** The audio of a text. Throws SpeechError. */
  async promptFor(input: PromptInput, keeping: Keeping = 'disk'): Promise<Prompt> {
    const { text, language } = readAloud(input.text);
    if (text === '') throw new SpeechError('nothing of the text can be read aloud');
    const utterance = { text, language, voice: input.voice, rate: input.rate };
    if (keeping === 'nowhere') return promptOf(await this.#render(utterance));
    const key = this.#keyOf(utterance);
    const known = this.#ready.get(key);
    if (known) {
      this.#ready.delete(key);
      this.#ready.set(key, known);
      spoken.inc({ from: 'memory' });
      return known;
    }
    let coming = this.#coming.get(key);
    if (coming) spoken.inc({ from: 'memory' });
    else {
      coming = this.#make(key, utterance, keeping).finally(() => this.#coming.delete(key));
      this.#coming.set(key, coming);
    }
    return coming;
  }

  #keyOf(utterance: Parameters<SpeechEngine['speak']>[0]): string {
    const { text, language, voice, rate } = utterance;
    const named = JSON.stringify([VERSION, this.#deps.engineName, language, voice, rate, text]);
    return createHash('sha256').update(named).digest('hex');
  }

  async #make(
    key: string,
    utterance: Parameters<SpeechEngine['speak']>[0],
    keeping: Keeping,
  ): Promise<Prompt> {
    const { store, log } = this.#deps;
    let samples = await store?.get(key);
    if (samples) spoken.inc({ from: 'disk' });
    else {
      samples = await this.#render(utterance);
      const kept = keeping === 'disk' ? store : undefined;
      await kept?.put(key, samples).catch((error: unknown) => {
        log.warn({ err: error }, 'rendered speech not stored on disk, it is rendered again');
      });
      if (store) storedBytes.set(store.bytes);
    }
    const prompt = promptOf(samples);
    this.#remember(key, prompt);
    return prompt;
  }

  async #render(utterance: Parameters<SpeechEngine['speak']>[0]): Promise<Int16Array> {
    if (this.#rendering >= this.#atOnce) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#rendering++;
    const started = performance.now();
    try {
      const samples = await this.#deps.engine.speak(utterance);
      if (samples.length > MAX_SECONDS * SAMPLE_RATE) {
        throw new SpeechError(`the text takes over ${MAX_SECONDS} seconds`);
      }
      spoken.inc({ from: 'engine' });
      renderSeconds.observe((performance.now() - started) / 1_000);
      return samples;
    } catch (error) {
      spoken.inc({ from: 'failed' });
      throw error;
    } finally {
      const next = this.#turns.shift();
      if (next) next();
      else this.#rendering--;
    }
  }

  #remember(key: string, prompt: Prompt): void {
    this.#ready.set(key, prompt);
    this.#readyBytes += bytesOf(prompt);
    for (const [oldest, old] of this.#ready) {
      if (this.#readyBytes <= MAX_MEMORY) break;
      this.#ready.delete(oldest);
      this.#readyBytes -= bytesOf(old);
    }
  }
}

const bytesOf = ({ pcma, pcmu }: Prompt) => pcma.length + pcmu.length;
