import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';

/*
 * Finds regular expressions of the server whose run time grows faster than their input, so that one request could block
 * all others. `recheck` judges every literal. checked-expressions.json has the safe patterns, so that only new ones
 * take time. It also lists the expressions that `recheck` cannot judge, or judges wrongly, with the reason why they are
 * harmless. `--write` judges all again and writes that file.
 */

const FILE = new URL('checked-expressions.json', import.meta.url);

/** Milliseconds per expression. */
const TIMEOUT = 5_000;

interface Checked {
  /** Version of `recheck` that made these judgements. */
  version: string;
  /** By file and expression: the reason why it is harmless although it is not known to be safe, for human readers. */
  exceptions: Record<string, string>;
  safe: string[];
}

interface Expression {
  readonly file: string;
  readonly line: number;
  /** Undefined for an expression built at run time. */
  readonly literal: { readonly pattern: string; readonly flags: string } | undefined;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly type: string; readonly name?: string };
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

function expressionsOf(file: string): Expression[] {
  const source = readFileSync(file, 'utf8');
  const found: Expression[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value)) {
      const isMade =
        (value.type === 'NewExpression' || value.type === 'CallExpression') &&
        value.callee?.name === 'RegExp';
      if (value.regex || isMade) {
        const line = source.slice(0, value.start).split('\n').length;
        found.push({ file, line, literal: value.regex });
      }
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(parseSync(file, source).program);
  return found;
}

const nameOf = ({ file, literal }: Expression) =>
  literal ? `${file} /${literal.pattern}/${literal.flags}` : `${file} new RegExp`;

/** Returns the problem of an expression; undefined when it is safe. */
function judge({ pattern, flags }: { readonly pattern: string; readonly flags: string }): string | undefined {
  const result = checkSync(pattern, flags, { timeout: TIMEOUT });
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `could not be judged: ${result.error.kind}`;
  return `${result.complexity.summary}, for example with ${result.attack.pattern}`;
}

const checked = JSON.parse(readFileSync(FILE, 'utf8')) as Checked;
const { version } = JSON.parse(
  readFileSync(new URL('../node_modules/recheck/package.json', import.meta.url), 'utf8'),
) as { version: string };
const isWriting = process.argv.includes('--write');
const known = new Set(isWriting || checked.version !== version ? [] : checked.safe);
const safe = new Set<string>();
const used = new Set<string>();
const problems: string[] = [];

for (const file of globSync('server/**/*.ts').sort()) {
  for (const expression of expressionsOf(file)) {
    const name = nameOf(expression);
    const { literal } = expression;
    if (checked.exceptions[name] !== undefined) {
      used.add(name);
      continue;
    }
    const place = `${expression.file}:${expression.line}`;
    if (!literal) {
      problems.push(
        `${place}: made at run time. Use a literal, or add an exception "${name}" with the reason.`,
      );
      continue;
    }
    const key = `/${literal.pattern}/${literal.flags}`;
    if (!known.has(key) && !safe.has(key)) {
      const problem = judge(literal);
      if (problem !== undefined) {
        problems.push(`${place}: ${key} is slow: ${problem}`);
        continue;
      }
    }
    safe.add(key);
  }
}
for (const name of Object.keys(checked.exceptions)) {
  if (!used.has(name)) problems.push(`checked-expressions.json: the exception "${name}" is for nothing`);
}
if (isWriting) {
  const written: Checked = { version, exceptions: checked.exceptions, safe: [...safe].sort() };
  writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    'A text with a cap on its length, or a scanner, is usually the answer (docs/decisions/0007-event-loop.md).',
  );
  process.exitCode = 1;
}
