import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../text/html.ts';
import { type Language, languages } from '../../text/language.ts';

/** A page for whoever holds a link: plain HTML, without scripts, that reads well on any telephone. */
interface Page {
  readonly language: Language;
  readonly title: string;
  /** HTML; what comes from others goes through `escapeHtml`. */
  readonly body: string;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
main { max-width: 32rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.5rem; border: 2px solid #0b57d0;
  border-radius: .5rem; color: #fff; background: #0b57d0; cursor: pointer; }
button:focus-visible { outline: 3px solid #f29900; outline-offset: 3px; }
@media (prefers-color-scheme: dark) { body { color: #f1f1f1; background: #121212; } }
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // Nothing is loaded and nothing runs; forms go to this service; no page of others shows this one in a frame.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-robots-tag': 'noindex, nofollow',
};

/** Sends a page with the headers that keep everything else out of it. */
export function sendPage(reply: FastifyReply, status: number, { language, title, body }: Page): FastifyReply {
  const direction = language === 'he' || language === 'ar' ? 'rtl' : 'ltr';
  return reply
    .code(status)
    .headers(headers)
    .send(`<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`);
}

/**
 * The language of the pages that a browser asks for (RFC 9110, 12.5.4): of those that it names the one it likes best;
 * English when it names none of ours.
 */
export function languageFor(accepted: string | undefined): Language {
  let language: Language = 'en';
  let best = 0;
  for (const entry of (accepted ?? '').split(',', 20)) {
    const [range = '', quality = 'q=1'] = entry.split(';', 2).map((word) => word.trim());
    const tag = /^([a-z]{2})(?:-[\w-]+)?$/i.exec(range)?.[1];
    const [parameter = '', value = ''] = quality.split('=', 2).map((word) => word.trim());
    if (tag === undefined || parameter.toLowerCase() !== 'q') continue;
    // `iw` is what Hebrew was called before 1989, and is still by old Androids.
    const name = tag.toLowerCase().replace('iw', 'he');
    const found = languages.find((one) => one === name);
    const weight = Number(value);
    if (found && weight > best) {
      language = found;
      best = weight;
    }
  }
  return language;
}

/**
 * Fills the places of a text, like `{from}`, with names, as HTML. Each name runs in its own direction, also in a sentence
 * that runs in the other. All in one go: a name may look like a place.
 */
export const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, what: string) =>
    Object.hasOwn(names, what) ? `<bdi>${escapeHtml(names[what]!)}</bdi>` : place,
  );

/** A form with a button. Without an action it goes to where the page came from, whatever stands in front of this service. */
export const buttonForm = (button: string, fields = ''): string =>
  `<form method="post">${fields}<button type="submit">${button}</button></form>`;
