import MiniSearch from 'minisearch';
import type { RenderedPage } from './markdown.ts';
import { BASE, pathOf } from './navigation.ts';

/** Characters of a section's text in a search result. */
const EXCERPT = 160;

/** Returns the search index of the site, by sections, as JSON that `site/assets/site.js` loads with the same fields. */
export function searchIndex(pages: readonly RenderedPage[]): string {
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'excerpt'],
  });
  for (const { file, sections } of pages) {
    const page = sections[0]!.title;
    for (const { id, title, text } of sections) {
      const plain = text.replaceAll(/\s+/g, ' ').trim();
      const excerpt = plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)}…` : plain;
      index.add({ id: `${BASE}${pathOf(file)}${id === '' ? '' : `#${id}`}`, title, page, text, excerpt });
    }
  }
  return JSON.stringify(index);
}
