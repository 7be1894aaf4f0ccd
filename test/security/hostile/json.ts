import type { JsonSchema } from '../../../server/api/openapi/shown.ts';
import { withEachText } from '../attack.ts';
import { textOf } from './texts.ts';

/* JSON bodies of an attacker, from what the description says of a body. */

const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join(',');

/** Bodies of nothing but structure, each up to `bytes` long. */
export const structures: readonly ((bytes: number) => string)[] = [
  (bytes) => `{"a":[${'1,'.repeat(bytes / 2 - 8)}1]}`,
  (bytes) => `{"a":${'['.repeat(bytes - 6)}`,
  (bytes) => `{${many(Math.floor(bytes / 14), (i) => `"k${i}":1`)}}`,
  (bytes) => `[${many(Math.floor(bytes / 16), (i) => `{"k${i}":1}`)}]`,
  (bytes) => `{"a":"${'\\\\'.repeat(bytes / 2 - 8)}`,
  (bytes) => `{"a":"${'\\u0000'.repeat(bytes / 6 - 4)}"}`,
  (bytes) => `{"a":${' '.repeat(bytes - 8)}1}`,
  (bytes) => `{"a":${'9'.repeat(bytes - 8)}}`,
  (bytes) => `[${'{},'.repeat(bytes / 3 - 4)}{}]`,
  (bytes) => ' '.repeat(bytes),
];

/**
 * The example of a body with each of its texts in turn as long as `bytes` have room for: `each` times, each time of
 * another piece (texts.ts), beginning with the piece `from`.
 */
export function* longTexts(example: unknown, bytes: number, from: number, each: number): Generator<string> {
  const room = bytes - JSON.stringify(example ?? null).length;
  const places = [...withEachText(example, '')].length;
  for (let place = 0; place < places; place++) {
    for (let some = 0; some < each; some++) {
      const text = textOf(from + place * each + some, room);
      const [changed] = withEachText(example, text).drop(place);
      yield JSON.stringify(changed!.value);
    }
  }
}

/**
 * The example with each of its arrays full: as many entries as the schema allows, and with `full` also as many as `bytes`
 * have room for.
 */
export function* fullArrays(
  example: unknown,
  schema: JsonSchema | undefined,
  bytes: number,
  full: boolean,
): Generator<string> {
  for (const { entry, maxItems, put } of arraysIn(example, schema)) {
    const room = Math.floor((bytes - JSON.stringify(example).length) / (JSON.stringify(entry).length + 10));
    for (const count of new Set([Math.min(maxItems ?? room, room), ...(full ? [room] : [])])) {
      yield JSON.stringify(put(Array.from({ length: count }, (_, index) => varied(entry, index))));
    }
  }
}

interface ArrayPlace {
  readonly entry: unknown;
  readonly maxItems: number | undefined;
  readonly put: (entries: unknown[]) => unknown;
}

function* arraysIn(value: unknown, schema: JsonSchema | undefined): Generator<ArrayPlace> {
  if (Array.isArray(value)) {
    const entry = value[0] ?? '0501234567';
    yield { entry, maxItems: schema?.maxItems as number | undefined, put: (entries) => entries };
    for (const inner of arraysIn(entry, schema?.items as JsonSchema | undefined)) {
      yield { ...inner, put: (entries) => value.with(0, inner.put(entries)) };
    }
  } else if (typeof value === 'object' && value !== null) {
    const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
    for (const [name, field] of Object.entries(value)) {
      for (const inner of arraysIn(field, properties[name])) {
        yield { ...inner, put: (entries) => ({ ...value, [name]: inner.put(entries) }) };
      }
    }
  }
}

/** An entry of a list like the others, and of another phone, address or name. */
function varied(entry: unknown, index: number): unknown {
  if (typeof entry === 'string') {
    if (/^\+?\d{9,15}$/.test(entry)) return `05${10_000_000 + index}`;
    return entry.includes('@') ? `user-${index}@example.com` : entry;
  }
  if (Array.isArray(entry)) return entry.map((inner) => varied(inner, index));
  if (typeof entry !== 'object' || entry === null) return entry;
  return Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, varied(inner, index)]));
}
