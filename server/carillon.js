#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from 'node:fs';
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Starts the program: its bundle (tools/build-program.ts), or the sources if one of them was changed since the bundle was built. This
 * file is JavaScript, so that Node does not load what reads TypeScript.
 */

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Whether the sources are as they were when the bundle was built. A package has the bundle alone. */
function isCurrent() {
  if (!existsSync(at('main.ts'))) return true;
  if (!existsSync(at('dist/sources.json'))) return false;
  return JSON.parse(readFileSync(at('dist/sources.json'), 'utf8')).every(([path, size, changed]) => {
    const found = statSync(at(`../${path}`), { throwIfNoEntry: false });
    // A copy of a file can lose parts of a millisecond.
    return found?.size === size && Math.abs(found.mtimeMs - changed) <= 1;
  });
}

if (isCurrent()) {
  setSourceMapsSupport(true);
  // Where the folder cannot be written, the program starts without a cache.
  enableCompileCache(process.env.NODE_COMPILE_CACHE || at('dist/.cache'));
  await import('./dist/main.mjs');
} else await import('./main.ts');
