import { Refusal } from '../errors.ts';
import { readAloud } from '../text/read-aloud.ts';
import { type Voice, voices } from '../text/voices.ts';
import type { CallInput } from './calls.ts';

/*
 * How a text is read aloud on the telephone (interface, B3): the bounds, and what every API that sends calls checks.
 */

export const REPEAT = 2;
/** The interface sets no bound; nobody listens to the sixth. */
export const MAX_REPEAT = 5;
export const MAX_RATE = 10;

/** How a call is asked for; what is left out is usual. */
export interface CallFields {
  readonly type: number;
  /** -10 to 10. */
  readonly rate?: number | undefined;
  readonly repeat?: number | undefined;
  readonly voice?: Voice | undefined;
}

/** What a call is to say of a message, and how. */
export function callInput({ type, rate, repeat, voice }: CallFields, message: string): CallInput {
  return {
    type: type as CallInput['type'],
    voice: voice ?? voices[0],
    rate: rate ?? 0,
    repeat: repeat ?? REPEAT,
    text: message,
  };
}

/** The channel that calls phones, as far as requests ask it. */
export interface CallService {
  /** Why no calls can be made now, in words; undefined when they can. */
  problem(): Promise<string | undefined>;
  /** Why nothing can be spoken by this process, in words; undefined when it can. */
  speechProblem(): Promise<string | undefined>;
}

/**
 * Checks what is to be said, and how. Throws Refusal `bad-message` when nothing of the message can be read aloud, and
 * `not-allowed` when this service can make no calls, with why.
 */
export async function readCall(
  input: CallFields,
  message: string,
  calls: Pick<CallService, 'problem'>,
): Promise<CallInput> {
  if (readAloud(message).text === '') {
    throw new Refusal('bad-message', 'nothing of it can be read aloud', 'message');
  }
  const problem = await calls.problem();
  if (problem !== undefined) {
    throw new Refusal('not-allowed', `this service makes no calls: ${problem}`, 'tts');
  }
  return callInput(input, message);
}
