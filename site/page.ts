import { escapeHtml } from '../server/kit/text/html.ts';
import type { RenderedPage } from './markdown.ts';
import { BASE, type Group, pathOf } from './navigation.ts';

/** Addresses of the files that every page loads. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  /** Loaded with the first search. */
  readonly engine: string;
  readonly index: string;
}

interface PageParts {
  readonly page: RenderedPage;
  readonly content: string;
  readonly groups: readonly Group[];
  readonly titleOf: (file: string) => string;
  readonly assets: Assets;
}

/** Returns a page of the site: navigation and search, the content, and its table of contents. */
export function pageHtml({ page, content, groups, titleOf, assets }: PageParts): string {
  const title = titleOf(page.file);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: Carillon</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body data-engine="${assets.engine}" data-index="${assets.index}">
<a class="skip" href="#content">To the content</a>
<header class="side">
<p class="name"><a href="${BASE}/">Carillon</a> <span>Documentation</span></p>
<p class="search" role="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/" autocomplete="off"></p>
<div id="results" hidden><p role="status"></p><ul></ul></div>
<button type="button" id="menu" aria-expanded="false" aria-controls="pages" hidden>Pages</button>
<nav id="pages" aria-label="Documentation">
${groups.map((group) => navigationGroup(group, page.file, titleOf)).join('\n')}
<p class="group"><a href="/docs">All operations of the APIs</a></p>
</nav>
</header>
<main id="content">
${content}${next(page.file, groups, titleOf)}
</main>
${onThisPage(page)}
</body>
</html>
`;
}

function navigationGroup(
  { title, files, isFolded = false }: Group,
  current: string,
  titleOf: (file: string) => string,
): string {
  const shown = isFolded && !files.includes(current) ? files.slice(0, 1) : files;
  const links = shown.map((file) => {
    const here = file === current ? ' aria-current="page"' : '';
    return `<li><a class="entry" href="${BASE}${pathOf(file)}"${here}>${escapeHtml(titleOf(file))}</a></li>`;
  });
  return `<p class="group">${title}</p>
<ul>
${links.join('\n')}
</ul>`;
}

/** Returns the link to the guide after this one. */
function next(file: string, [guides]: readonly Group[], titleOf: (file: string) => string): string {
  const position = guides!.files.indexOf(file);
  const following = position === -1 ? undefined : guides!.files[position + 1];
  if (following === undefined) return '';
  return `<p class="next">Next: <a href="${BASE}${pathOf(following)}">${escapeHtml(titleOf(following))}</a></p>`;
}

function onThisPage({ sections }: RenderedPage): string {
  const shown = sections.filter(({ level }) => level === 2);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ id, title }) => `<li><a class="entry" href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<aside aria-label="On this page">
<p class="group">On this page</p>
<ul>
${links.join('\n')}
</ul>
</aside>`;
}
