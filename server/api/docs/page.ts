import { escapeHtml } from '../../kit/text/html.ts';
import type { Document } from '../openapi/document.ts';
import { addressOf, operationSection } from './operation.ts';
import type { Place } from './place.ts';
import { inline, paragraphs } from './text.ts';

/** Address of the index page. */
export const INDEX = '/docs';

/** Styles, scripts and requests of this service only; nothing inline. */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A chapter of the reference, which has one page. */
interface DocsChapter {
  readonly name: string;
  /** Last part of its address. */
  readonly slug: string;
  readonly places: readonly Place[];
}

/** Returns the chapters of a document with their operations. `page.js` computes the same slugs. */
export function chaptersOf(document: Document): DocsChapter[] {
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => ({ method, path, operation })),
  );
  return document.tags.map(({ name }) => ({
    name,
    slug: name.toLowerCase().replaceAll(/\W+/g, '-'),
    places: places.filter(({ operation }) => operation.tags[0] === name),
  }));
}

/**
 * Returns the index: an introduction, and each chapter with its operations. Its entries have the ids of the former page with
 * all operations, so that links to `/docs#<operation>` and `/docs#chapter-<slug>` find them; `page.js` follows the entry.
 */
export function indexPage(document: Document): string {
  const chapters = chaptersOf(document);
  const { title, description } = document.info;
  const sections = chapters.map(
    (chapter) => `<section class="chapter" aria-labelledby="chapter-${chapter.slug}">
<h2 id="chapter-${chapter.slug}"><a class="title" href="${addressOfChapter(chapter)}">${escapeHtml(chapter.name)}</a></h2>
<ul class="entries">
${chapter.places.map((place) => `<li id="${place.operation.operationId}">${linkTo(chapter, place)}</li>`).join('\n')}
</ul>
</section>`,
  );
  return page(
    document,
    `${title}: the interface`,
    navigation(chapters),
    `<header class="introduction">
<h1>The interface</h1>
${paragraphs(description)}
<p><a href="/docs/guide">Guides and reference</a>, from the first message to production.</p>
<p><a href="/docs/openapi.json">OpenAPI 3.1 description</a>, for tools and generators.</p>
</header>
${sections.join('\n')}`,
  );
}

/** Returns the page of a chapter, with `ADDRESS` in place of the address of the service. */
export function chapterPage(
  document: Document,
  chapters: readonly DocsChapter[],
  shown: DocsChapter,
): string {
  return page(
    document,
    `${shown.name}: ${document.info.title}`,
    navigation(chapters, shown),
    `<h1>${escapeHtml(shown.name)}</h1>
${shown.places.map((place) => operationSection(document, place)).join('\n')}`,
  );
}

const addressOfChapter = ({ slug }: DocsChapter) => `${INDEX}/api/${slug}`;

const linkTo = (chapter: DocsChapter, place: Place) =>
  `<a href="${addressOfChapter(chapter)}#${place.operation.operationId}">${inline(place.operation.summary)}<code>${addressOf(place)}</code></a>`;

/** Returns the list of chapters, with the operations of the current one. */
function navigation(chapters: readonly DocsChapter[], shown?: DocsChapter): string {
  const entries = chapters.map((chapter) => {
    const current = chapter === shown ? ' aria-current="page"' : '';
    const link = `<a href="${addressOfChapter(chapter)}"${current}>${escapeHtml(chapter.name)}</a>`;
    if (chapter !== shown) return `<li>${link}</li>`;
    const operations = chapter.places.map((place) => `<li>${linkTo(chapter, place)}</li>`);
    return `<li>${link}\n<ul>\n${operations.join('\n')}\n</ul></li>`;
  });
  return `<ul id="chapters">\n${entries.join('\n')}\n</ul>`;
}

function page({ info }: Document, title: string, chapters: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${INDEX}/page.css">
<script type="module" src="${INDEX}/page.js"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<nav aria-label="Operations">
<p class="name"><a href="${INDEX}">${escapeHtml(info.title)}</a> <span>${escapeHtml(info.version)}</span></p>
<p class="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search operations and fields" autocomplete="off"><span id="found" role="status"></span></p>
${chapters}
<ul id="results" hidden></ul>
</nav>
<main id="content">
${content}
</main>
</body>
</html>
`;
}
