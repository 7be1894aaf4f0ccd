import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const ICON = '/icon.svg';
const icon = join(import.meta.dirname, 'public', ICON);

/**
 * A plugin of Vite that saves requests and round trips of the page. The icon becomes part of the page, and the page names files
 * that every first page needs, so that the browser requests them together with the first script.
 */
export function firstRequests(): Plugin {
  return {
    name: 'first-requests',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle);
        const script = files.find((file) => file.type === 'chunk' && file.name === 'first');
        const font = files.find((file) => file.type === 'asset' && file.names.includes('geist-latin.woff2'));
        const links = [
          ...(script ? [{ rel: 'modulepreload', crossorigin: true, href: `/${script.fileName}` }] : []),
          ...(font
            ? [
                {
                  rel: 'preload',
                  as: 'font',
                  type: 'font/woff2',
                  crossorigin: true,
                  href: `/${font.fileName}`,
                },
              ]
            : []),
        ];
        const data = `data:image/svg+xml,${encodeURIComponent(readFileSync(icon, 'utf8').trim())}`;
        return {
          html: html.replace(`href="${ICON}"`, `href="${data}"`),
          tags: links.map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const })),
        };
      },
    },
  };
}
