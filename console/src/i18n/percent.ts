const percent = (share: number, language: string) =>
  share.toLocaleString(language, {
    style: 'percent',
    // 5,000 of 5,003 is 99.94 %: near both ends a whole percent hides what people look for.
    maximumFractionDigits: share < 0.01 || share > 0.99 ? 2 : 0,
  });

/** Smallest share that is shown as a number, and its distance from 100 %. */
const SMALLEST = 0.0001;

/**
 * A share in percent: whole percents from 1 % to 99 %, two digits beyond. 0 % and 100 % are exact: a tiny share is `<0.01%`,
 * and nearly all is 99.99 %.
 *
 * @param of the whole; a share of nothing is 0 %
 */
export function percentOf(part: number, of: number, language: string): string {
  const share = of === 0 ? 0 : part / of;
  if (share > 0 && share < SMALLEST) return `<${percent(SMALLEST, language)}`;
  return percent(share < 1 ? Math.min(share, 1 - SMALLEST) : share, language);
}
