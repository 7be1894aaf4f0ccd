import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { buildFolder } from './built-folder.ts';

/*
 * Bundles the program and its packages into server/dist, which server/carillon.js starts. A module that the program finds by its path is
 * written as `new URL('name.ts', import.meta.url)` in the sources; it is a file of the bundle, too. Other files stay in their folders.
 */

const root = join(import.meta.dirname, '..');
const server = join(root, 'server');
const folder = join(server, 'dist');
const stamp = join(folder, 'sources.json');
/** A separate program under another licence (bundled-espeak.ts). */
const SEPARATE = ['@echogarden/espeak-ng-emscripten'];
/** A module that is found by its path, or another use of the path of a module. */
const OWN_PATH = /new URL\('(?:\.\/)?([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.\w+/g;

/** A file with its size and the time of its last change, as server/carillon.js compares them. */
type Source = readonly [path: string, size: number, changed: number];

/**
 * Builds the bundle, unless it was already built from the same files. Returns whether it did. Throws when the build fails.
 */
export async function buildProgram(): Promise<boolean> {
  const files = sourceFiles();
  // Before the build: a file that is changed during it is newer than the bundle.
  const sources = files.map(describeSource);
  const built = await buildFolder({
    folder,
    sources: [...files, join(import.meta.dirname, 'build-program.ts')],
    build,
  });
  const text = `[\n${sources.map((source) => JSON.stringify(source)).join(',\n')}\n]\n`;
  if (built || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== text) writeFileSync(stamp, text);
  return built;
}

/** The modules of the program, and the list of its packages. */
function sourceFiles(): string[] {
  return [
    ...modulesIn(server),
    ...modulesIn(join(root, 'client/src')),
    join(root, 'deploy/container/health-check.ts'),
    join(root, 'package-lock.json'),
  ];
}

const modulesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(place, name));

function describeSource(path: string): Source {
  const { size, mtimeMs } = statSync(path);
  return [relative(root, path), size, Math.round(mtimeMs)];
}

async function build(fresh: string): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: server,
    logLevel: 'error',
    plugins: [keepPaths(), avoidGetters()],
    ssr: { noExternal: true, external: SEPARATE },
    build: {
      ssr: true,
      target: 'esnext',
      minify: false,
      sourcemap: true,
      outDir: fresh,
      emptyOutDir: true,
      rolldownOptions: {
        input: {
          main: join(server, 'main.ts'),
          'health-check': join(root, 'deploy/container/health-check.ts'),
          ...modulesByPath(),
        },
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Stack traces name places in the sources, and need no text of them.
          sourcemapExcludeSources: true,
          // Names stay, for stack traces. Node reads, decodes and hashes half as much.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  });
}

/** Modules that the program finds by their paths, by their names in the bundle. */
function modulesByPath(): Record<string, string> {
  const found = modulesIn(server).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(OWN_PATH)]
      .filter(([, name]) => name !== undefined)
      .map(([, name]) => join(path, `../${name}.ts`)),
  );
  return Object.fromEntries(found.map((path) => [nameInBundle(path), path]));
}

const nameInBundle = (path: string): string =>
  relative(server, path).replaceAll(/[\\/]/g, '-').replace(/\.ts$/, '');

/** Lets modules find data in the folders of the sources, and other modules in the bundle. All of its files are in one folder. */
function keepPaths(): Plugin {
  return {
    name: 'keep-paths',
    enforce: 'pre',
    transform(code, id) {
      // Most of the maps would be positions in packages, which help nobody.
      if (!id.startsWith(root) || id.includes('node_modules')) return { code, map: { mappings: '' } };
      const place = `../${relative(server, id).replaceAll('\\', '/')}`;
      const changed = code.replaceAll(OWN_PATH, (written, name?: string) => {
        if (name !== undefined)
          return `new URL('./${nameInBundle(join(id, `../${name}.ts`))}.mjs', import.meta.url)`;
        if (written !== 'import.meta.url') throw new Error(`${id} has ${written}: write import.meta.url`);
        return `new URL('${place}', import.meta.url).href`;
      });
      // Lines stay as they are.
      return { code: changed, map: null };
    },
  };
}

/**
 * Lets modules import `node:http` without its getters. Node reads every property of a module that `import` names, and there they load
 * its WebSocket client.
 */
function avoidGetters(): Plugin {
  const id = '\0http';
  const names = Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([, descriptor]) => 'value' in descriptor)
    .map(([name]) => name);
  return {
    name: 'avoid-getters',
    enforce: 'pre',
    resolveId: (source, _importer, { kind }) =>
      source === 'node:http' && kind === 'import-statement' ? id : undefined,
    load: (loaded) =>
      loaded === id
        ? `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names.join(', ')} } = http;\n`
        : undefined,
  };
}
