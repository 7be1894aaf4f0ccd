import { join } from 'node:path';
import { buildFolder } from '../tools/built-folder.ts';

const folder = import.meta.dirname;

/** Builds the console into console/dist, unless what is there is made of the same files. Returns whether it did. Throws when it cannot. */
export function buildConsole(): Promise<boolean> {
  return buildFolder({
    folder: join(folder, 'dist'),
    sources: [
      '../package-lock.json',
      '../client/src',
      'index.html',
      'vite.config.ts',
      'build.ts',
      'public',
      'src',
    ].map((path) => join(folder, path)),
    async build(fresh) {
      const { build } = await import('vite');
      await build({
        configFile: join(folder, 'vite.config.ts'),
        logLevel: 'warn',
        build: { outDir: fresh },
      });
    },
  });
}
