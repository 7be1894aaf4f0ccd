import { escapeHtml } from '../../kit/text/html.ts';
import { layout, type Notation } from './layout.ts';

/** Formats a description as HTML: paragraphs, and `code`. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** Formats a line of a description as HTML. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const json: Notation = {
  indent: '  ',
  lastComma: '',
  scalar: (value) => JSON.stringify(value),
  name: (name) => `${JSON.stringify(name)}: `,
  list: ['[', ']'],
  object: () => ['{', '}'],
  padding: ' ',
};

/** Formats JSON for people: on one line if it fits. */
export const jsonText = (value: unknown): string => layout(value, json);
