/** Bytes of a file, from the first to the last, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The bytes that a `Range` header asks for (RFC 9110, 14.2) of a file of `size` bytes; undefined for all of it, which is also the
 * answer to several ranges and to what cannot be read; null when none of them is there.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first > last || size === 0 ? null : { first, last };
}
