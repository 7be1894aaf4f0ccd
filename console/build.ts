import { join } from 'node:path';
import { buildFolder } from '../tools/built-folder.ts';

const folder = import.meta.dirname;

/**
 * Builds the console into console/dist, unless the files there were built from the same sources. Returns whether it built
 * anything. Throws when the build fails.
 */
export function buildConsole(): Promise<boolean> {
  return buildFolder({
    folder: join(folder, 'dist'),
    sources: [
      '../package-lock.json',
      '../client/src',
      'index.html',
      'vite.config.ts',
      'build.ts',
      'chunks.ts',
      'mantine-styles.ts',
      'page.ts',
      'public',
      'src',
    ].map((path) => join(folder, path)),
    async build(fresh) {
      // Loaded here, because most starts build nothing.
      const [{ build }, { divideScripts }] = await Promise.all([import('vite'), import('./chunks.ts')]);
      const config = { configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' as const };
      const codeSplitting = await divideScripts(config);
      await build({
        ...config,
        build: { outDir: fresh, rolldownOptions: { output: { codeSplitting } } },
      });
    },
  });
}
