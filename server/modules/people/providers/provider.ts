import type { PersonRole } from '../../../api/access/roles.ts';
import type { Queryable } from '../../../database/connection.ts';
import type { RoleRule } from './role-rules.ts';

/** A sign-in provider (OpenID Connect) of the operator or of an account. */
export interface SignInProvider {
  readonly id: number;
  /** null: the operator's. */
  readonly accountId: number | null;
  readonly slug: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Encrypted; null for a public client. */
  readonly clientSecret: Buffer | null;
  readonly scopes: string;
  readonly rules: readonly RoleRule[];
  /** The first sign-in creates the person. */
  readonly makesPeople: boolean;
  /** A person whose user name is the verified email address is linked to the provider. */
  readonly linksByEmail: boolean;
  readonly secondFactorValues: readonly string[];
  readonly listed: boolean;
  readonly enabled: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A provider with its domains, number of people and last failure. */
export interface SignInProviderRow extends SignInProvider {
  readonly domains: readonly string[];
  /** Number of people who sign in by it. */
  readonly people: number;
  readonly lastFailure: string | null;
  readonly lastFailureAt: number | null;
}

/** Purpose under which the client secret is encrypted, together with the id of the row. */
export const CLIENT_SECRET = 'sign_in_providers.client_secret';

/** Whether a provider may give this role. A provider of an account gives only roles of its account. */
export const mayGive = ({ accountId }: Pick<SignInProvider, 'accountId'>, role: PersonRole): boolean =>
  accountId === null || role !== 'operator';

/** Columns of a `SignInProvider` in the table `sign_in_providers` (alias `v`). */
export function columnsOfProviders(sql: Queryable) {
  return sql`v.id, v.account_id AS "accountId", v.slug, v.name, v.issuer, v.client_id AS "clientId",
    v.client_secret AS "clientSecret", v.scopes, v.rules, v.makes_people AS "makesPeople",
    v.links_by_email AS "linksByEmail", v.second_factor_values AS "secondFactorValues", v.listed, v.enabled,
    v.created_at AS "createdAt"`;
}
