import { join } from 'node:path';
import { build, type InlineConfig, normalizePath, type Rolldown } from 'vite';

interface FirstPage {
  /** Name of its file. */
  readonly name: string;
  readonly source: string;
  /** The page that is always open before it. */
  readonly after?: string;
}

/** Pages that visits begin with. */
const firstPages: readonly FirstPage[] = [
  { name: 'sign-in', source: 'pages/sign-in/sign-in.tsx' },
  { name: 'password-form', source: 'pages/sign-in/password-form.tsx', after: 'sign-in' },
  { name: 'start', source: 'pages/start/start.tsx' },
  { name: 'overview', source: 'pages/overview/overview.tsx' },
];

/** Minimum number of pages that need a module in the file `common`. */
const COMMON = 12;
/** Texts load in one language, or with their page. */
const texts = /\.(en|he)\.ts$/;

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/**
 * Returns how the build divides the scripts. By itself it makes a file for each set of pages that share a module, so that
 * the first page had 68 of them, most below 1 kB: each costs 0.6 kB of headers and compresses badly. Here a first page has
 * the script of every page (`app`), what several first pages need (`first`), its own, and what only it and later pages need
 * (`…-parts`). The styles of all first pages are in one file. Other pages share `common`, and `icons` of some hundred bytes each.
 *
 * Builds the console once to see which modules each page needs, because only the build knows what it leaves out.
 */
export async function divideScripts(config: InlineConfig): Promise<Rolldown.CodeSplittingOptions> {
  const { output } = (await build({
    ...config,
    build: {
      write: false,
      minify: false,
      cssMinify: false,
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } } },
    },
  })) as Rolldown.RolldownOutput;
  const chunks: Chunks = new Map(
    output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const groups = groupsOf(chunks);
  return {
    groups: [
      ...['app', 'first', ...firstPages.flatMap(({ name }) => [`${name}-parts`, name])].map(
        (name, index) => ({
          name,
          test: (id: string) => groups.get(id) === name,
          priority: 100 - index,
        }),
      ),
      { name: 'common', test: (id) => !texts.test(id), minShareCount: COMMON },
      { name: 'icons', test: /lucide-react/, minShareCount: 2 },
    ],
  };
}

/** Returns the group of each module that first pages need. */
function groupsOf(chunks: Chunks): ReadonlyMap<string, string> {
  const all = [...chunks.values()];
  const app = new Set(all.find(({ isEntry }) => isEntry)!.moduleIds);
  const modulesOf = (chunk: Rolldown.OutputChunk) =>
    [...neededBy(chunk, chunks)].flatMap(({ moduleIds }) => moduleIds.filter((id) => !app.has(id)));

  const pagesOf = new Map<string, FirstPage[]>();
  const modulesOfFirst = new Map<string, ReadonlySet<string>>();
  const sources = new Set<string>();
  for (const page of firstPages) {
    const source = normalizePath(join(import.meta.dirname, 'src', page.source));
    const chunk = all.find(({ facadeModuleId }) => facadeModuleId === source);
    if (!chunk) throw new Error(`${source} does not load by itself`);
    sources.add(source);
    const before = modulesOfFirst.get(page.after ?? '');
    const modules = new Set(modulesOf(chunk).filter((id) => !before?.has(id)));
    modulesOfFirst.set(page.name, modules);
    for (const id of modules) pagesOf.set(id, [...(pagesOf.get(id) ?? []), page]);
  }
  const later = all.filter(
    ({ isDynamicEntry, facadeModuleId }) => isDynamicEntry && !sources.has(facadeModuleId!),
  );
  const shared = new Set(later.flatMap(modulesOf));

  // Texts of both languages use them, so that a page would load the texts of the other language to get its words.
  const words = all.flatMap(({ moduleIds }) => moduleIds.filter((id) => /i18n[\\/]words\./.test(id)));
  const groups = new Map([...app, ...words].map((id) => [id, 'app']));
  for (const [id, [page, ...others]] of pagesOf) {
    const { name } = page!;
    const own = shared.has(id) ? `${name}-parts` : name;
    groups.set(id, /\.css$/.test(id) ? 'app' : others.length > 0 ? 'first' : own);
  }
  return groups;
}

/** Returns the chunks that a chunk needs before it runs, with itself. */
function neededBy(
  chunk: Rolldown.OutputChunk,
  chunks: Chunks,
  needed = new Set<Rolldown.OutputChunk>(),
): ReadonlySet<Rolldown.OutputChunk> {
  if (needed.has(chunk)) return needed;
  needed.add(chunk);
  for (const name of chunk.imports) neededBy(chunks.get(name)!, chunks, needed);
  return needed;
}
