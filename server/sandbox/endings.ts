import { dropOldest } from './inbox.ts';

/** The endings that mean something to a simulated network, and one that means nothing. */
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

/** What simulated networks go by: the last four digits of a number, unless another ending was chosen for it. */
export class Endings {
  readonly #chosen = new Map<string, Ending>();

  /** Of a number (international digits). */
  readonly of = (number: string): string => this.#chosen.get(number) ?? lastDigits(number);

  /** Makes a number behave as those with this ending, from now on; null: as its own digits say. */
  choose(number: string, ending: Ending | null): void {
    this.#chosen.delete(number);
    if (ending !== null) this.#chosen.set(number, ending);
    dropOldest(this.#chosen, keptNumbers);
  }

  /** Numbers with a chosen ending, the latest first. */
  list(): { readonly number: string; readonly ending: Ending }[] {
    return [...this.#chosen].map(([number, ending]) => ({ number, ending })).toReversed();
  }
}

/** The ending of a number for which none was chosen. */
export const lastDigits = (number: string): string => number.slice(-4);
