import { dirname, posix } from 'node:path';
import type { MarkdownIt, Token } from '@11ty/eleventy';
import { escapeHtml } from '../server/kit/text/html.ts';
import { BASE, pathOf } from './navigation.ts';

/** A heading and its text up to the next heading. */
export interface Section {
  /** Fragment of the section's address; empty for the title of the page. */
  readonly id: string;
  readonly level: number;
  readonly title: string;
  text: string;
}

/** A link to another page. */
interface Link {
  readonly file: string;
  /** Empty for the whole page. */
  readonly id: string;
}

/** Sections and links found while a page was rendered. */
export interface RenderedPage {
  readonly file: string;
  readonly sections: Section[];
  readonly links: Link[];
}

interface Options {
  /** Pages of the site, by their files in the repository. */
  readonly files: ReadonlySet<string>;
  /** Returns the file of a page by its input in Eleventy. */
  readonly fileOf: (inputPath: string) => string;
  /** Adds a picture to the site, and returns its address. */
  readonly picture: (file: string) => string;
  readonly rendered: (page: RenderedPage) => void;
}

/** Makes markdown-it write pages of the site: anchors like those of code hosts, links to pages, copyable code. */
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
      // A link to a file that is not a page, like a test, becomes plain text.
      if (!isOpen && (token.type === 'link_open' || token.type === 'link_close')) token.type = 'text';
    }
  }

  /** Returns the address of a link in the site; undefined for a file of the repository that is not a page. */
  function addressOf(href: string, page: RenderedPage): string | undefined {
    if (/^[a-z]+:/.test(href)) return href;
    const [path, id = ''] = href.split('#') as [string, string?];
    const file = path === '' ? page.file : resolve(page.file, path);
    if (!files.has(file)) {
      // Source files are not available everywhere that pages are built (Dockerfile).
      if (!file.endsWith('.md')) return undefined;
      throw new Error(`${page.file} links to ${href}, which is not there`);
    }
    page.links.push({ file, id });
    return `${BASE}${pathOf(file)}${id === '' ? '' : `#${id}`}`;
  }

  const { rules } = md.renderer;
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  // A header cell without text is no header (the first of a table, or all of a table without headers).
  rules.th_open = (tokens, index) => (isEmpty(tokens[index + 1]!) ? '<td>' : '<th>');
  rules.th_close = (tokens, index) => (isEmpty(tokens[index - 1]!) ? '</td>\n' : '</th>\n');
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

const isEmpty = ({ content }: Token) => content.trim() === '';

/** Returns the visible text of an inline token. */
function textOf({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');
}

/** Returns the id that code hosts give a heading, so that links to sections work there and here. */
function uniqueId(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const before = ids.get(id) ?? 0;
  ids.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
