import type { PersonRole } from '../../../api/access/roles.ts';

/** Gives a role to people with a certain claim. */
export interface RoleRule {
  /** The name of a claim, with dots for nested ones (`realm_access.roles`), or `email_domain`; null: everybody. */
  readonly claim: string | null;
  /** The value of the claim, or one of its values. */
  readonly value: string | null;
  readonly role: PersonRole;
  /** The account of the person, for a provider of the operator; null for the operator's people. */
  readonly accountId: number | null;
}

/** Claims of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The domain of an email address that the provider has verified. No provider uses this name for a claim. */
const EMAIL_DOMAIN = 'email_domain';

/** The first rule that matches. */
export function firstMatch(rules: readonly RoleRule[], claims: Claims): RoleRule | undefined {
  return rules.find(({ claim, value }) => claim === null || (value !== null && says(claims, claim, value)));
}

/** Returns the email address of a person, in lower case; undefined if the provider does not say that it is verified. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string | undefined {
  // Some providers send the text "true".
  return typeof email === 'string' && (verified === true || verified === 'true')
    ? email.toLowerCase()
    : undefined;
}

function says(claims: Claims, claim: string, value: string): boolean {
  if (claim === EMAIL_DOMAIN) return verifiedEmail(claims)?.split('@').at(-1) === value.toLowerCase();
  const said = claimOf(claims, claim);
  return [said].flat().some((one) => isSimple(one) && String(one) === value);
}

/** Returns a claim by its name, which may be a URL with dots, or else by its path. */
function claimOf(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  let inside: unknown = claims;
  for (const step of claim.split('.')) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, step)) return undefined;
    inside = (inside as Claims)[step];
  }
  return inside;
}

const isSimple = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
