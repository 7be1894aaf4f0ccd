import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../kit/text/html.ts';
import { type Language, languages } from '../../kit/text/language.ts';

/** A page for the person with the link: plain HTML without scripts, readable on any phone. */
interface Page {
  readonly language: Language;
  readonly title: string;
  /** HTML; content from others must go through `escapeHtml`. */
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
  // The page loads and runs nothing, sends forms only to this service, and cannot be shown in a frame.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-robots-tag': 'noindex, nofollow',
};

/** Sends a page with headers that block all other content. */
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

/** Returns the language for a browser (RFC 9110, 12.5.4): the preferred one among ours, or English. */
export function languageFor(accepted: string | undefined): Language {
  let language: Language = 'en';
  let best = 0;
  for (const entry of (accepted ?? '').split(',', 20)) {
    const [range = '', quality = 'q=1'] = entry.split(';', 2).map((word) => word.trim());
    const tag = /^([a-z]{2})(?:-[\w-]+)?$/i.exec(range)?.[1];
    const [parameter = '', value = ''] = quality.split('=', 2).map((word) => word.trim());
    if (tag === undefined || parameter.toLowerCase() !== 'q') continue;
    // `iw` was the code of Hebrew before 1989, and old Android versions still send it.
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
 * Replaces placeholders of a text, like `{from}`, with names, as HTML. Each name keeps its own text direction within
 * the sentence. A single pass, because a name may look like a placeholder.
 */
export const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, what: string) =>
    Object.hasOwn(names, what) ? `<bdi>${escapeHtml(names[what]!)}</bdi>` : place,
  );

/** A form with a button. It has no action, so it posts to its own page at any public address of the service. */
export const buttonForm = (button: string, fields = ''): string =>
  `<form method="post">${fields}<button type="submit">${button}</button></form>`;
