import { dropOldest } from './inbox.ts';

/** Endings with an effect in a simulated network, and one without. */
export const endings = [
  '0000',
  '0001',
  '0002',
  '0003',
  '0004',
  '0005',
  '0006',
  '0007',
  '0008',
  '0009',
] as const;
export type Ending = (typeof endings)[number];

const keptNumbers = 1_000;

/**
 * The endings that decide outcomes in simulated networks: the last four digits of a number, unless another ending was
 * chosen for it.
 */
export class Endings {
  readonly #chosen = new Map<string, Ending>();

  /** Returns the ending of a number (international digits). */
  readonly of = (number: string): string => this.#chosen.get(number) ?? lastDigits(number);

  /** Makes a number behave like those with this ending; null restores its own digits. */
  choose(number: string, ending: Ending | null): void {
    this.#chosen.delete(number);
    if (ending !== null) this.#chosen.set(number, ending);
    dropOldest(this.#chosen, keptNumbers);
  }

  /** Lists numbers with a chosen ending, newest first. */
  list(): { readonly number: string; readonly ending: Ending }[] {
    return [...this.#chosen].map(([number, ending]) => ({ number, ending })).toReversed();
  }
}

/** Returns the default ending of a number. */
export const lastDigits = (number: string): string => number.slice(-4);
