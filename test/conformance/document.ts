import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chapters } from './chapters.ts';
import type { Outcome } from './reporter.ts';
import type { Chapter, Row } from './row.ts';
import { coveredIn } from './sources.ts';

const documentUrl = new URL('../../artefacts/conformance.md', import.meta.url);
/** How the name of a test, or of the suite around it, tells the form. */
const ofForm = /^(xml|json): |, (xml|json)$/;

/** What shows a row: a test, or the same test in each of the forms. */
interface Evidence {
  readonly file: string;
  /** Without the form. */
  readonly title: string;
  readonly forms: Set<string>;
  passed: boolean;
}

/**
 * Writes artefacts/conformance.md from what reporter.ts left in a file: each row, the tests that show it, and whether they
 * passed. Returns the rows that are not shown, as tests name them: by no test, not in both forms, or by one that failed.
 *
 * @param notRun the paths of test files that belong to another run: a row that one of them covers needs no test in this one
 */
export async function updateDocument(outcomes: string, notRun: readonly string[]): Promise<string[]> {
  const evidence = evidenceOf(await readFile(outcomes, 'utf8'));
  const elsewhere = notRun.flatMap((path) => {
    const file = path.replace(/^test\//, '');
    return coveredIn(file).map((covered) => ({ ...covered, file: file.replace(/\.test\.ts$/, '') }));
  });
  const notShown: string[] = [];
  const lines = [
    '# Conformance',
    '',
    'What the interface asks of the service, the tests that show it, and whether they passed. A test marked (XML, JSON) runs in both forms.',
  ];
  for (const chapter of chapters as readonly Chapter[]) {
    lines.push('', `## ${chapter.title}`, '', '| | Row | Tests | Passed |', '|---|---|---|---|');
    for (const row of chapter.rows) {
      const tests = evidence.get(tagOf(chapter, row)) ?? [];
      const name = `${chapter.key}.${row.id}`;
      const others = new Set(elsewhere.filter((one) => one.row.test(name)).map(({ file }) => file));
      const isShown = holds(chapter, tests);
      const isLeftOut = others.size > 0 && tests.every(({ passed }) => passed);
      if (!isShown && !isLeftOut) notShown.push(name);
      const all = [...tests.map(shown), ...[...others].map((file) => `\`${file}\`: not run`)];
      const verdict = isShown ? 'yes' : isLeftOut ? 'not run' : 'no';
      lines.push(`| ${row.id} | ${cell(row.says)} | ${all.join('<br>')} | ${verdict} |`);
    }
  }
  await mkdir(dirname(fileURLToPath(documentUrl)), { recursive: true });
  await writeFile(documentUrl, `${lines.join('\n')}\n`);
  return notShown;
}

/** A row as `node:test` reports it. */
export const tagOf = ({ key }: Chapter, { id }: Row) => `${key}.${id}`.toLowerCase();

/** The tests of each row, by its tag. */
function evidenceOf(outcomes: string): Map<string, Evidence[]> {
  const evidence = new Map<string, Evidence[]>();
  for (const line of outcomes.split('\n').filter(Boolean)) {
    const { file, names, rows, passed } = JSON.parse(line) as Outcome;
    const forms = names.flatMap((name) => ofForm.exec(name)?.slice(1).filter(Boolean) ?? []);
    const title = names.at(-1)!.replace(ofForm, '');
    for (const row of rows) {
      const tests = evidence.get(row) ?? [];
      evidence.set(row, tests);
      const known = tests.find((test) => test.file === file && test.title === title);
      const test = known ?? { file, title, forms: new Set(), passed: true };
      if (!known) tests.push(test);
      for (const form of forms) test.forms.add(form);
      test.passed &&= passed;
    }
  }
  return evidence;
}

const holds = ({ bothForms }: Chapter, tests: readonly Evidence[]) =>
  tests.every(({ passed }) => passed) && tests.some(({ forms }) => !bothForms || forms.size === 2);

const shown = ({ file, title, forms }: Evidence) =>
  `\`${file}\`: ${cell(title)}${forms.size === 2 ? ' (XML, JSON)' : ''}`;

// What Markdown would read as something else, outside of code.
const cell = (text: string) =>
  text
    .split('`')
    .map((piece, index) =>
      index % 2 === 1 ? `\`${piece.replaceAll('|', '\\|')}\`` : piece.replaceAll(/[|<[*]/g, '\\$&'),
    )
    .join('');
