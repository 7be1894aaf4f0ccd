import { join } from 'node:path';
import type Eleventy from '@11ty/eleventy';
import { buildFolder } from '../tools/built-folder.ts';
import { BASE, outside, root } from './navigation.ts';

/*
 * Builds the documentation into site/dist: Eleventy renders docs/ and some other files to pages, with a search index.
 * `npm run site` serves it at http://localhost:8081/docs/guide/ and rebuilds on changes.
 */

const folder = import.meta.dirname;
const parts = ['eleventy.config.ts', 'markdown.ts', 'navigation.ts', 'page.ts', 'search-index.ts', 'assets'];

/**
 * Builds the documentation, unless it was already built from the same files. Returns whether it did. Throws for a
 * broken link or a missing picture.
 */
export function buildSite(): Promise<boolean> {
  return buildFolder({
    folder: join(folder, 'dist'),
    sources: [
      ...['docs', 'package-lock.json', 'server/api/docs/theme.css', ...outside()].map((path) =>
        join(root, path),
      ),
      ...parts.map((path) => join(folder, path)),
    ],
    build: async (fresh) => {
      await (await open(fresh)).write();
    },
  });
}

async function open(output: string): Promise<Eleventy> {
  const { default: Generator } = await import('@11ty/eleventy');
  return new Generator(join(root, 'docs'), output, {
    configPath: join(folder, 'eleventy.config.ts'),
    pathPrefix: BASE,
    quietMode: true,
  });
}

if (import.meta.main && process.argv.includes('--serve')) {
  const site = await open(join(folder, 'dist-served'));
  await site.init();
  await site.watch();
  await site.serve(8081);
}
