import { dirname, posix } from 'node:path';
import type { MarkdownIt, Token } from '@11ty/eleventy';
import { escapeHtml } from '../server/text/html.ts';
import { BASE, pathOf } from './navigation.ts';

/** A heading with what is below it, up to the next one. */
export interface Section {
  /** What the address of the section ends with; empty for the title of the page. */
  readonly id: string;
  readonly level: number;
  readonly title: string;
  text: string;
}

/** A link to another page. */
interface Link {
  readonly file: string;
  /** Empty for the page as a whole. */
  readonly id: string;
}

/** What was found in a page while it was rendered. */
export interface RenderedPage {
  readonly file: string;
  readonly sections: Section[];
  readonly links: Link[];
}

interface Options {
  /** The pages of the site, by their files in the repository. */
  readonly files: ReadonlySet<string>;
  /** The file of a page, by its input in Eleventy. */
  readonly fileOf: (inputPath: string) => string;
  /** Takes a picture into the site, and returns its address. */
  readonly picture: (file: string) => string;
  readonly rendered: (page: RenderedPage) => void;
}

/** Makes markdown-it write pages of the site: anchors as code hosts have them, links to pages, copyable code. */
export function writePages(md: MarkdownIt, { files, fileOf, picture, rendered }: Options): void {
  md.core.ruler.push('site', ({ tokens, env }) => {
    const page: RenderedPage = { file: fileOf(env.page.inputPath), sections: [], links: [] };
    const ids = new Map<string, number>();
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') {
        const title = textOf(tokens[index + 1]!);
        const level = Number(token.tag.slice(1));
        const id = uniqueId(title, ids);
        token.attrSet('id', id);
        page.sections.push({ id: level === 1 ? '' : id, level, title, text: '' });
        return;
      }
      const isTitle = tokens[index - 1]?.type === 'heading_open';
      const text = token.type === 'inline' ? textOf(token) : token.type === 'fence' ? token.content : '';
      if (!isTitle && page.sections.length > 0) page.sections.at(-1)!.text += `${text} `;
      rewrite(token.children ?? [], page);
    });
    rendered(page);
  });

  function rewrite(tokens: Token[], page: RenderedPage): void {
    let isOpen = true;
    for (const token of tokens) {
      if (token.type === 'image') {
        token.attrSet('src', picture(resolve(page.file, token.attrGet('src')!)));
        token.attrSet('loading', 'lazy');
      }
      if (token.type === 'link_open') {
        const address = addressOf(token.attrGet('href')!, page);
        isOpen = address !== undefined;
        if (address !== undefined) token.attrSet('href', address);
      }
      // Of a file that is no page, like one of the tests, the name stays.
      if (!isOpen && (token.type === 'link_open' || token.type === 'link_close')) token.type = 'text';
    }
  }

  /** Where a link leads in the site; undefined where that is a file of the repository which is no page. */
  function addressOf(href: string, page: RenderedPage): string | undefined {
    if (/^[a-z]+:/.test(href)) return href;
    const [path, id = ''] = href.split('#') as [string, string?];
    const file = path === '' ? page.file : resolve(page.file, path);
    if (!files.has(file)) {
      // Files of the source are not in every place where pages are built (Dockerfile).
      if (!file.endsWith('.md')) return undefined;
      throw new Error(`${page.file} links to ${href}, which is not there`);
    }
    page.links.push({ file, id });
    return `${BASE}${pathOf(file)}${id === '' ? '' : `#${id}`}`;
  }

  const { rules } = md.renderer;
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index]!;
    const [language = ''] = info.split(' ');
    return `<figure class="code"><pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(content)}</code></pre></figure>\n`;
  };
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index]!;
    const id = tokens[index - 2]!.attrGet('id')!;
    const title = escapeHtml(textOf(tokens[index - 1]!));
    const anchor = ` <a class="anchor" href="#${id}" aria-label="Link to “${title}”">#</a>`;
    return `${tag === 'h1' ? '' : anchor}</${tag}>\n`;
  };
}

const resolve = (file: string, path: string) => posix.normalize(posix.join(dirname(file), path));

/** What a reader sees of an inline token. */
function textOf({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');
}

/** The id that code hosts give a heading, so that links to sections work there and here. */
function uniqueId(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const before = ids.get(id) ?? 0;
  ids.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
