import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../server/kit/child-processes.ts';

/** Output of a program, and the error that it ended with; `error` is undefined after a success. */
export interface Ran {
  readonly printed: string;
  readonly error?: string;
}

/** A language whose programs run one after the other in one process. */
interface Language {
  readonly command: readonly string[];
  /** How a file of a program ends. */
  readonly ending: string;
  /**
   * Takes the name of a file, which lists files of programs, runs each, and writes what they printed, and with what error
   * they ended, into the file whose name follows.
   */
  readonly runner: string;
}

/** Runs programs in one process, in a temporary folder. A program that ends with an error does not stop the others. */
export async function runPrograms(
  { command: [command, ...args], ending, runner }: Language,
  programs: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  try {
    const files = programs.map((text, index) => {
      const file = join(folder, `program-${index}${ending}`);
      writeFileSync(file, text);
      return file;
    });
    const [main, list, results] = [`runner${ending}`, 'list.json', 'results.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(main, runner);
    writeFileSync(list, JSON.stringify(files));
    const env = childEnvironment({ PATH: process.env.PATH!, HOME: folder, ...environment });
    const child = spawn(command!, [...args, main, list, results], { cwd: folder, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 0, said);
    return JSON.parse(readFileSync(results, 'utf8')) as Ran[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
