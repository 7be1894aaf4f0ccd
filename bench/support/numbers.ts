/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The figure below which a share (0 to 1) of all lies; nearest rank. 0 when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** A figure for people: `12,345`, or with so many places behind the point. */
export function show(value: number, places = 0): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: places, maximumFractionDigits: places });
}
