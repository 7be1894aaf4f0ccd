import { readFile, writeFile } from 'node:fs/promises';
import { chapters } from './chapters.ts';
import type { Outcome } from './reporter.ts';
import type { Evidence } from './row.ts';

export const documentUrl = new URL('../../docs/conformance.md', import.meta.url);

/** Whether the test of these names passed. */
export type Passed = (file: string, names: readonly string[]) => boolean;

/** docs/conformance.md: the same for the same rows and outcomes, whenever and wherever it is made. */
export function writeDocument(passed: Passed): string {
  const lines = [
    '# Conformance',
    '',
    '<!-- Made by `npm run conformance` from test/conformance/rows and what those tests gave. Do not edit. -->',
    '',
    'What the interface asks of the service, the tests that show it, and whether they pass. A test marked (XML, JSON) runs in both forms.',
  ];
  for (const { title, rows } of chapters) {
    lines.push('', `## ${title}`, '', '| | Row | Tests | Passed |', '|---|---|---|---|');
    for (const { id, says, shownBy } of rows) {
      const tests = shownBy.map(shown).join('<br>');
      lines.push(`| ${id} | ${cell(says)} | ${tests} | ${holds(shownBy, passed) ? 'yes' : 'no'} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Writes the document from what `reporter.ts` left in a file. Returns the rows that are not shown, as `chapter: id`. */
export async function updateDocument(outcomes: string): Promise<string[]> {
  const results = new Map<string, boolean>();
  for (const line of (await readFile(outcomes, 'utf8')).split('\n').filter(Boolean)) {
    const { file, names, passed } = JSON.parse(line) as Outcome;
    const key = keyOf(file, names);
    results.set(key, passed && results.get(key) !== false);
  }
  const passed: Passed = (file, names) => results.get(keyOf(file, names)) === true;
  await writeFile(documentUrl, writeDocument(passed));
  return chapters.flatMap(({ title, rows }) =>
    rows.filter(({ shownBy }) => !holds(shownBy, passed)).map(({ id }) => `${title}: ${id}`),
  );
}

/** The files that rows name, below test/ and without `.test.ts`, each once. */
export const filesOfRows = (): string[] =>
  [
    ...new Set(
      chapters.flatMap(({ rows }) => rows.flatMap(({ shownBy }) => shownBy.map(({ file }) => file))),
    ),
  ].sort();

const keyOf = (file: string, names: readonly string[]) => JSON.stringify([file, ...names]);

const holds = (shownBy: readonly Evidence[], passed: Passed) =>
  shownBy.every(({ file, tests }) => tests.every((names) => passed(file, names)));

const shown = ({ file, title, bothForms }: Evidence) =>
  `\`${file}\`: ${cell(title)}${bothForms ? ' (XML, JSON)' : ''}`;

// What Markdown would read as something else, outside of code.
const cell = (text: string) =>
  text
    .split('`')
    .map((piece, index) =>
      index % 2 === 1 ? `\`${piece.replaceAll('|', '\\|')}\`` : piece.replaceAll(/[|<[*]/g, '\\$&'),
    )
    .join('');
