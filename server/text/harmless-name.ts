/** Characters of a name that a text of the service shows, at most. */
const MAX_CHARACTERS = 50;

/** What draws nothing, or turns around what stands beside it: controls, marks of direction, line breaks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** What programs for messages and mails make a link of: a scheme, and names and numbers of hosts (RFC 3986, IDNA dots). */
const SCHEME = /:\s*[/\\]{2}/u;
const HOST_DOT = /(?<=[\p{L}\p{N}_-])[.。．｡․](?=\p{L}{2}|[\p{L}\p{N}]{0,2}--)/u;
const ADDRESS_DOT = /(?<=\d)[.。．｡․](?=\d{1,3}[.。．｡․]\d)/u;
/** Seven digits or more, in whatever groups: programs offer to call it. */
const PHONE = /\+?\d(?:[ ().\p{Pd}]{0,2}\d){6,}/u;

const all = (pattern: RegExp) => new RegExp(pattern, 'gu');

interface NameProblem {
  readonly words: string;
  readonly reason: 'not-readable' | 'name-with-link' | 'name-with-phone';
}

/** Why a name cannot stand in the service's own texts; undefined when it can. */
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
 * A name that somebody else chose, as the service's own texts show it (SMS, calls, mails, pages): one line without links,
 * phone numbers and characters that are not seen, of 50 characters at most. Names that `nameProblem` passes stay as they
 * are, but for their length.
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
