import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { PICTURE_PATH } from '../../kit/http/picture-address.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import { escapeHtml } from '../../kit/text/html.ts';
import { type Language, languages } from '../../kit/text/language.ts';

/** Sender of the link. */
export interface Brand {
  readonly name: string;
  /** Path of a picture. */
  readonly logo?: string;
}

/** Name and logo of an account for its pages. Names with links or numbers of others are not shown. */
export const brandOf = ({ name, logo }: { readonly name: string; readonly logo: string | null }): Brand => ({
  name: harmlessName(name),
  ...(logo !== null && { logo: `${PICTURE_PATH}${logo}` }),
});

/** A page for the person with the link: plain HTML without scripts, readable on any phone. */
interface Page {
  readonly language: Language;
  readonly title: string;
  /** Account that the page belongs to, which stands above the title. */
  readonly brand?: Brand | undefined;
  /** HTML; content from others must go through `escapeHtml`. */
  readonly body: string;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: #16262b; background: #f4f7f8; }
main { max-width: 30rem; margin: 0 auto; padding: 2.5rem 1rem; }
.brand { display: flex; gap: .75rem; align-items: center; justify-content: center; margin-block-end: 1.25rem;
  font-weight: 600; overflow-wrap: anywhere; }
.mark { display: grid; flex: none; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: .8rem;
  font-size: 1.25rem; color: #fff; background: #0b7285; }
.logo { flex: none; max-width: 10rem; max-height: 3.5rem; border-radius: .4rem; }
.card { padding: 1.75rem; border: 1px solid #dde5e8; border-radius: 1rem; background: #fff; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
dl { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .6rem; background: #f4f7f8; }
dt { font-size: .875rem; color: #55666d; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
dd:last-child { margin: 0; }
form { margin: 0; }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.5rem; border: 2px solid #0b7285;
  border-radius: .6rem; color: #fff; background: #0b7285; cursor: pointer; }
button.quiet { color: #0b7285; background: none; }
button:focus-visible { outline: 3px solid #f29900; outline-offset: 3px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6eef0; background: #14181a; }
  .card { border-color: #2f383c; background: #1b2124; }
  dl { background: #14181a; }
  dt { color: #a3b3b9; }
  button.quiet { border-color: #6dc0cc; color: #6dc0cc; }
}
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // The page loads only its logo, runs nothing, sends forms only to this service, and cannot be shown in a frame.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-robots-tag': 'noindex, nofollow',
};

/** Sends a page with headers that block all other content. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { language, title, brand, body }: Page,
): FastifyReply {
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
${brand === undefined || brand.name === '' ? '' : brandLine(brand)}<div class="card">
<h1>${escapeHtml(title)}</h1>
${body}
</div>
</main>
</body>
</html>
`);
}

/** The name of an account, after its logo or its first letter. */
function brandLine({ name, logo }: Brand): string {
  const [letter = ''] = name.trim().toUpperCase();
  const mark =
    logo === undefined
      ? `<span class="mark" aria-hidden="true">${escapeHtml(letter)}</span>`
      : `<img class="logo" src="${escapeHtml(logo)}" alt="">`;
  return `<div class="brand">${mark}<bdi>${escapeHtml(name)}</bdi></div>\n`;
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

/** Names and their values, as HTML; those without a value are left out. */
export function factList(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.filter(([, value]) => value !== '');
  if (rows.length === 0) return '';
  const html = rows.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`,
  );
  return `<dl>${html.join('')}</dl>\n`;
}

const UNDO = 'undo=1';

/** A form that reverses the action of the previous page. */
export const undoForm = (button: string): string =>
  `<form method="post"><button class="quiet" type="submit" name="undo" value="1">${button}</button></form>`;

/** Whether a body is that of `undoForm`. */
export const isUndo = (body: unknown): boolean => body === UNDO;

/** A form with a button. It has no action, so it posts to its own page at any public address of the service. */
export const buttonForm = (button: string, fields = ''): string =>
  `<form method="post">${fields}<button type="submit">${button}</button></form>`;
