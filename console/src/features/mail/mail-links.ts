/** How a mail program handles a link. */
export type LinkState = 'good' | 'nowhere' | 'field' | 'unknown';

interface MailLink {
  readonly text: string;
  readonly address: string;
  readonly state: LinkState;
}

/** Links of an email in order: those of its HTML or, without HTML, the addresses in its text. Sends no request. */
export function linksOfMail(html: string | null, text: string | null): readonly MailLink[] {
  if (html === null) {
    return [...(text ?? '').matchAll(/https?:\/\/[^\s<>"]+/g)].map(([address]) => linkOf(address, address));
  }
  return linksIn(parseMail(html));
}

/** Links of a parsed email in order. */
export function linksIn(parsed: Document): readonly MailLink[] {
  return [...parsed.querySelectorAll('a, area')].map((link) => {
    const words = link.textContent?.trim() || link.querySelector('img')?.alt || '';
    return linkOf(words, link.getAttribute('href')?.trim() ?? '');
  });
}

/**
 * Parses an email into a detached document, in which the browser runs and loads nothing. Styles are left out: the policy of the page
 * forbids them there too, and the browser would report each.
 */
export function parseMail(html: string): Document {
  const plain = html
    .replaceAll(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')
    .replaceAll(/\bstyle(?=\s*=)/gi, 'x-style');
  return new DOMParser().parseFromString(plain, 'text/html');
}

function linkOf(text: string, address: string): MailLink {
  return { text, address, state: stateOf(address) };
}

function stateOf(address: string): LinkState {
  if (address === '' || address.startsWith('#')) return 'nowhere';
  if (/\{\{|%7B%7B/i.test(address)) return 'field';
  if (/^(mailto|tel):./i.test(address)) return 'good';
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? 'good' : 'unknown';
}
