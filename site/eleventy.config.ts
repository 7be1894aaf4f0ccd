import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, parse } from 'node:path';
import type { UserConfig } from '@11ty/eleventy';
import { type RenderedPage, writePages } from './markdown.ts';
import { BASE, groups, outside, pathOf, root } from './navigation.ts';
import { type Assets, pageHtml } from './page.ts';
import { searchIndex } from './search-index.ts';

/*
 * Configuration of Eleventy for docs/: each file is rendered with the links and anchors of the site. After all files
 * are rendered they become pages, with the titles of the others in the navigation.
 */

/** Page for unknown addresses. */
const NOT_FOUND = '404.md';

export default function configure(config: UserConfig): object {
  const shown = groups();
  const files = new Set(shown.flatMap((group) => group.files));
  const pages = new Map<string, RenderedPage>();
  const contents = new Map<string, string>();
  const assets = new HashedFiles();

  config.setTemplateFormats(['md']);
  for (const file of outside()) config.addTemplate(inputOf(file), readFileSync(join(root, file), 'utf8'));
  config.addTemplate(NOT_FOUND, '# Page not found\n\nUse the search, or the list of pages.\n');
  const inputs = new Map([...files].map((file) => [inputOf(file), file]));
  const fileOf = (inputPath: string) => {
    const input = inputPath.slice(inputPath.lastIndexOf('docs/') + 'docs/'.length);
    return inputs.get(input) ?? input;
  };
  config.addGlobalData('permalink', () => ({ page }: { page: { inputPath: string } }) => {
    const file = fileOf(page.inputPath);
    return outputOf(file);
  });
  config.amendLibrary('md', (md) =>
    writePages(md, {
      files,
      fileOf,
      picture: (file) => assets.take(parse(file).base, readFileSync(join(root, file))),
      rendered: (page) => pages.set(page.file, page),
    }),
  );
  // Pages are assembled when all contents are rendered, because each page has the titles of the others.
  config.addTransform('keep', function keep(content) {
    contents.set(fileOf(this.page.inputPath), content);
    return content;
  });
  config.on('eleventy.after', ({ directories: { output } }) => {
    const faults = brokenLinks(pages);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const common = commonAssets(
      assets,
      [...pages.values()].filter(({ file }) => file !== NOT_FOUND),
    );
    const titleOf = (file: string) =>
      file === 'docs/guide/README.md' ? 'Overview' : pages.get(file)!.sections[0]!.title;
    for (const [file, page] of pages) {
      const html = pageHtml({ page, content: contents.get(file)!, groups: shown, titleOf, assets: common });
      writeFileSync(join(output, outputOf(file)), html);
    }
    assets.write(output);
  });
  return { markdownTemplateEngine: false, htmlTemplateEngine: false };
}

/** Returns the input path of a page in Eleventy: its path below docs/. */
const inputOf = (file: string): string =>
  file.startsWith('docs/') ? file.slice('docs/'.length) : `${pathOf(file).slice(1)}.md`;

/** Returns the output file of a page. */
const outputOf = (file: string): string =>
  file === NOT_FOUND ? NOT_FOUND.replace('.md', '.html') : `${pathOf(file).slice(1) || 'index'}.html`;

/** Returns links to missing sections. */
function brokenLinks(pages: ReadonlyMap<string, RenderedPage>): string[] {
  return [...pages.values()].flatMap(({ file, links }) =>
    links
      .filter((link) => {
        const { sections } = pages.get(link.file)!;
        const [title] = sections;
        return link.id !== '' && !sections.some(({ id }) => id === link.id) && title!.id !== link.id;
      })
      .map((link) => `${file} links to ${link.file}#${link.id}, which is not there`),
  );
}

/** Files whose names contain a hash of their content, so that browsers cache them permanently. */
class HashedFiles {
  readonly #contents = new Map<string, string | Uint8Array>();

  /** Adds a file, and returns its address. */
  take(name: string, content: string | Uint8Array): string {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const path = `/assets/${parse(name).name}-${hash}${extname(name)}`;
    this.#contents.set(path, content);
    return BASE + path;
  }

  /** Writes them below a folder. */
  write(output: string): void {
    mkdirSync(join(output, 'assets'), { recursive: true });
    for (const [path, content] of this.#contents) writeFileSync(join(output, path), content);
  }
}

function commonAssets(files: HashedFiles, pages: readonly RenderedPage[]): Assets {
  const own = (name: string) => readFileSync(join(import.meta.dirname, 'assets', name), 'utf8');
  const theme = readFileSync(join(root, 'server/api/docs/theme.css'), 'utf8');
  const engine = createRequire(import.meta.url)
    .resolve('minisearch')
    .replace('/cjs/index.cjs', '/es/index.js');
  return {
    style: files.take('site.css', `${theme}\n${own('site.css')}`),
    script: files.take('site.js', own('site.js')),
    engine: files.take(
      'minisearch.js',
      readFileSync(engine, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    ),
    index: files.take('search.json', searchIndex(pages)),
  };
}
