import type { PersonRole } from '../../access/roles.ts';

/** Gives a role to whom a claim says something of. */
export interface RoleRule {
  /** The name of a claim, with dots for what is inside (`realm_access.roles`), or `email_domain`; null: everybody. */
  readonly claim: string | null;
  /** What the claim says, or one of what it says. */
  readonly value: string | null;
  readonly role: PersonRole;
  /** Where the person belongs, of a provider of the operator's; null for the operator's people. */
  readonly accountId: number | null;
}

/** What a provider says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The domain of a mail address that the provider has verified; no claim of providers is called so. */
const EMAIL_DOMAIN = 'email_domain';

/** The first rule that matches. */
export function firstMatch(rules: readonly RoleRule[], claims: Claims): RoleRule | undefined {
  return rules.find(({ claim, value }) => claim === null || (value !== null && says(claims, claim, value)));
}

/** The mail address of a person, in small letters; undefined where the provider does not say that it was verified. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string | undefined {
  // Some providers say it by a text.
  return typeof email === 'string' && (verified === true || verified === 'true')
    ? email.toLowerCase()
    : undefined;
}

function says(claims: Claims, claim: string, value: string): boolean {
  if (claim === EMAIL_DOMAIN) return verifiedEmail(claims)?.split('@').at(-1) === value.toLowerCase();
  const said = claimOf(claims, claim);
  return [said].flat().some((one) => isSimple(one) && String(one) === value);
}

/** A claim by its name, which may be a URL with dots, or else by its path. */
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
