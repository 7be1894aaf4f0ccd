const percent = (share: number, language: string) => share.toLocaleString(language, { style: 'percent' });

/**
 * A share in whole percents. 0 % and 100 % are exact: a tiny share is `<1%`, and nearly all is 99 %.
 *
 * @param of the whole; a share of nothing is 0 %
 */
export function percentOf(part: number, of: number, language: string): string {
  const share = of === 0 ? 0 : part / of;
  if (share > 0 && share < 0.01) return `<${percent(0.01, language)}`;
  return percent(share > 0.99 && share < 1 ? 0.99 : share, language);
}
