/* Inputs that were broken, by a seed. */

/** A generator of numbers from 0 to 1. */
export type Chance = () => number;

/** Pieces that texts are broken with. */
export const splinters = [
  '', '<', '>', '&', '"', "'", '{', '}', '[', ']', ':', ',', '\\', '\0', '\ufeff', '\\u0000', '\\ud800', '&#0;', ']]>',
  '<![CDATA[', '<!--', '<?', '<!DOCTYPE x>', 'null', 'true', '-1', '1e999', '99999999999999999999', 'sms', 'user', 'phone',
  '$', '_', '__proto__', 'ש', '😀', '\u2028', '0501234567', ' ', '\n', '\r\n', '\t', '%00', '%', '../', '%s', ';', '--',
  '\x1a', '\x7f', '=1+1', '@', '\u202e', 'NaN', '0x10', '1,5', '31/12/99 23:59', 'constructor',
] as const; // biome-ignore format: a list

/** Values that replace those of fields. */
const values: readonly unknown[] = [
  null, true, false, 0, -1, 1, 0.5, 1e21, -1e21, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER + 2, 1e-7, '', ' ', '0', '-1',
  '1e5', '99999999999999999999', 'x'.repeat(300), 'ש'.repeat(70), '😀', '\ud800', '\0', 'a\0b', '0501234567', '972501234567',
  '2026-11-22T00:00:00Z', '0000-00-00', '31/02/26 25:61', [], {}, [[]], [null], [''], [{}], { $: {} }, { _: 'x' },
  { __proto__: null }, { constructor: 1 }, [1, 'a', null, {}], '[link-1]', '[df1]', '{{1}}', '%', '<b>', "' OR 1=1 --",
  'http://127.0.0.1/', 'https://example.com/\0', 'a@b', 'a@example.com', '1', 'all', '*',
]; // biome-ignore format: a list

export const pick = <T>(chance: Chance, all: readonly T[]): T => all[Math.floor(chance() * all.length)]!;

/** A nasty value of any kind. */
export const anyValue = (chance: Chance): unknown => structuredClone(pick(chance, values));

/** A nasty text. */
export function anyText(chance: Chance): string {
  if (chance() < 0.5) return pick(chance, splinters);
  const value = pick(chance, values);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The octets with one to four places broken. */
export function breakBytes(chance: Chance, whole: Uint8Array): Buffer {
  let broken = Buffer.from(whole);
  for (let times = 1 + Math.floor(chance() * 4); times > 0; times--) {
    const at = Math.floor(chance() * (broken.length + 1));
    const removed = chance() < 0.5 ? 0 : Math.floor(chance() * 30);
    const piece =
      chance() < 0.6
        ? Buffer.from(pick(chance, splinters))
        : Buffer.from(Array.from({ length: Math.floor(chance() * 7) }, () => Math.floor(chance() * 256)));
    broken = Buffer.concat([broken.subarray(0, at), piece, broken.subarray(at + removed)]);
  }
  return broken;
}

/** The value with one to three of its fields changed, left out or added. */
export function breakValue(chance: Chance, whole: unknown): unknown {
  let broken = structuredClone(whole);
  for (let times = 1 + Math.floor(chance() * 3); times > 0; times--) broken = breakOnce(chance, broken);
  return broken;
}

function breakOnce(chance: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance() < 0.15) return anyValue(chance);
  const inside = value as Record<string, unknown>;
  const names = Object.keys(inside);
  if (names.length === 0) return anyValue(chance);
  const name = pick(chance, names);
  const how = chance();
  if (how < 0.55) inside[name] = breakOnce(chance, inside[name]);
  else if (how < 0.7) delete inside[name];
  // `push`, not a name: the name 2147483648 would make an array of that length.
  else if (how < 0.8 && Array.isArray(value)) value.push(anyValue(chance));
  else if (how < 0.8) inside[anyText(chance) || 'x'] = anyValue(chance);
  else if (how < 0.9) inside[name] = [inside[name], anyValue(chance)];
  else inside[name] = { _: inside[name] };
  return value;
}
