import type { PersonRole } from '../../access/roles.ts';
import type { Queryable } from '../../database/connection.ts';
import type { RoleRule } from './role-rules.ts';

/** A provider of sign-ins (OpenID Connect): the operator's, or that of an account. */
export interface SignInProvider {
  readonly id: number;
  /** null: the operator's. */
  readonly accountId: number | null;
  readonly slug: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Sealed; null for a public client. */
  readonly clientSecret: Buffer | null;
  readonly scopes: string;
  readonly rules: readonly RoleRule[];
  /** People are made at their first sign-in. */
  readonly makesPeople: boolean;
  /** Somebody whose user name is the verified mail address becomes the provider's. */
  readonly linksByEmail: boolean;
  readonly secondFactorValues: readonly string[];
  readonly listed: boolean;
  readonly enabled: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A provider with what is shown of it. */
export interface SignInProviderRow extends SignInProvider {
  readonly domains: readonly string[];
  /** How many people sign in by it. */
  readonly people: number;
  readonly lastFailure: string | null;
  readonly lastFailureAt: number | null;
}

/** What the client secret is sealed for, with the id of the row. */
export const CLIENT_SECRET = 'sign_in_providers.client_secret';

/** The roles that a provider may give: one of an account gives those of its account alone. */
export const mayGive = ({ accountId }: Pick<SignInProvider, 'accountId'>, role: PersonRole): boolean =>
  accountId === null || role !== 'operator';

/** The fields of a `SignInProvider`, of the table `sign_in_providers`, which the statement has to call `v`. */
export function columnsOfProviders(sql: Queryable) {
  return sql`v.id, v.account_id AS "accountId", v.slug, v.name, v.issuer, v.client_id AS "clientId",
    v.client_secret AS "clientSecret", v.scopes, v.rules, v.makes_people AS "makesPeople",
    v.links_by_email AS "linksByEmail", v.second_factor_values AS "secondFactorValues", v.listed, v.enabled,
    v.created_at AS "createdAt"`;
}
