/** How many parts an axis has at most. */
const PARTS = 4;

/**
 * Marks of an axis from 0 to at least `max`, at round numbers.
 *
 * @param whole for counts, which have no mark between two whole numbers
 */
export function ticksUpTo(max: number, whole: boolean): number[] {
  const least = max / PARTS;
  const power = 10 ** Math.floor(Math.log10(least > 0 ? least : 1));
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
  const step = whole ? Math.max(1, Math.ceil(round)) : round;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
