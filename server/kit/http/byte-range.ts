/** A range of bytes in a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the bytes that a `Range` header requests (RFC 9110, 14.2) from a file of `size` bytes. undefined: the whole
 * file, also for several ranges and unreadable headers. null: the file does not contain these bytes.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first > last || size === 0 ? null : { first, last };
}
