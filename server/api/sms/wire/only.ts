/**
 * Unwraps a JSON array where a single value is expected: an array of one becomes its entry, an empty one an empty value
 * (decisions, section 8). Returns other values unchanged.
 */
export function only(value: unknown): unknown {
  let inner = value;
  while (Array.isArray(inner) && inner.length < 2) inner = inner.length === 0 ? '' : (inner[0] as unknown);
  return inner;
}
