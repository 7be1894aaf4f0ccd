import type { Clock } from '../../kit/clock.ts';
import type { HttpDescription } from './description.ts';
import { JwtTokens } from './jwt.ts';
import { OAuthTokens } from './oauth.ts';

/** Tokens of requests to a provider: those that it issues, or that the service signs. */
export type Tokens = OAuthTokens | JwtTokens;

/**
 * Returns the tokens of a description; undefined for one without.
 *
 * @throws DescriptionError when a secret is no key of the algorithm
 */
export function tokensOf(
  { send: { auth } }: Pick<HttpDescription, 'send'>,
  secrets: Readonly<Record<string, string>>,
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Pick<Clock, 'now'> },
): Tokens | undefined {
  if (auth && 'oauth' in auth) return new OAuthTokens(auth.oauth, secrets, timeoutMs);
  return auth && 'jwt' in auth ? new JwtTokens(auth.jwt, secrets, clock) : undefined;
}
