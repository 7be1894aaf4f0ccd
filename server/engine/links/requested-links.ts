import { Refusal } from '../../kit/errors.ts';

/** A checked link of a send: `[link-<key>]` in the text is replaced by the short form of `url`. */
export interface RequestedLink {
  readonly key: string;
  /** Absolute, http or https, in ASCII. */
  readonly url: string;
}

/** Placeholder of a link in a text: `[link-<id>]` (interface, B1). Group 1 is the id. */
const linkPlaceholder = /\[link-([^[\]]+)\]/g;

const MAX_KEY = 50;
const MAX_URL = 2_000;

/**
 * Checks the `links` of a send against its text: each is an http or https address, has a unique id, and is used in the
 * text, and every `[link-<id>]` of the text has its link. Throws Refusal `bad-links`, naming `field`.
 */
export function readLinks(
  given: readonly { readonly id: string | undefined; readonly text: string }[],
  field: string,
  message: string,
): RequestedLink[] {
  const used = new Set(Array.from(message.matchAll(linkPlaceholder), (match) => match[1]!));
  const links = new Map<string, RequestedLink>();
  for (const { id, text } of given) {
    if (id === undefined) throw new Refusal('bad-links', 'missing', `${field}.id`);
    if (id.length > MAX_KEY) throw new Refusal('bad-links', `over ${MAX_KEY} characters`, `${field}.id`);
    if (links.has(id)) throw new Refusal('bad-links', 'two links have the same', `${field}.id`);
    if (!used.has(id)) throw new Refusal('bad-links', 'the message has no [link-…] for one of them', field);
    links.set(id, { key: id, url: readUrl(text, field) });
  }
  for (const key of used) {
    if (!links.has(key)) throw new Refusal('bad-links', 'none for a [link-…] of the message', field);
  }
  return [...links.values()];
}

/** Returns the address for redirects, normalized by the URL standard, so that it cannot contain further headers. */
function readUrl(text: string, field: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Refusal('bad-links', 'must be an http or https address', field);
  }
  // `https://bank.example@elsewhere.example` looks like the first host and leads to the second.
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('bad-links', 'an address with a user name', field);
  }
  if (url.href.length > MAX_URL) throw new Refusal('bad-links', `over ${MAX_URL} characters`, field);
  return url.href;
}
