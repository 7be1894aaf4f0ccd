import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Context } from '../../../kit/context.ts';
import { readAloud } from '../../../kit/text/read-aloud.ts';
import type { Voice } from '../../../kit/text/voices.ts';
import { type Prompt, promptOf } from '../../../protocols/sip/prompt.ts';
import type { AudioStore } from './audio-store.ts';
import { SAMPLE_RATE, type SpeechEngine, SpeechError } from './engine.ts';
import { renderSeconds, spoken, storedBytes } from './metrics.ts';

/** Part of the key: increase it when the same text sounds different. */
const VERSION = 1;
/** Maximum size of prompts in memory, in bytes: 16 kB per second of speech, so about an hour. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** Maximum length of a prompt, in seconds: nobody listens longer. */
const MAX_SECONDS = 600;

/** How long the audio of a text is kept: not at all, because it contains a secret; in memory; or also on disk. */
export type Keeping = 'nowhere' | 'memory' | 'disk';

/** A text as written, with its voice and rate. */
export interface PromptInput {
  readonly text: string;
  readonly voice: Voice;
  /** -10 to 10. */
  readonly rate: number;
}

interface PromptDeps extends Pick<Context, 'log'> {
  readonly engine: SpeechEngine;
  /** Distinguishes engines and their settings, because their audio differs. */
  readonly engineName: string;
  /** Undefined: no audio is stored on disk. */
  readonly store: AudioStore | undefined;
  /** Maximum number of parallel renderings; others wait. */
  readonly atOnce?: number;
}

/**
 * Prompts of calls. A text is rendered once for all calls: calls that need it during the rendering wait for the same
 * audio, and later ones find it in memory or on disk.
 */
export class Prompts {
  readonly #deps: PromptDeps;
  readonly #atOnce: number;
  /** Oldest use first. */
  readonly #ready = new Map<string, Prompt>();
  readonly #coming = new Map<string, Promise<Prompt>>();
  readonly #turns: (() => void)[] = [];
  #readyBytes = 0;
  #rendering = 0;

  constructor(deps: PromptDeps) {
    this.#deps = deps;
    this.#atOnce = deps.atOnce ?? Math.max(1, Math.min(4, availableParallelism()));
  }

  /** Returns the audio of a text. Throws SpeechError. */
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
