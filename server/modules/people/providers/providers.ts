import { texts } from '../../../database/arrays.ts';
import { type Queryable, type TransactionSql, violatedConstraint } from '../../../database/connection.ts';
import type { Context } from '../../../kit/context.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { keepSecret } from '../../../secrets/destinations.ts';
import type { NoteChange } from '../people.ts';
import { peopleTables } from '../tables.ts';
import {
  CLIENT_SECRET,
  columnsOfProviders,
  mayGive,
  type SignInProvider,
  type SignInProviderRow,
} from './provider.ts';
import type { ProviderClient } from './provider-client.ts';
import type { RoleRule } from './role-rules.ts';

/** Maximum number of providers of an account, and of the operator. */
export const MAX_PROVIDERS = 20;

/** Input of a provider, as checked by its API. */
export interface ProviderInput
  extends Omit<SignInProvider, 'id' | 'accountId' | 'clientSecret' | 'createdAt'> {
  /** null: a public client. */
  readonly clientSecret: string | null;
  /** In lower case. */
  readonly domains: readonly string[];
}

interface ProvidersDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'> {
  readonly client: ProviderClient;
  readonly allowPrivate: boolean;
}

/** Sign-in providers of an account, or with null those of the operator. */
export class SignInProviders {
  readonly #deps: ProvidersDeps;

  constructor(deps: ProvidersDeps) {
    this.#deps = deps;
  }

  /** Returns the providers, oldest first. */
  async list(accountId: number | null): Promise<SignInProviderRow[]> {
    const { sql } = this.#deps;
    return sql<SignInProviderRow[]>`
      SELECT ${shownColumns(sql)} FROM sign_in_providers v
      WHERE v.account_id IS NOT DISTINCT FROM ${accountId}::bigint ORDER BY v.id`;
  }

  /** Returns the operator's providers with a button on the sign-in page. */
  async listed(): Promise<Pick<SignInProvider, 'slug' | 'name'>[]> {
    return this.#deps.sql<Pick<SignInProvider, 'slug' | 'name'>[]>`
      SELECT slug, name FROM sign_in_providers WHERE account_id IS NULL AND listed AND enabled ORDER BY id`;
  }

  /** Returns an enabled provider by its id. */
  async byId(id: number): Promise<SignInProvider | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<SignInProvider[]>`
      SELECT ${columnsOfProviders(sql)} FROM sign_in_providers v WHERE v.id = ${id} AND v.enabled`;
    return row;
  }

  /** As `byId`, by the slug in its link, or by the email domain that leads to it. */
  async lookUp(by: { slug: string } | { domain: string }): Promise<SignInProvider | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<SignInProvider[]>`
      SELECT ${columnsOfProviders(sql)} FROM sign_in_providers v
      WHERE v.enabled AND ${
        'slug' in by
          ? sql`v.slug = ${by.slug}`
          : sql`v.id = (SELECT provider_id FROM sign_in_domains WHERE domain = ${by.domain})`
      }`;
    return row;
  }

  /** Adds a provider and requests its metadata. Throws Refusal `bad-field`, and `not-now` at MAX_PROVIDERS. */
  async add(accountId: number | null, given: ProviderInput, note: NoteChange): Promise<SignInProviderRow> {
    const { sql, ids, clock } = this.#deps;
    const id = ids.next();
    const provider = { ...given, id, accountId, createdAt: clock.now(), clientSecret: this.#seal(id, given) };
    await this.#check(provider);
    return storing(() =>
      sql.begin(async (tx) => {
        const others = await tx`
          SELECT 1 FROM sign_in_providers WHERE account_id IS NOT DISTINCT FROM ${accountId}::bigint`;
        if (others.length >= MAX_PROVIDERS) {
          throw new Refusal('not-now', `there are ${MAX_PROVIDERS} providers already`, undefined, {
            reason: 'limit-reached',
            params: { max: MAX_PROVIDERS },
          });
        }
        await tx`
          INSERT INTO sign_in_providers (id, account_id, slug, name, issuer, client_id, client_secret, scopes, rules,
            makes_people, links_by_email, second_factor_values, listed, enabled, created_at)
          VALUES (${id}, ${accountId}, ${given.slug}, ${given.name}, ${given.issuer}, ${given.clientId},
            ${provider.clientSecret}, ${given.scopes}, ${tx.json(given.rules as never)}, ${given.makesPeople},
            ${given.linksByEmail}, ${texts([...given.secondFactorValues])}::text[], ${given.listed},
            ${given.enabled}, ${provider.createdAt})`;
        await setDomains(tx, id, given.domains);
        const row = (await findIn(tx, accountId, id))!;
        await note(tx, { kind: 'sign-in-providers', id, after: shown(row) });
        return row;
      }),
    );
  }

  /**
   * Updates the given fields. Its sessions end if it is switched off or if its rules or its issuer change. Returns undefined if no
   * provider has this id. Throws Refusal `bad-field`.
   */
  async change(
    accountId: number | null,
    id: number,
    given: Partial<ProviderInput>,
    note: NoteChange,
  ): Promise<SignInProviderRow | undefined> {
    const { sql } = this.#deps;
    const before = await findIn(sql, accountId, id);
    if (!before) return undefined;
    const clientSecret = given.clientSecret === undefined ? before.clientSecret : this.#seal(id, given);
    const wanted = { ...before, ...given, clientSecret };
    keepSecret({
      column: peopleTables.sign_in_providers.sealed.client_secret,
      before,
      after: wanted,
      isKept: before.clientSecret !== null && given.clientSecret === undefined,
      field: 'client_secret',
    });
    await this.#check(wanted, before);
    return storing(() =>
      sql.begin(async (tx) => {
        await tx`
          UPDATE sign_in_providers SET slug = ${wanted.slug}, name = ${wanted.name}, issuer = ${wanted.issuer},
            client_id = ${wanted.clientId}, client_secret = ${clientSecret}, scopes = ${wanted.scopes},
            rules = ${tx.json(wanted.rules as never)}, makes_people = ${wanted.makesPeople},
            links_by_email = ${wanted.linksByEmail},
            second_factor_values = ${texts([...wanted.secondFactorValues])}::text[], listed = ${wanted.listed},
            enabled = ${wanted.enabled}
          WHERE id = ${id}`;
        if (given.domains) await setDomains(tx, id, given.domains);
        const isOther =
          given.rules !== undefined && JSON.stringify(given.rules) !== JSON.stringify(before.rules);
        const isMoved = wanted.issuer !== before.issuer;
        if (!wanted.enabled || isOther || isMoved) await tx`DELETE FROM sessions WHERE provider_id = ${id}`;
        const row = await findIn(tx, accountId, id);
        await note(tx, { kind: 'sign-in-providers', id, before: shown(before), after: row && shown(row) });
        return row;
      }),
    );
  }

  /**
   * Removes a provider. Its people stay, and cannot sign in until they get a password. Returns false if no provider has
   * this id.
   */
  async remove(accountId: number | null, id: number, note: NoteChange): Promise<boolean> {
    return this.#deps.sql.begin(async (tx) => {
      const row = await findIn(tx, accountId, id);
      if (!row) return false;
      await tx`DELETE FROM sessions WHERE provider_id = ${id}`;
      await tx`DELETE FROM person_identities WHERE provider_id = ${id}`;
      await tx`DELETE FROM sign_in_domains WHERE provider_id = ${id}`;
      await tx`DELETE FROM sign_in_providers WHERE id = ${id}`;
      await note(tx, { kind: 'sign-in-providers', id, before: shown(row) });
      return true;
    });
  }

  /** Stores why a sign-in failed, for the person who configures the provider. */
  async noteFailure(id: number, problem: string): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`
      UPDATE sign_in_providers SET last_failure = ${problem.replaceAll('\0', '').slice(0, 300)}, last_failure_at = ${clock.now()}
      WHERE id = ${id}`;
  }

  /** Throws Refusal `bad-field` for invalid settings. Requests the metadata if the provider differs from `before`. */
  async #check(provider: SignInProvider, before?: SignInProvider): Promise<void> {
    const { allowPrivate, client } = this.#deps;
    const { issuer, rules, accountId } = provider;
    if (!issuer.startsWith('https:') && !allowPrivate) {
      throw new Refusal('bad-field', 'must begin with https://', 'issuer', { reason: 'wrong-format' });
    }
    for (const [index, rule] of rules.entries()) checkRule(accountId, rule, `rules[${index}]`);
    const isSame = (['issuer', 'clientId', 'clientSecret'] as const).every(
      (of) => provider[of] === before?.[of],
    );
    if (!isSame) await client.check(provider);
  }

  #seal(id: number, { clientSecret }: Partial<ProviderInput>): Buffer | null {
    return clientSecret == null ? null : this.#deps.secrets.seal(clientSecret, CLIENT_SECRET, id);
  }
}

/** Checks the role and account of a rule at `path`. Throws Refusal `bad-field` that names the field. */
function checkRule(providerOf: number | null, { role, accountId }: RoleRule, path: string): void {
  if (!mayGive({ accountId: providerOf }, role)) {
    const words = 'cannot be operator: this provider is of an account';
    throw badField(`${path}.role`, words, 'fixed');
  }
  if (providerOf !== null) return;
  if (role !== 'operator' && accountId === null) {
    const words = `missing: name the account of the people with the role ${role}`;
    throw badField(`${path}.account`, words, 'missing');
  }
  if (role === 'operator' && accountId !== null) {
    const words = 'must be left out for the role operator, which belongs to no account';
    throw badField(`${path}.account`, words, 'fixed');
  }
}

/**
 * Removes the client secret that cannot be decrypted, and disables the provider. Returns its account (null: the
 * operator); undefined if no provider has this id.
 */
export async function discardClientSecret(
  tx: Queryable,
  id: number,
): Promise<{ accountId: number | null } | undefined> {
  const [row] = await tx<{ accountId: number | null }[]>`
    UPDATE sign_in_providers SET client_secret = NULL, enabled = false WHERE id = ${id}
    RETURNING account_id AS "accountId"`;
  return row;
}

async function storing<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    const taken = { sign_in_providers_slug_key: 'slug', sign_in_domains_pkey: 'domains' } as Record<
      string,
      string
    >;
    const field = taken[violatedConstraint(error) ?? ''];
    if (field !== undefined) {
      throw badField(field, 'is taken by another provider', 'taken');
    }
    throw error;
  }
}

async function setDomains(tx: TransactionSql, id: number, domains: readonly string[]): Promise<void> {
  await tx`DELETE FROM sign_in_domains WHERE provider_id = ${id}`;
  await tx`
    INSERT INTO sign_in_domains (domain, provider_id)
    SELECT domain, ${id} FROM unnest(${texts([...new Set(domains)])}::text[]) AS d (domain)`;
}

function shownColumns(sql: Queryable) {
  return sql`${columnsOfProviders(sql)}, v.last_failure AS "lastFailure", v.last_failure_at AS "lastFailureAt",
    ARRAY(SELECT domain FROM sign_in_domains d WHERE d.provider_id = v.id ORDER BY domain) AS domains,
    (SELECT count(*)::int FROM person_identities i WHERE i.provider_id = v.id) AS people`;
}

async function findIn(
  sql: Queryable,
  accountId: number | null,
  id: number,
): Promise<SignInProviderRow | undefined> {
  const [row] = await sql<SignInProviderRow[]>`
    SELECT ${shownColumns(sql)} FROM sign_in_providers v
    WHERE v.id = ${id} AND v.account_id IS NOT DISTINCT FROM ${accountId}::bigint`;
  return row;
}

/** A provider as the audit log shows it. */
const shown = ({
  slug,
  issuer,
  clientId,
  rules,
  enabled,
  makesPeople,
  linksByEmail,
  domains,
}: SignInProviderRow) => ({
  slug,
  issuer,
  client_id: clientId,
  rules,
  enabled,
  makes_people: makesPeople,
  links_by_email: linksByEmail,
  domains,
});
