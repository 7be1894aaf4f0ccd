/**
 * What an array in JSON stands for where one value is meant: an array of one is its entry, an empty one an empty value
 * (decisions, section 8). Anything else is returned as it is.
 */
export function only(value: unknown): unknown {
  let inner = value;
  while (Array.isArray(inner) && inner.length < 2) inner = inner.length === 0 ? '' : (inner[0] as unknown);
  return inner;
}
