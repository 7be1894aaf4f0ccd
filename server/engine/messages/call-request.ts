import { Refusal } from '../../kit/errors.ts';
import { readAloud } from '../../kit/text/read-aloud.ts';
import { type Voice, voices } from '../../kit/text/voices.ts';
import type { CallInput } from './calls.ts';

/*
 * Settings for reading a text aloud on the telephone (interface, B3): their limits, and the checks shared by all APIs
 * that send calls.
 */

export const REPEAT = 2;
/** The interface sets no limit; nobody listens to a sixth repetition. */
export const MAX_REPEAT = 5;
export const MAX_RATE = 10;

/** Call settings of a request; missing ones have defaults. */
export interface CallFields {
  readonly type: number;
  /** -10 to 10. */
  readonly rate?: number | undefined;
  readonly repeat?: number | undefined;
  readonly voice?: Voice | undefined;
}

/** Returns the settings and the text of a call. */
export function callInput({ type, rate, repeat, voice }: CallFields, message: string): CallInput {
  return {
    type: type as CallInput['type'],
    voice: voice ?? voices[0],
    rate: rate ?? 0,
    repeat: repeat ?? REPEAT,
    text: message,
  };
}

/** The part of the voice channel that requests use. */
export interface CallService {
  /**
   * Returns a text that explains why calls to phones (E.164 digits) are impossible now; undefined when they are possible.
   * Without `phones`, calls to every number that has a trunk; with an empty list, all calls.
   */
  problem(phones?: readonly string[]): Promise<string | undefined>;
  /** Whether a trunk receives calls. */
  takesCalls(): boolean;
  /** Returns a text that explains why this process cannot synthesize speech; undefined when it can. */
  speechProblem(): Promise<string | undefined>;
}

/** Checks of a send that calls. */
export interface CallChecks {
  /**
   * Checks the text and settings. Throws Refusal `bad-message` when no part of the message can be read aloud, and
   * `not-allowed` with the reason when this service can make no calls.
   */
  readonly readCall: () => Promise<CallInput>;
  /** Throws Refusal `not-allowed` with the reason when the trunks of these phones (E.164 digits) can make no calls. */
  readonly checkCalls: (phones: readonly string[]) => Promise<void>;
}

/** Returns the checks of a send with these call settings. */
export function callChecks(
  input: CallFields,
  message: string,
  calls: Pick<CallService, 'problem'>,
): CallChecks {
  const checkCalls = async (phones: readonly string[]) => {
    const problem = await calls.problem(phones);
    if (problem !== undefined)
      throw new Refusal('not-allowed', `this service makes no calls: ${problem}`, 'tts');
  };
  return {
    async readCall() {
      if (readAloud(message).text === '')
        throw new Refusal('bad-message', 'nothing of it can be read aloud', 'message');
      await checkCalls([]);
      return callInput(input, message);
    },
    checkCalls,
  };
}
