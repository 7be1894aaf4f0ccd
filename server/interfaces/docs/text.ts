import { escapeHtml } from '../../text/html.ts';

/** A description as HTML: paragraphs, and `code`. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** A line of a description as HTML. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const LINE = 64;

/** JSON for people: what fits on a line stays on it. */
export function jsonText(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE) return line;
  const inner = `${indent}  `;
  const [open, close, entries] = Array.isArray(value)
    ? ['[', ']', value.map((entry) => jsonText(entry, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${jsonText(entry, inner)}`),
      ];
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${oneLine(entry)}`);
  return `{ ${entries.join(', ')} }`;
}
