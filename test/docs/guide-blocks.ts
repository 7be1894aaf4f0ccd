import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { environmentOfRun } from '../support/environment.ts';
import { programFile } from '../support/program.ts';

/*
 * Runs what guides say (docs/guide/*.md). Of the blocks of code of a guide, those marked `file=name` are files, those marked
 * `run` are run one after the other by one shell, and one marked `output` is what the block before it printed: digits may
 * be others, and `…` stands for anything; in `export CARILLON_TOKEN=carillon_…` for the token that a command has printed.
 */

/** The folder of the repository. */
export const root = join(import.meta.dirname, '../..');
const BETWEEN = '@@@ the next block @@@';

interface Block {
  /** What follows the language on the line that opens it: `run`, `file=send.php`. */
  readonly mark: string;
  readonly text: string;
}

/** The blocks of code of a guide that are marked. */
function blocksOf(guide: string): Block[] {
  const text = readFileSync(join(root, 'docs/guide', guide), 'utf8');
  return [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, mark, content]) => ({
    mark: mark!,
    text: content!,
  }));
}

/**
 * Follows a guide against the service at `url`, in an empty folder. Fails where a command fails, or prints something else
 * than the guide says.
 *
 * @param environment settings of the commands, beside the address of the service
 */
export async function followGuide(
  guide: string,
  url: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-guide-'));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  after(() => rmSync(folder, { recursive: true, force: true }));
  const here = (text: string) =>
    text
      .replaceAll('localhost:8080', new URL(url).host)
      .replace('=carillon_…', `=$(grep -o 'carillon_[A-Za-z0-9_-]*' "$HOME/said" | tail -1)`);
  const blocks = blocksOf(guide);
  for (const { mark, text } of blocks) {
    const name = /^file=(.+)$/.exec(mark)?.[1];
    if (name !== undefined) writeFileSync(join(folder, name), here(text));
  }
  if (guide.endsWith('node.md')) installClient(folder);
  const runs = blocks.filter(({ mark }) => mark === 'run');
  assert.ok(runs.length > 0, `${guide} runs nothing`);
  const script = runs.map(({ text }) => `${here(text)}\necho '${BETWEEN}'\n`).join('');
  const printed = (await runShell(folder, script, { CARILLON_URL: url, ...environment })).split(
    `${BETWEEN}\n`,
  );
  let at = -1;
  for (const { mark, text } of blocks) {
    if (mark === 'run') at++;
    if (mark !== 'output') continue;
    const said = printed[at]!.replaceAll('\r', '').trim();
    assert.match(
      `\n${withoutDigits(said)}\n`,
      patternOf(text.trim()),
      `${guide} after ${runs[at]!.text}: ${said}`,
    );
  }
}

const withoutDigits = (text: string) => text.replaceAll(/\d+/g, '0');

/** `…` on a line of its own stands for any number of lines, none too. */
function patternOf(text: string): RegExp {
  const lines = `\n${withoutDigits(text)}\n`.split('\n…\n');
  const pattern = lines
    .map((part) => part.split('…').map(RegExp.escape).join('[\\s\\S]*'))
    .join('\\n(?:[\\s\\S]*\\n)?');
  return new RegExp(`^${pattern}$`);
}

async function runShell(
  folder: string,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  // In the guides commands stand in the folder of Carillon.
  const npm = `npm() { shift 3; '${process.execPath}' '${programFile}' "$@" 2>&1 | tee -a "$HOME/said"; }\n`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', npm + script], {
    cwd: folder,
    env: { ...environmentOfRun, HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, `${out}\n${err}`);
  return out;
}

/** The client library as it is when it is installed; test/client/package.test.ts packs and installs it. */
function installClient(folder: string): void {
  const installed = join(folder, 'node_modules/@carillon/client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(installed, 'package.json'), '{"type": "module", "exports": "./index.js"}');
  const sources = join(root, 'client/src');
  for (const name of globSync('*.ts', { cwd: sources })) {
    const text = stripTypeScriptTypes(readFileSync(join(sources, name), 'utf8'));
    writeFileSync(
      join(installed, name.replace('.ts', '.js')),
      text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
    );
  }
}
