import { styleText } from 'node:util';

/** Name and colour of each pino level. */
const levels: Readonly<Record<number, readonly [name: string, colour: Parameters<typeof styleText>[0]]>> = {
  10: ['trace', 'gray'],
  20: ['debug', 'gray'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};

/** Fields that are the same in all lines of a terminal, or are shown elsewhere. */
const notListed = new Set(['level', 'time', 'msg', 'err', 'host', 'process', 'role', 'version', 'outage']);

/**
 * Formats a line of the log, as pino writes it (JSON), for people: local time, level, message, `name=value`, and the
 * stack of an error below it. Control characters are escaped, so that no value can control the terminal or begin a
 * line.
 */
export function textOf(line: string, hasColors: boolean): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
    hasColors ? styleText(colour, text, { validateStream: false }) : text;
  const [name, colour] = levels[entry.level as number] ?? [String(entry.level), 'gray'];
  const time = new Date(entry.time as string).toTimeString().slice(0, 8);
  const fields = Object.entries(entry)
    .filter(([field]) => !notListed.has(field))
    .map(([field, value]) => paint('gray', `${escaped(field)}=`) + shown(value));
  const { message, stack } = (entry.err ?? {}) as { message?: unknown; stack?: unknown };
  const error = message === undefined ? [] : [paint(colour, escaped(String(message)))];
  const parts = [
    paint('gray', time),
    paint(colour, name.padEnd(5)),
    escaped(String(entry.msg ?? '')),
    ...fields,
    ...error,
  ];
  const frames = String(stack ?? '')
    .split('\n')
    .filter((frame) => frame.startsWith('    at '))
    .map((frame) => `\n${paint('gray', escaped(frame))}`);
  return `${parts.join(' ')}${frames.join('')}\n`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(',');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return escaped(typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text);
}

const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
