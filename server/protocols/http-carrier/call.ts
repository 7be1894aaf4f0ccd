import type { OutgoingMessage, SubmitOutcome } from '../../engine/carriers/carrier.ts';
import { status as statuses } from '../../kit/statuses.ts';
import { readAloud } from '../../kit/text/read-aloud.ts';
import type { Voice } from '../../kit/text/voices.ts';
import type { HttpCarrierSettings } from './settings.ts';

/* Calls over a provider that reads the text itself. */

/** How the provider reads the text of a call. */
export interface CallSpeech {
  /** Language of the text, as the provider names it. */
  readonly language: string;
  readonly gender: 'male' | 'female';
  /** Number of times that it reads the text, from 1. */
  readonly repeat: number;
}

/** A message for a provider: an SMS, or a call with the words that it speaks as its payload. */
export interface HttpMessage extends OutgoingMessage<string> {
  readonly call?: CallSpeech;
}

/** Text and voice of a call. */
interface SpokenText {
  readonly text: string;
  readonly voice: Voice;
  readonly repeat: number;
}

/** Codes of calls that the provider cannot make: it does not speak the language, or no words are left to speak. */
const NO_LANGUAGE = 'LANGUAGE';
const NO_WORDS = 'NO_WORDS';

/** Converts a call for a provider, or returns why the provider cannot make it. */
export type CallReader = (message: OutgoingMessage<SpokenText>) => HttpMessage | SubmitOutcome;

/** Returns the reader of calls for the provider of a description, with the caller number of its connector. */
export function callReader({
  description,
  callerId = '',
}: Pick<HttpCarrierSettings, 'description' | 'callerId'>): CallReader {
  const refused = (code: string) => ({ kind: 'refused', status: statuses.voiceFailed, code }) as const;
  const source = callerId.replace('+', '');
  return (message) => {
    const { text, voice, repeat } = message.payload;
    // The same words as over a SIP trunk, because other engines read codes and phone numbers as large numbers too.
    const { text: payload, language } = readAloud(text);
    const named = description.languages ? description.languages[language] : language;
    if (named === undefined) return refused(NO_LANGUAGE);
    if (payload === '') return refused(NO_WORDS);
    const gender = voice === 'ymMale' ? 'male' : 'female';
    return { ...message, source, payload, call: { language: named, gender, repeat } };
  };
}
