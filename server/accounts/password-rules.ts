import { Refusal } from '../errors.ts';
import { commonPasswords } from './common-passwords.ts';

/**
 * Characters (UTF-16 units) that a new password has, of people and accounts alike. NIST SP 800-63B: length is what
 * counts, so there are no rules about kinds of characters.
 */
export const PASSWORD_LENGTH = { least: 10, most: 200 };

/** What is wrong with a password as a new one, in words; undefined when nothing is. */
export function passwordProblem(password: string, username: string, most: number): string | undefined {
  const { least } = PASSWORD_LENGTH;
  if (password.length < least || password.length > most) return `${least} to ${most} characters`;
  const lower = password.toLowerCase();
  if (lower === username.toLowerCase()) return 'must not be the user name';
  if (commonPasswords.has(lower) || /^(.)\1+$/u.test(lower)) return 'is one of the commonest passwords';
  return undefined;
}

/**
 * Checks a new password. Throws Refusal `bad-password`, which names `field`, for one that is too short or too long, the
 * user name, or one of the commonest.
 */
export function checkPassword(
  password: string,
  username: string,
  { field = 'password', most = PASSWORD_LENGTH.most } = {},
): void {
  const problem = passwordProblem(password, username, most);
  if (problem !== undefined) throw new Refusal('bad-password', `${field}: ${problem}`);
}
