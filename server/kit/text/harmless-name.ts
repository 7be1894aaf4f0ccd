/** Maximum characters of a name in a text of the service. */
const MAX_CHARACTERS = 50;

/** Characters that are invisible or change the direction of text: controls, direction marks, line breaks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/**
 * Parts of texts that messaging and email programs turn into links: a scheme, names and numbers of hosts (RFC 3986,
 * IDNA dots).
 */
const SCHEME = /:\s*[/\\]{2}/u;
const HOST_DOT = /(?<=[\p{L}\p{N}_-])[.。．｡․](?=\p{L}{2}|[\p{L}\p{N}]{0,2}--)/u;
const ADDRESS_DOT = /(?<=\d)[.。．｡․](?=\d{1,3}[.。．｡․]\d)/u;
/** Seven digits or more, in any grouping: programs offer to call it. */
const PHONE = /\+?\d(?:[ ().\p{Pd}]{0,2}\d){6,}/u;

const all = (pattern: RegExp) => new RegExp(pattern, 'gu');

interface NameProblem {
  readonly words: string;
  readonly reason: 'not-readable' | 'name-with-link' | 'name-with-phone';
}

/** Returns why a name cannot appear in the service's own texts; undefined if it can. */
export function nameProblem(name: string): NameProblem | undefined {
  if (INVISIBLE.test(name)) {
    return { words: 'must not have control characters or marks of direction', reason: 'not-readable' };
  }
  if ([SCHEME, HOST_DOT, ADDRESS_DOT].some((pattern) => pattern.test(name))) {
    return { words: 'must not have a link', reason: 'name-with-link' };
  }
  if (PHONE.test(name)) return { words: 'must not have a phone number', reason: 'name-with-phone' };
  return undefined;
}

/**
 * Returns a name that somebody else chose in a form for the service's own texts (SMS, calls, emails, pages): one line
 * without links, phone numbers and invisible characters, up to 50 characters. Names without a `nameProblem` only lose
 * characters beyond that length.
 */
export function harmlessName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(all(INVISIBLE), ' ')
    .replace(all(SCHEME), ' ')
    .replace(all(HOST_DOT), ' ')
    .replace(all(ADDRESS_DOT), ' ')
    .replace(all(PHONE), '…')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...plain].slice(0, MAX_CHARACTERS).join('').trim() || '?';
}
