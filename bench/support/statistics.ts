/** Returns the median. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the quantile of a share (0 to 1), by nearest rank; 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Formats a figure: `12,345`, or with `places` decimals. */
export function show(value: number, places = 0): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: places, maximumFractionDigits: places });
}
