import type { Chance } from './mutate.ts';

/** An input as the corpus keeps it: texts, with octets in base64. */
export type Input = Readonly<Record<string, string | number>>;

/** A part of the service that accepts inputs from outside. */
export interface Target {
  readonly name: string;
  /** Maximum number of concurrent inputs. */
  readonly atOnce: number;
  /** A new input. */
  next(chance: Chance): Input;
  /** Sends an input. Returns the fault of the result, or undefined. The caller abandons it after the deadline. */
  bring(input: Input): Promise<string | undefined>;
  /** Checks from time to time that valid inputs are still accepted. */
  check?(): Promise<string | undefined>;
  close(): Promise<void>;
}
