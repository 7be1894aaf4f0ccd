import type { Chance } from './mutate.ts';

/** An input as the corpus keeps it: texts, with octets in base64. */
export type Input = Readonly<Record<string, string | number>>;

/** Something that takes inputs from outside. */
export interface Target {
  readonly name: string;
  /** Inputs that are on their way at once. */
  readonly atOnce: number;
  /** A new input. */
  next(chance: Chance): Input;
  /** Brings it. What was wrong with the result, or undefined. Is given up by the caller when it takes too long. */
  bring(input: Input): Promise<string | undefined>;
  /** Looks whether what is good is still taken, now and then. */
  check?(): Promise<string | undefined>;
  close(): Promise<void>;
}
