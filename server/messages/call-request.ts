import { type Voice, voices } from '../channels/voice/speech/engine.ts';
import { readAloud } from '../channels/voice/speech/read-aloud.ts';
import { Refusal } from '../errors.ts';
import type { CallWish } from './calls.ts';

/*
 * How a text is read aloud on the telephone (interface, B3): the bounds, and what every door that sends calls checks.
 */

export const REPEAT = 2;
/** The interface sets no bound; nobody listens to the sixth. */
export const REPEAT_MOST = 5;
export const RATE_MOST = 10;

/** How a call is asked for; what is left out is usual. */
export interface GivenCall {
  readonly type: number;
  /** -10 to 10. */
  readonly rate?: number | undefined;
  readonly repeat?: number | undefined;
  readonly voice?: Voice | undefined;
}

/** What a call is to say of a message, and how. */
export function callWish({ type, rate, repeat, voice }: GivenCall, message: string): CallWish {
  return {
    type: type as CallWish['type'],
    voice: voice ?? voices[0],
    rate: rate ?? 0,
    repeat: repeat ?? REPEAT,
    text: message,
  };
}

/**
 * Checks what is to be said, and how. Throws Refusal `bad-message` when nothing of the message can be read aloud, and
 * `not-allowed` when this service can make no calls, with why.
 */
export async function readCall(
  given: GivenCall,
  message: string,
  voice: { problem(): Promise<string | undefined> },
): Promise<CallWish> {
  if (readAloud(message).text === '') {
    throw new Refusal('bad-message', 'nothing of it can be read aloud', 'message');
  }
  const problem = await voice.problem();
  if (problem !== undefined) {
    throw new Refusal('not-allowed', `this service makes no calls: ${problem}`, 'tts');
  }
  return callWish(given, message);
}
