import { randomBytes } from 'node:crypto';
import { type TransactionSql, violatedConstraint } from '../../../database/connection.ts';
import type { Context } from '../../../kit/context.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { LoginThrottle } from '../../login-throttle/login-throttle.ts';
import { type AuditLog, NO_ACCOUNT } from '../audit.ts';
import type { People } from '../people.ts';
import { isSecondFactorDemandedOf } from '../people-rules.ts';
import { columnsOfPeople, lockPerson, type Person } from '../person.ts';
import type { Origin, Sessions } from '../sessions.ts';
import type { SignedInPerson } from '../sign-in.ts';
import { type SignInFlows, secretsOf } from './flows.ts';
import { mayGive, type SignInProvider } from './provider.ts';
import type { Claimed, ProviderClient } from './provider-client.ts';
import type { SignInProviders } from './providers.ts';
import { type Claims, firstMatch, type RoleRule, verifiedEmail } from './role-rules.ts';
import { saysSecondFactor } from './second-factor-values.ts';

interface ProviderSignInsDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly providers: SignInProviders;
  readonly client: ProviderClient;
  readonly flows: SignInFlows;
  readonly sessions: Sessions;
  readonly people: People;
  readonly throttle: LoginThrottle;
  readonly audit: AuditLog;
  /** Base URL of the service's pages, without a slash at the end. */
  readonly pageBase: () => string;
}

/** A begun sign-in: the address at the provider and the token for the cookie. */
interface Begun {
  readonly url: string;
  /** For the cookie that binds the answer to this browser. */
  readonly token: string;
}

/** The person who signed in, or the reason of the refusal. */
type Settled = { readonly person: Person } | { readonly refused: string };

/** The answer of a provider: the parameters of the redirect URI. */
export type ProviderAnswer = Readonly<Partial<Record<'code' | 'state' | 'iss' | 'error', string>>>;

/** Sign-in and sign-out by providers. */
export class ProviderSignIns {
  readonly #deps: ProviderSignInsDeps;

  constructor(deps: ProviderSignInsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the redirect URI of a provider. Each provider has its own, so that an answer cannot be mistaken for that of
   * another provider.
   */
  redirectUri(slug: string): string {
    return `${this.#deps.pageBase()}/sign-in/${slug}/callback`;
  }

  /**
   * Begins a sign-in, by the slug in a link or by an email address, of which only the domain counts. Throws Refusal
   * `not-found`, which reveals nothing about people, and `try-again` if the provider does not answer.
   */
  async begin(by: { slug: string } | { email: string }): Promise<Begun> {
    const { providers } = this.#deps;
    const wanted =
      'slug' in by ? by : { domain: by.email.slice(by.email.lastIndexOf('@') + 1).toLowerCase() };
    const provider = await providers.lookUp(wanted);
    if (!provider) throw new Refusal('not-found', 'no sign-in provider for this address or name');
    return this.#begin(provider, false);
  }

  /**
   * Begins a sign-in for which the provider must ask for credentials again. Throws Refusal `not-now` if the provider is
   * disabled, and `try-again` if it does not answer.
   */
  async beginAgain(providerId: number): Promise<Begun> {
    const provider = await this.#deps.providers.byId(providerId);
    if (!provider)
      throw new Refusal('not-now', 'the sign-in provider is disabled', undefined, {
        reason: 'provider-disabled',
      });
    return this.#begin(provider, true);
  }

  async #begin(provider: SignInProvider, reauthenticates: boolean): Promise<Begun> {
    const { flows, client } = this.#deps;
    const token = await flows.begin(provider.id, reauthenticates);
    const redirectUri = this.redirectUri(provider.slug);
    return {
      token,
      url: await client.authorizationUrl(provider, secretsOf(token), redirectUri, reauthenticates),
    };
  }

  /**
   * Signs in the person who comes back from a provider. Throws Refusal `signed-out` for an invalid answer,
   * `not-allowed` for a person without a role, and `try-again` if the provider does not answer.
   *
   * @param token of the cookie; undefined without one
   */
  async finish(
    slug: string,
    answer: ProviderAnswer,
    token: string | undefined,
    origin: Origin,
    identify: (person: Person) => void,
  ): Promise<SignedInPerson> {
    const { providers, flows, throttle } = this.#deps;
    const flow = token === undefined ? undefined : await flows.end(token);
    const provider = flow && (await providers.byId(flow.providerId));
    if (!flow || provider?.slug !== slug) {
      throw new Refusal('signed-out', 'the sign-in was not begun in this browser, or it took too long');
    }
    const claimed = await this.#claims(provider, answer, token!, flow.reauthenticates);
    const settled = await this.#settleOnce(provider, claimed.claims);
    if ('refused' in settled) {
      await providers.noteFailure(provider.id, settled.refused);
      throw new Refusal('not-allowed', settled.refused);
    }
    const { person } = settled;
    const started = await this.#start(provider, person, claimed, origin);
    identify(person);
    const who = { accountId: person.accountId ?? undefined, personId: person.id, username: person.username };
    return { person, token: started, device: await throttle.remember(who, origin, true) };
  }

  async #claims(
    provider: SignInProvider,
    answer: ProviderAnswer,
    token: string,
    reauthenticates: boolean,
  ): Promise<Claimed> {
    const { client, providers, log } = this.#deps;
    const answered = new URL(this.redirectUri(provider.slug));
    for (const [name, value] of Object.entries(answer)) answered.searchParams.set(name, value);
    try {
      return await client.claims(provider, secretsOf(token), answered, reauthenticates);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // Without the cause, which contains the provider's response.
      const { message, code, error: said } = error as Error & { code?: string; error?: string };
      const problem = [said, message].filter(Boolean).join(': ');
      log.warn({ providerId: provider.id, code, problem }, 'answer of a sign-in provider refused');
      await providers.noteFailure(provider.id, problem);
      throw new Refusal('signed-out', 'the provider did not confirm the sign-in');
    }
  }

  /** As `#settle`, with a second attempt if the same person signed in at this moment in another browser. */
  async #settleOnce(
    provider: SignInProvider,
    claims: Claims & { iss: string; sub: string },
  ): Promise<Settled> {
    const settle = () => this.#deps.sql.begin((tx) => this.#settle(tx, provider, claims));
    try {
      return await settle();
    } catch (error) {
      if (!taken.has(violatedConstraint(error) ?? '')) throw error;
      return settle();
    }
  }

  /** Finds, links or creates the person, with the role that the rules give now. */
  async #settle(
    tx: TransactionSql,
    provider: SignInProvider,
    claims: Claims & { iss: string; sub: string },
  ): Promise<Settled> {
    const { sessions, clock } = this.#deps;
    const known = await this.#identified(tx, provider, claims);
    // A person cannot change accounts: rules for other accounts do not apply.
    const rules = rulesOf(provider).filter(({ accountId }) => !known || accountId === known.accountId);
    const rule = firstMatch(rules, claims);
    if (!rule) {
      if (known) await sessions.endAll(tx, known.id);
      return { refused: 'no rule of the provider gives you a role here' };
    }
    if (known?.suspended) return { refused: 'you are disabled here' };
    if (known) return { person: await this.#withRole(tx, known, rule) };
    const found = provider.linksByEmail ? await this.#byEmail(tx, rule, claims) : undefined;
    const person = found ?? (provider.makesPeople ? await this.#make(tx, provider, rule, claims) : undefined);
    if (!person) return { refused: 'no person has this sign-in, and the provider does not add people' };
    await tx`
      INSERT INTO person_identities (person_id, provider_id, issuer, subject, created_at)
      VALUES (${person.id}, ${provider.id}, ${claims.iss}, ${claims.sub}, ${clock.now()})`;
    return { person: await this.#withRole(tx, person, rule) };
  }

  /** Returns the person with this issuer and subject; no other claims identify a person. */
  async #identified(
    tx: TransactionSql,
    { id }: SignInProvider,
    { iss, sub }: { iss: string; sub: string },
  ): Promise<Person | undefined> {
    const [person] = await tx<Person[]>`
      SELECT ${columnsOfPeople(tx)} FROM people p JOIN person_identities i ON i.person_id = p.id
      WHERE i.provider_id = ${id} AND i.issuer = ${iss} AND i.subject = ${sub}`;
    if (person) await lockPerson(tx, person.id);
    return person;
  }

  /**
   * Returns the person whose user name is the verified email address, in the account of the rule, and who does not sign
   * in by a provider yet. Their password ends: from now on only the provider identifies them.
   */
  async #byEmail(tx: TransactionSql, { accountId }: RoleRule, claims: Claims): Promise<Person | undefined> {
    const email = verifiedEmail(claims);
    if (email === undefined) return undefined;
    const [person] = await tx<Person[]>`
      SELECT ${columnsOfPeople(tx)} FROM people p
      WHERE lower(p.username) = ${email} AND p.account_id IS NOT DISTINCT FROM ${accountId}::bigint
        AND NOT p.suspended AND NOT EXISTS (SELECT FROM person_identities i WHERE i.person_id = p.id)`;
    if (!person) return undefined;
    await lockPerson(tx, person.id);
    await tx`UPDATE people SET password_hash = NULL WHERE id = ${person.id}`;
    await tx`DELETE FROM person_links WHERE person_id = ${person.id}`;
    await this.#deps.sessions.endAll(tx, person.id);
    return { ...person, hasPassword: false };
  }

  /** Adds the person. The email address becomes the user name if it is verified and free. */
  async #make(
    tx: TransactionSql,
    { slug }: SignInProvider,
    { accountId, role }: RoleRule,
    claims: Claims,
  ): Promise<Person> {
    const email = verifiedEmail(claims);
    const isFree =
      email !== undefined &&
      /^[\w.@-]{2,50}$/.test(email) &&
      (await tx`SELECT 1 FROM people WHERE lower(username) = ${email}`).length === 0;
    const username = isFree ? email : `${slug}-${randomBytes(5).toString('hex')}`;
    const said = [claims.name, email].find((one) => typeof one === 'string' && one.trim() !== '');
    const name = String(said ?? username)
      .replaceAll('\0', '')
      .trim()
      .slice(0, 100);
    return this.#deps.people.insert(tx, { accountId, username, name, role });
  }

  async #withRole(tx: TransactionSql, person: Person, { role }: RoleRule): Promise<Person> {
    if (person.role === role) return person;
    await tx`UPDATE people SET role = ${role} WHERE id = ${person.id}`;
    await this.#deps.sessions.endAll(tx, person.id);
    return { ...person, role };
  }

  async #start(
    provider: SignInProvider,
    person: Person,
    { claims, idToken, proofAgeMs }: Claimed,
    origin: Origin,
  ): Promise<string> {
    const secondFactor = saysSecondFactor(claims, provider.secondFactorValues);
    const session = typeof claims.sid === 'string' ? claims.sid : null;
    return this.#deps.sql.begin(async (tx) => {
      // The lock makes sure that a person who is disabled at the same time gets no session.
      await lockPerson(tx, person.id);
      const [still] = await tx<{ demanded: boolean }[]>`
        SELECT ${isSecondFactorDemandedOf(tx)} AS demanded FROM people p WHERE p.id = ${person.id} AND NOT p.suspended`;
      if (!still) throw new Refusal('not-allowed', 'you are disabled here');
      const ofProvider = { id: provider.id, session, secondFactor, idToken };
      const counts = secondFactor && !(still.demanded && provider.accountId !== null);
      const pending = person.secondFactor && !counts;
      return this.#deps.sessions.start(tx, person.id, origin, { provider: ofProvider, pending, proofAgeMs });
    });
  }

  /**
   * Returns the address where a browser signs out at the provider of its session; null if the provider has no such
   * address.
   *
   * @param idToken the ID token of the session's sign-in
   */
  async logoutUrl(providerId: number | undefined, idToken: string | undefined): Promise<string | null> {
    const { providers, client, pageBase } = this.#deps;
    const provider = providerId === undefined ? undefined : await providers.byId(providerId);
    return provider ? client.logoutUrl(provider, `${pageBase()}/`, idToken) : null;
  }

  /**
   * Ends the sessions that a logout token of a provider names. Throws an error that says what is wrong with the token.
   */
  async logOut(slug: string, token: string): Promise<void> {
    const { providers, client, sql, audit } = this.#deps;
    const provider = await providers.lookUp({ slug });
    if (!provider) throw new Error('there is no such provider');
    const { issuer, subject, session } = await client.readLogoutToken(provider, token);
    const ended = await sql<{ personId: number; accountId: number | null }[]>`
      DELETE FROM sessions s USING person_identities i, people p
      WHERE s.provider_id = ${provider.id} AND i.person_id = s.person_id AND p.id = s.person_id AND i.issuer = ${issuer}
        ${subject === undefined ? sql`` : sql`AND i.subject = ${subject}`}
        ${session === undefined ? sql`` : sql`AND s.provider_session = ${session}`}
      RETURNING p.id AS "personId", p.account_id AS "accountId"`;
    const people = new Map(ended.map(({ personId, accountId }) => [personId, accountId]));
    for (const [id, accountId] of people) {
      await audit.write({
        accountId: accountId ?? NO_ACCOUNT,
        action: 'signed out by provider',
        kind: 'people',
        id,
        status: 200,
      });
    }
  }
}

/** Constraints that fail if the same person or user name was added at this moment. */
const taken = new Set(['person_identities_subject_key', 'people_username_key']);

/**
 * Returns the rules of a provider with the account of each. Rules of an account's provider always apply to that
 * account.
 */
function rulesOf(provider: SignInProvider): RoleRule[] {
  const { accountId, rules } = provider;
  return rules
    .filter(({ role }) => mayGive(provider, role))
    .map((rule) => (accountId === null ? rule : { ...rule, accountId }));
}
