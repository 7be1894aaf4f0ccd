/** Hexadecimal digits of our ids, which have 53 bits. */
const DIGITS = 14;

const hexOf = (id: number) => id.toString(16).padStart(DIGITS, '0');

function idIn(hex: string): number | undefined {
  const id = Number.parseInt(hex, 16);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Returns one of our ids as a UUID (RFC 9562, version 8), for interfaces whose ids are UUIDs. */
export function uuidOf(id: number): string {
  const hex = hexOf(id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-80${hex.slice(12)}-8000-000000000000`;
}

/** Returns one of our ids as the letters `prefix` and 32 hexadecimal digits. */
export const sidOf = (prefix: string, id: number): string => prefix + hexOf(id).padStart(32, '0');

/** Returns the id of a text by `sidOf`; undefined for any other text. */
export function idOfSid(prefix: string, sid: string): number | undefined {
  const hex = sid.startsWith(prefix) ? sid.slice(prefix.length) : '';
  return /^0{18}[0-9a-f]{14}$/.test(hex) ? idIn(hex) : undefined;
}
