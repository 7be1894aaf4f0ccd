import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../text/html.ts';
import type { Document } from '../openapi/document.ts';
import { addressOf, operationSection } from './operation.ts';
import type { Place } from './place.ts';
import { inline, paragraphs } from './text.ts';

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = asset('theme.css') + asset('page.css');
const script = asset('page.js');
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded from anywhere; only what is in the page runs. */
export const contentSecurityPolicy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The document as a page; `ADDRESS` in it stands for the address of the service. */
export function docsPage(document: Document): string {
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => ({ method, path, operation })),
  );
  const chapters = document.tags.map(({ name }) => ({
    name,
    id: `chapter-${name.toLowerCase().replaceAll(/\W+/g, '-')}`,
    places: places.filter(({ operation }) => operation.tags[0] === name),
  }));
  const navigation = chapters.map(
    ({ name, id, places: inside }) => `<li><a href="#${id}">${escapeHtml(name)}</a>
<ul>
${inside.map((place) => `<li><a href="#${place.operation.operationId}">${inline(place.operation.summary)}<code>${addressOf(place)}</code></a></li>`).join('\n')}
</ul></li>`,
  );
  const sections = chapters.map(
    ({ name, id, places: inside }) => `<section class="chapter" aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(name)}</h2>
${inside.map((place) => operationSection(document, place)).join('\n')}
</section>`,
  );
  const { title, version, description } = document.info;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: the interface</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<nav aria-label="Operations">
<p class="name">${escapeHtml(title)} <span>${escapeHtml(version)}</span></p>
<p class="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search operations and fields" autocomplete="off"><span id="found" role="status"></span></p>
<ul>
${navigation.join('\n')}
</ul>
</nav>
<main id="content">
<header class="introduction">
<h1>The interface</h1>
${paragraphs(description)}
<p><a href="/docs/guide">Guides and reference</a>, from the first message to production.</p>
<p><a href="/docs/openapi.json">OpenAPI 3.1 description</a>, for tools and generators.</p>
</header>
${sections.join('\n')}
</main>
<script type="module">${script}</script>
</body>
</html>
`;
}
