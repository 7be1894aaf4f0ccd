import type { Language } from '../../../kit/text/language.ts';
import type { Voice } from '../../../kit/text/voices.ts';

/** Samples per second of all speech: the rate of telephones. */
export const SAMPLE_RATE = 8_000;

/** A text to speak. */
export interface Utterance {
  readonly text: string;
  readonly language: Language;
  readonly voice: Voice;
  /** -10 to 10; 0 is normal. */
  readonly rate: number;
}

/** Speaks texts. */
export interface SpeechEngine {
  /** Returns mono 16-bit samples at 8 kHz. Throws SpeechError. */
  speak(utterance: Utterance): Promise<Int16Array>;
}

/** A text could not be spoken. The message says why, and contains nothing of the text. */
export class SpeechError extends Error {}

/** Returns the speed factor of a rate: ten steps double it. */
export function speedOf(rate: number): number {
  return 2 ** (rate / 10);
}
