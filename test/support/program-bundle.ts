import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { buildFolder } from '../../tools/built-folder.ts';

const root = join(import.meta.dirname, '../..');
const server = join(root, 'server');
/** Below the folder of the project, where the program finds the packages that are not part of the bundle. */
const folder = join(root, 'node_modules/.cache/carillon-program');

/**
 * Bundles the program with the packages that it uses, unless the bundle that is there is made of the same files. Returns the
 * path of its main file. A start loads some 2,000 modules without it, which takes 0.7 s of processor time, and 0.4 s with it.
 */
export async function bundleProgram(): Promise<string> {
  await buildFolder({
    folder,
    sources: ['package-lock.json', 'server', 'client/src', 'test/support/program-bundle.ts'].map((path) =>
      join(root, path),
    ),
    build: async (fresh) => {
      await build({
        configFile: false,
        root: server,
        logLevel: 'error',
        plugins: [keepFiles()],
        ssr: { noExternal: true },
        build: {
          ssr: true,
          target: 'esnext',
          minify: false,
          outDir: fresh,
          emptyOutDir: true,
          rolldownOptions: {
            input: { main: join(server, 'main.ts'), ...channelFiles() },
            output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
          },
        },
      });
    },
  });
  return join(folder, 'main.mjs');
}

/** The file of each channel that only its `channel.ts` names, by its name in the bundle. */
function channelFiles(): Record<string, string> {
  const channels = join(server, 'channels');
  return Object.fromEntries(
    readdirSync(channels)
      .filter((name) => existsSync(join(channels, name, 'open.ts')))
      .map((name) => [`channel-${name}`, join(channels, name, 'open.ts')]),
  );
}

/** Has modules find the files beside them where the sources are, but for those of the channels, which are in the bundle. */
function keepFiles(): Plugin {
  const opened = Object.entries(channelFiles());
  return {
    name: 'keep-files',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(server)) return undefined;
      const channel = opened.find(
        ([, open]) => join(id, '../open.ts') === open && id.endsWith('/channel.ts'),
      );
      if (channel) {
        const named = "new URL('./open.ts', import.meta.url)";
        // A second copy of what the bundle has would be loaded from the sources.
        if (!code.includes(named)) throw new Error(`${id} does not have ${named}`);
        return code.replace(named, `new URL('.//${channel[0]}.mjs', import.meta.url)`);
      }
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(join(id, '..')));
    },
  };
}
