import { Refusal } from '../../kit/errors.ts';
import { commonPasswords } from './common-passwords.ts';

/**
 * Length of a new password in characters (UTF-16 units), for people and accounts. NIST SP 800-63B: length is what
 * counts, so there are no rules about kinds of characters.
 */
export const PASSWORD_LENGTH = { least: 10, most: 200 };

/**
 * Length of a subscriber's password (OWASP ASVS 5.0, 6.2.1): programs of resellers generate eight characters, and the
 * interface permits up to 60.
 */
export const SUBSCRIBER_PASSWORD_LENGTH = { least: 8, most: 60 };

interface LengthBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Words that add no strength here (OWASP ASVS 5.0, V6.1.2), like the user name: without them, a password must still
 * have MIN_OWN_CHARACTERS letters and digits.
 */
const CONTEXT_WORDS = ['carillon', 'operator', 'owner'];
const MIN_OWN_CHARACTERS = 8;
/** Shorter user names occur in too many words to be searched for. */
const MIN_NAME_LENGTH = 3;

/** Whether a password consists mostly of the user name or a context word. */
function isLittleElse(lower: string, username: string): boolean {
  const names = [username, username.split('@')[0]!].filter(({ length }) => length >= MIN_NAME_LENGTH);
  const words = [...names.map((name) => name.toLowerCase()), ...CONTEXT_WORDS];
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), lower);
  return rest !== lower && rest.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_OWN_CHARACTERS;
}

/** Returns the problem of a new password, in words; undefined if it is acceptable. */
export function passwordProblem(
  password: string,
  username: string,
  { least, most }: LengthBounds,
): string | undefined {
  if (password.length < least || password.length > most) return `${least} to ${most} characters`;
  const lower = password.toLowerCase();
  if (lower === username.toLowerCase()) return 'must not be the user name';
  if (isLittleElse(lower, username)) {
    return 'is little more than the user name or a word of this service';
  }
  if (commonPasswords.has(lower) || /^(.)\1+$/u.test(lower)) return 'is one of the commonest passwords';
  return undefined;
}

/**
 * As `checkPassword`, for the password of an account. Also throws for leading and trailing spaces: `POST /api` trims
 * all texts, so the password would differ there.
 */
export function checkAccountPassword(
  password: string,
  username: string,
  options: { field?: string; bounds?: LengthBounds } = {},
): void {
  if (password !== password.trim()) {
    throw new Refusal('bad-password', 'must not begin or end with a blank', options.field ?? 'password');
  }
  checkPassword(password, username, options);
}

/**
 * Checks a new password. Throws Refusal `bad-password`, which names `field`, for a password that is too short, too
 * long, mostly the user name, or very common.
 */
export function checkPassword(
  password: string,
  username: string,
  { field = 'password', bounds = PASSWORD_LENGTH }: { field?: string; bounds?: LengthBounds } = {},
): void {
  const problem = passwordProblem(password, username, bounds);
  if (problem !== undefined) throw new Refusal('bad-password', `${problem}`, field);
}
