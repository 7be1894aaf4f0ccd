import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/* Builds the client library into client/dist: JavaScript modules, their types and the license. */

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Builds into `dist`, whole or not at all. Throws when a source does not compile. */
export function buildClient(): void {
  const fresh = join(folder, `dist-${process.pid}`);
  try {
    const options = ['-p', folder, '--noEmit', 'false', '--outDir', fresh];
    execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
    for (const file of globSync(join(fresh, '*.d.ts'))) {
      // The compiler rewrites these in JavaScript alone, and older ones refuse them in types.
      writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
    }
    copyFileSync(join(folder, '../LICENSE'), join(fresh, 'LICENSE'));
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (import.meta.main) buildClient();
