import type { Language } from '../../../text/language.ts';
import type { Voice } from '../../../text/voices.ts';

/** Samples a second of everything that is spoken: what a telephone carries. */
export const SAMPLE_RATE = 8_000;

/** What is to be spoken. */
export interface Utterance {
  readonly text: string;
  readonly language: Language;
  readonly voice: Voice;
  /** -10 to 10; 0 is normal. */
  readonly rate: number;
}

/** Speaks texts. */
export interface SpeechEngine {
  /** Mono 16-bit samples at 8 kHz. Throws SpeechError. */
  speak(utterance: Utterance): Promise<Int16Array>;
}

/** A text could not be spoken; the message says why, and nothing of the text. */
export class SpeechError extends Error {}

/** How many times as fast as normal a rate is: each ten steps double it. */
export function speedOf(rate: number): number {
  return 2 ** (rate / 10);
}
