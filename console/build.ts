import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/*
 * Builds the console into console/dist. With --if-needed (before `npm start`) it does so only when what it is made of
 * has changed since, and lets the service start when it cannot: messages do not wait for pages.
 */

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const stamp = join(dist, '.made-of');
const compressible = /\.(?:html|js|css|svg|json)$/;

/** Builds unless what is there is made of the same files. Throws when it cannot be built. */
export async function buildConsole(): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const { build } = await import('vite');
  // Beside it first: a service that starts meanwhile finds the old one or the new one, whole.
  const fresh = join(folder, `dist-${process.pid}`);
  try {
    await build({
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh },
    });
    compress(fresh);
    writeFileSync(join(fresh, '.made-of'), wanted);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A hash of everything that the console is made of. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  for (const path of ['../package-lock.json', 'index.html', 'vite.config.ts', 'build.ts']) add(path);
  for (const part of ['public', 'src']) {
    const files = readdirSync(join(folder, part), { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    for (const path of paths.sort()) add(path.slice(folder.length + 1));
  }
  return hash.digest('hex');
}

/** Puts `.br` and `.gz` beside each text, so that the server compresses nothing. */
function compress(root: string): void {
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!compressible.test(file)) continue;
    const path = join(root, file);
    const content = readFileSync(path);
    // The best takes some seconds of a build, and 4 % off what a browser fetches.
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (import.meta.main) {
  const began = performance.now();
  mkdirSync(folder, { recursive: true });
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  try {
    await buildConsole();
    if (readFileSync(stamp, 'utf8') !== before) {
      console.log(`The console was built in ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
    }
  } catch (error) {
    console.error(`The console could not be built: ${(error as Error).message}`);
    if (!process.argv.includes('--if-needed')) process.exitCode = 1;
  }
}
