import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Rows that a test of a source says it covers. */
export interface Covered {
  /** What the row's name has to match: a placeholder in it stands for any text. */
  readonly row: RegExp;
  /** Whether the test runs once a form. */
  readonly bothForms: boolean;
}

/** The test files that say what they cover, below test/. */
export const filesWithRows = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes("/conformance/covers.ts'"))
    .sort();

const title = /\b(test|describe)\(\s*(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`)/g;
const literal = /'(\w+\.(?:[^'\n]+))'|"(\w+\.(?:[^"\n]+))"|`(\w+\.[^`\n]*)`/g;

/** What the tests of a file cover, read from its source: whatever in it is written like the name of a row. */
export function coveredIn(file: string): Covered[] {
  const source = readFileSync(join(root, file), 'utf8');
  const titles = [...source.matchAll(title)];
  return [...source.matchAll(literal)].map(({ index, 1: single, 2: double, 3: template }) => {
    const before = titles.filter((one) => one.index < index);
    const around = [before.at(-1), before.findLast(([, kind]) => kind === 'describe')];
    const pieces = (single ?? double ?? template!).split(template === undefined ? /$^/ : /\$\{[^}]*\}/);
    return {
      row: new RegExp(`^${pieces.map(RegExp.escape).join('.+')}$`),
      bothForms: around.some((one) => /\$\{form\}/.test(one?.[0] ?? '')),
    };
  });
}
