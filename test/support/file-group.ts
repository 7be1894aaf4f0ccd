/*
 * Runs several test files in one process, one after the other, because loading the service takes longer than most files.
 * Each file has separate databases and services, and separate instances of every module below `test/`; its hooks run when
 * its tests are over, and metrics start again from zero. `test/run.ts` forms the groups of files.
 */
import { closeSync, openSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { metrics } from '../../server/kit/observability/metrics.ts';
import { startOfFile } from './file-times.ts';
import { endFile, keepHooks } from './grouped-hooks.ts';
import { endOnce, keepOnce } from './once.ts';

const tests = new URL('../', import.meta.url).href;
const hooks = new URL('grouped-hooks.ts', import.meta.url).href;
const ofAllFiles = new Set([
  hooks,
  ...['file-times.ts', 'once.ts'].map((name) => new URL(name, import.meta.url).href),
]);
/** Milliseconds after which a process whose files have ended is ended. */
const LEFT_OPEN_MS = 30_000;
let fileCount = 0;
keepOnce();
keepHooks();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test' && context.parentURL !== hooks) return { url: hooks, shortCircuit: true };
    const found = next(specifier, context);
    if (!found.url.startsWith(tests) || ofAllFiles.has(found.url)) return found;
    return { ...found, url: `${found.url}?file=${fileCount}` };
  },
});

/**
 * Runs those of a queue's files that no other process has begun. Their paths are those from the folder of the project.
 *
 * @param claims a folder, empty at first, in which the processes of the queue note the files that they begin
 */
export async function runFiles(files: readonly string[], claims: string): Promise<void> {
  // Between two files nothing else may be left that keeps the process.
  const staying = setInterval(() => {}, 2 ** 30);
  for (const [index, file] of files.entries()) {
    if (!claim(join(claims, String(index)))) continue;
    fileCount++;
    const end = startOfFile(file);
    const environment = { ...process.env };
    const reading = import(pathToFileURL(resolve(file)).href).then(() => {});
    // A process runs one test at a time: the tests of a file begin when its top-level code is done. A file that cannot be
    // loaded, or whose hooks fail, is a failed suite and ends like any other: resources that it left open would keep the
    // process alive.
    await suite(file, () => reading);
    // Begins when the tests before it have ended.
    await suite(`the tests of ${file} have ended`, () => {});
    const ending = endFile();
    await suite(`the end of ${file}`, () => ending);
    metrics.resetMetrics();
    process.env = environment;
    end();
  }
  clearInterval(staying);
  const end = startOfFile('what the files of a process share');
  await endOnce();
  end();
  endAnyway();
}

/** Ends the process with an error if something that a file left open keeps it: the run would wait for it without an end. */
function endAnyway(): void {
  const timer = setTimeout(() => {
    console.error(`the files of a process left open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, LEFT_OPEN_MS);
  timer.unref();
}

/** Makes a file, which succeeds for one process alone. */
function claim(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
