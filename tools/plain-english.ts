import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { problemOf, type Role } from './plain-english-rules.ts';

/*
 * Counts the sentences that break the rules of plain-english-rules.ts, by kind of text, and fails when a kind has more than
 * plain-english.json permits. The counts can only fall: `--write` lowers them to what is found and never raises one. A kind,
 * as in `node tools/plain-english.ts comments server/engine/dispatch`, lists its sentences, here those below a path.
 */

const FILE = new URL('plain-english.json', import.meta.url);

/** Findings shown of a kind that has too many. */
const MAX_SHOWN = 50;

interface Text {
  readonly line: number;
  readonly text: string;
  readonly role: Role;
}

interface Kind {
  readonly files: readonly string[];
  readonly read: (file: string, source: string) => Iterable<Text>;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [property: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const lineAt = (source: string, index: number) => source.slice(0, index).split('\n').length;

/** Every node of a file with the nodes around it, the nearest one last. */
function* nodesOf(
  value: unknown,
  around: readonly Node[] = [],
): Generator<[node: Node, around: readonly Node[]]> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) yield [value, around];
  const inside = isNode(value) ? [...around, value] : around;
  for (const inner of Object.values(value)) yield* nodesOf(inner, inside);
}

/** The text of a string or template, with X in the place of each expression; undefined for other nodes. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('X');
}

const nameOf = (node: unknown): string => {
  const { name, property, value } = (node ?? {}) as { name?: string; property?: unknown; value?: unknown };
  return name ?? (property ? nameOf(property) : String(value ?? ''));
};

/** The arguments of a call that are texts for people, by the name of the function; `-1` is the last text. */
const describing: Readonly<Record<string, number>> = {
  describe: 0,
  field: 1,
  setting: 2,
  option: 1,
  argument: 1,
};

/** Descriptions of operations, fields, settings and commands. */
function* descriptions(_: string, source: string): Generator<Text> {
  for (const [node, around] of nodesOf(parseSync('file.ts', source).program)) {
    const found = describedBy(node, around);
    for (const [given, role] of found) {
      const text = textOf(given);
      if (text !== undefined) yield { line: lineAt(source, (given as Node).start), text, role };
    }
  }
}

function describedBy(node: Node, around: readonly Node[]): [unknown, Role][] {
  if (node.type === 'Property' && ['description', 'title'].includes(nameOf(node.key))) {
    const siblings = (around.at(-1)!.properties as Node[]).map((one) => nameOf(one.key));
    const isOperation = siblings.includes('operationId') || siblings.includes('chapter');
    if (nameOf(node.key) === 'title') return [[node.value, 'phrase']];
    return [[node.value, isOperation ? 'operation' : 'field']];
  }
  if (node.type !== 'CallExpression') return [];
  const callee = node.callee as Node;
  const given = node.arguments as unknown[];
  if (callee.type === 'MemberExpression' && nameOf(callee.object) === 'out')
    return given.slice(0, 2).map((one) => [one, 'field']);
  const index = describing[nameOf(callee)];
  return index === undefined ? [] : [[given[index], 'field']];
}

function* logLines(_: string, source: string): Generator<Text> {
  for (const [node] of nodesOf(parseSync('file.ts', source).program)) {
    if (node.type !== 'CallExpression') continue;
    const { object, property } = node.callee as { object?: Node; property?: Node };
    if (
      !/^(log|logger)$/.test(nameOf(object)) ||
      !/^(trace|debug|info|warn|error|fatal)$/.test(nameOf(property))
    )
      continue;
    for (const given of node.arguments as Node[]) {
      const text = textOf(given);
      if (text !== undefined) yield { line: lineAt(source, given.start), text, role: 'phrase' };
    }
  }
}

function* titles(_: string, source: string): Generator<Text> {
  for (const [node] of nodesOf(parseSync('file.ts', source).program)) {
    if (node.type !== 'CallExpression' || !/^(test|it|describe)$/.test(nameOf(node.callee))) continue;
    const [title] = node.arguments as Node[];
    const text = textOf(title);
    if (text !== undefined) yield { line: lineAt(source, node.start), text, role: 'phrase' };
  }
}

function* screenTexts(_: string, source: string): Generator<Text> {
  for (const [node, around] of nodesOf(parseSync('file.ts', source).program)) {
    const text = textOf(node);
    if (
      text === undefined ||
      around.some(({ type }) => type === 'ImportDeclaration' || type.startsWith('TS'))
    )
      continue;
    if (around.at(-1)!.key !== node) yield { line: lineAt(source, node.start), text, role: 'phrase' };
  }
}

/** Comments; lines that follow each other are one. */
function* comments(file: string, source: string): Generator<Text> {
  let gathered: { start: number; end: number; text: string } | undefined;
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const text = value.replace(/^\s*\*/gm, ' ');
    const follows = gathered && type === 'Line' && source.slice(gathered.end, start).trim() === '';
    if (gathered && follows) gathered = { ...gathered, end, text: `${gathered.text} ${text}` };
    else {
      if (gathered) yield { line: lineAt(source, gathered.start), text: gathered.text, role: 'prose' };
      gathered = { start, end, text };
    }
  }
  if (gathered) yield { line: lineAt(source, gathered.start), text: gathered.text, role: 'prose' };
}

/** The prose of a page: paragraphs and items of lists, without code, tables and headings. */
function* paragraphs(_: string, source: string): Generator<Text> {
  let isCode = false;
  let paragraph: { line: number; text: string } | undefined;
  for (const [index, line] of [...source.split('\n'), ''].entries()) {
    const isFence = /^ *(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const isOther = isCode || isFence || /^ *[|#<]/.test(line) || line.trim() === '';
    const isItem = /^ *([-*]|\d+\.) /.test(line);
    if (paragraph && (isOther || isItem)) {
      yield { ...paragraph, role: 'prose' };
      paragraph = undefined;
    }
    if (isOther) continue;
    paragraph = { line: paragraph?.line ?? index + 1, text: `${paragraph?.text ?? ''} ${line.trim()}` };
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  api: { files: ['server/**/*.ts', 'deploy/grafana/*.ts'], read: descriptions },
  logs: { files: ['server/**/*.ts'], read: logLines },
  docs: { files: ['docs/**/*.md', '*.md', 'console/*.md', 'client/*.md', 'bench/*.md'], read: paragraphs },
  console: { files: ['console/src/**/*.en.ts'], read: screenTexts },
  tests: { files: ['test/**/*.ts'], read: titles },
  comments: {
    files: ['{server,sandbox,client,console,tools,bench,site,deploy}/**/*.{ts,tsx}'],
    read: comments,
  },
};

const isLeftOut = (file: string) =>
  /(^|\/)(node_modules|dist|release)\/|schema\.ts$|\.d\.ts$|CHANGELOG\.md$/.test(file);

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
  readonly problem: string;
}

/** The sentences of a text, with X in the place of code and of links. */
const sentencesOf = (text: string): string[] =>
  text
    .replace(/`[^`]*`/g, 'X')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?]) (?=[A-Z"'(])/)
    .filter((sentence) => /[a-z]{2}/.test(sentence));

function read({ files, read: readTexts }: Kind): { sentences: number; findings: Finding[] } {
  let sentences = 0;
  const findings: Finding[] = [];
  for (const file of globSync(files as string[])
    .filter((one) => !isLeftOut(one))
    .sort()) {
    for (const { line, text, role } of readTexts(file, readFileSync(file, 'utf8'))) {
      for (const [index, sentence] of sentencesOf(text).entries()) {
        sentences++;
        const problem = problemOf(sentence, index === 0 ? role : 'prose');
        if (problem) findings.push({ file, line, sentence, problem });
      }
    }
  }
  return { sentences, findings };
}

/** Findings in files that differ from the branch `main`, or from the last commit; all of them without Git. */
function changedOf(findings: readonly Finding[]): readonly Finding[] {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
    const changed = new Set(git('diff', '--name-only', git('merge-base', 'HEAD', 'main')).split('\n'));
    return findings.filter(({ file }) => changed.has(file));
  } catch {
    return findings;
  }
}

const show = ({ file, line, sentence, problem }: Finding) =>
  console.log(`${file}:${line}: ${sentence.slice(0, 160)}\n    ${problem}`);

const permitted = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>;
const [wanted, below = ''] = process.argv.slice(2);
if (wanted && Object.hasOwn(kinds, wanted)) {
  for (const finding of read(kinds[wanted]!).findings) if (finding.file.startsWith(below)) show(finding);
} else {
  const found = Object.entries(kinds).map(([kind, of]) => ({ kind, ...read(of) }));
  for (const { kind, sentences, findings } of found) {
    const most = permitted[kind] ?? 0;
    const share = ((100 * findings.length) / sentences).toFixed(1);
    console.log(
      `plain English, ${kind}: ${findings.length} of ${sentences} sentences (${share} %), at most ${most}`,
    );
    if (findings.length > most) {
      process.exitCode = 1;
      const changed = changedOf(findings);
      (changed.length > 0 ? changed : findings).slice(0, MAX_SHOWN).forEach(show);
      console.log(`all of them: node tools/plain-english.ts ${kind}`);
    }
  }
  if (wanted === '--write') {
    const lower = found.map(({ kind, findings }) => [
      kind,
      Math.min(permitted[kind] ?? Infinity, findings.length),
    ]);
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
  }
}
