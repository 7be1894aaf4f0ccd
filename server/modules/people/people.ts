import { accountRoles, atLeast, type PersonRole } from '../../api/access/roles.ts';
import { texts } from '../../database/arrays.ts';
import { type Queryable, type TransactionSql, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Details } from './audit.ts';
import type { OneTimeLink, PersonLinks } from './one-time-links.ts';
import { columnsOfPeople, lockPerson, type Person } from './person.ts';
import type { Sessions } from './sessions.ts';

/** Maximum number of people of an account, so that one page can list them. */
export const MAX_PEOPLE = 1_000;

/** Roles of an account whose people may answer conversations. */
const answeringRoles = texts(accountRoles.filter((role) => atLeast(role, 'agent')));

/** Writes a change to the audit log, in the transaction of the change. */
export type NoteChange = (tx: Queryable, details: Details) => Promise<void>;

/** Input of a new person, as checked by its API. */
export interface NewPerson {
  /** null: one of the operator's people. */
  readonly accountId: number | null;
  readonly username: string;
  readonly name: string;
  readonly role: PersonRole;
  readonly language?: Person['language'] | undefined;
  /** argon2id hash. Without it, the person chooses a password by a link. */
  readonly passwordHash?: string | null;
}

/** A person who may answer conversations. */
export type Agent = Pick<Person, 'id' | 'name'>;

/** Fields of a person that others can change; undefined keeps the value. */
export interface PersonChange {
  readonly name?: string | undefined;
  readonly role?: PersonRole | undefined;
  readonly suspended?: boolean | undefined;
}

/** Settings that people choose for themselves; undefined keeps the value. */
interface Preferences {
  readonly name?: string | undefined;
  readonly language?: Person['language'] | undefined;
  readonly theme?: Person['theme'] | undefined;
  readonly timeZone?: Person['timeZone'] | undefined;
}

interface PeopleDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly sessions: Sessions;
  readonly links: PersonLinks;
}

/** People who use the console: those of accounts, and the operator's. */
export class People {
  readonly #deps: PeopleDeps;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /** Returns the people of an account, or with null the operator's people, in order of creation. */
  async list(accountId: number | null): Promise<Person[]> {
    const { sql } = this.#deps;
    return sql<Person[]>`
      SELECT ${columnsOfPeople(sql)} FROM people p WHERE ${ofAccount(sql, accountId)} ORDER BY p.id`;
  }

  /** Returns the people of an account who may answer conversations and can sign in, by name: the possible assignees. */
  async listAgents(accountId: number, sql: Queryable = this.#deps.sql): Promise<Agent[]> {
    return sql<Agent[]>`
      SELECT p.id, p.name FROM people p
      WHERE p.account_id = ${accountId} AND NOT p.suspended AND p.role = ANY(${answeringRoles}::text[])
      ORDER BY lower(p.name), p.id`;
  }

  /** Returns all people, by user name. */
  async listAll(): Promise<Person[]> {
    const { sql } = this.#deps;
    return sql<Person[]>`SELECT ${columnsOfPeople(sql)} FROM people p ORDER BY lower(p.username)`;
  }

  /** Finds by user name, without case. */
  async byUsername(username: string): Promise<Person | undefined> {
    const { sql } = this.#deps;
    const [person] = await sql<Person[]>`
      SELECT ${columnsOfPeople(sql)} FROM people p WHERE lower(p.username) = ${username.toLowerCase()}`;
    return person;
  }

  /** Returns a person of an account, or with null one of the operator's people, by id. */
  async find(accountId: number | null, id: number): Promise<Person | undefined> {
    const { sql } = this.#deps;
    return findIn(sql, accountId, id);
  }

  /**
   * Adds a person. Without a password hash, also returns a link to choose the password. Throws Refusal
   * `username-taken`, and `not-now` if the account has MAX_PEOPLE.
   */
  async add(wanted: NewPerson, note?: NoteChange): Promise<{ person: Person; link: OneTimeLink | null }> {
    const { sql, links } = this.#deps;
    const { username, name, role, passwordHash = null } = wanted;
    try {
      return await sql.begin(async (tx) => {
        const person = await this.insert(tx, wanted);
        const link = passwordHash === null ? await links.make(tx, person.id, 'password') : null;
        await note?.(tx, { kind: 'people', id: person.id, after: { username, name, role } });
        return { person, link };
      });
    } catch (error) {
      if (violatedConstraint(error) === 'people_username_key') {
        throw new Refusal('username-taken', `"${username}" is taken`, 'username');
      }
      throw error;
    }
  }

  /** As `add`, in a transaction and without a link. The constraint `people_username_key` rejects an existing name. */
  async insert(tx: TransactionSql, wanted: NewPerson): Promise<Person> {
    const { ids, clock } = this.#deps;
    const id = ids.next();
    const { accountId, username, name, role, language = null, passwordHash = null } = wanted;
    await lockTeam(tx, accountId);
    const [team] = await tx<{ count: number }[]>`
      SELECT count(*)::int AS count FROM people p WHERE ${ofAccount(tx, accountId)}`;
    if (team!.count >= MAX_PEOPLE)
      throw new Refusal('not-now', `there are ${MAX_PEOPLE} people already`, undefined, {
        reason: 'limit-reached',
        params: { max: MAX_PEOPLE },
      });
    await tx`
      INSERT INTO people (id, account_id, username, name, password_hash, role, language, created_at)
      VALUES (${id}, ${accountId}, ${username}, ${name}, ${passwordHash}, ${role}, ${language}, ${clock.now()})`;
    return (await findIn(tx, accountId, id))!;
  }

  /**
   * Changes a person. A suspension or another role immediately ends the person's sessions. Returns undefined if no
   * person has this id. Throws Refusal `not-now` if nobody would be left who can manage the others.
   */
  async change(
    accountId: number | null,
    id: number,
    change: PersonChange,
    note?: NoteChange,
  ): Promise<Person | undefined> {
    const { sql, sessions, links } = this.#deps;
    return sql.begin(async (tx) => {
      await lockTeam(tx, accountId);
      const before = await findIn(tx, accountId, id);
      if (!before) return undefined;
      const { name = before.name, role = before.role, suspended = before.suspended } = change;
      await tx`UPDATE people SET name = ${name}, role = ${role}, suspended = ${suspended} WHERE id = ${id}`;
      if (suspended || role !== before.role) await sessions.endAll(tx, id);
      if (suspended) await links.endAll(tx, id);
      const chief = accountId === null ? 'operator' : 'owner';
      if (before.role === chief && !before.suspended) await checkChief(tx, accountId, chief);
      const after = { name, role, suspended };
      await note?.(tx, {
        kind: 'people',
        id,
        before: { name: before.name, role: before.role, suspended: before.suspended },
        after,
      });
      return { ...before, ...after };
    });
  }

  /**
   * Creates a link by which a person chooses a new password; the old one works until then. With `secondFactor`, using
   * the link also removes the second factor. Returns undefined if no person has this id. Throws Refusal `not-now` for a
   * suspended person.
   */
  async reset(
    accountId: number | null,
    id: number,
    options: { secondFactor: boolean },
    note?: NoteChange,
  ): Promise<OneTimeLink | undefined> {
    const { sql, links } = this.#deps;
    return sql.begin(async (tx) => {
      const person = await findIn(tx, accountId, id);
      if (!person) return undefined;
      if (person.suspended)
        throw new Refusal('not-now', 'the person is suspended', undefined, { reason: 'person-suspended' });
      await lockPerson(tx, id);
      const link = await links.make(tx, id, 'password', { clearsSecondFactor: options.secondFactor });
      await note?.(tx, { kind: 'people', id, after: { removes_second_factor: options.secondFactor } });
      return link;
    });
  }

  /** Removes a person's password if it has this hash, and ends the sessions. Returns false if the hash differs. */
  async dropPassword(id: number, hash: string): Promise<boolean> {
    const { sql, sessions } = this.#deps;
    return sql.begin(async (tx) => {
      const { count } = await tx`
        UPDATE people SET password_hash = NULL WHERE id = ${id} AND password_hash = ${hash}`;
      if (count === 1) await sessions.endAll(tx, id);
      return count === 1;
    });
  }

  /** Stores the preferences of a person. */
  async prefer(person: Person, chosen: Preferences, note?: NoteChange): Promise<Person> {
    const { name = person.name, language = person.language, theme = person.theme } = chosen;
    const { timeZone = person.timeZone } = chosen;
    await this.#deps.sql.begin(async (tx) => {
      await tx`
        UPDATE people SET name = ${name}, language = ${language}, theme = ${theme}, time_zone = ${timeZone}
        WHERE id = ${person.id}`;
      const shown = (of: Pick<Person, 'name' | 'language' | 'theme' | 'timeZone'>) => {
        return { name: of.name, language: of.language, theme: of.theme, time_zone: of.timeZone };
      };
      const after = shown({ name, language, theme, timeZone });
      await note?.(tx, { kind: 'people', id: person.id, before: shown(person), after });
    });
    return { ...person, name, language, theme, timeZone };
  }
}

/** Locks the people of an account, or of the operator, so that changes run one after another. */
async function lockTeam(tx: TransactionSql, accountId: number | null): Promise<void> {
  if (accountId === null) await tx`SELECT 1 FROM people WHERE account_id IS NULL ORDER BY id FOR UPDATE`;
  else await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
}

/** Throws Refusal `not-now` if an account would have no owner left, or the operator no person. */
async function checkChief(tx: TransactionSql, accountId: number | null, role: PersonRole): Promise<void> {
  const left = await tx`
    SELECT 1 FROM people p WHERE ${ofAccount(tx, accountId)} AND p.role = ${role} AND NOT p.suspended LIMIT 1`;
  if (left.length === 0)
    throw new Refusal('not-now', `at least one person must have the role ${role}`, undefined, {
      reason: 'last-of-role',
    });
}

async function findIn(sql: Queryable, accountId: number | null, id: number): Promise<Person | undefined> {
  const [person] = await sql<Person[]>`
    SELECT ${columnsOfPeople(sql)} FROM people p WHERE p.id = ${id} AND ${ofAccount(sql, accountId)}`;
  return person;
}

function ofAccount(sql: Queryable, accountId: number | null) {
  return accountId === null ? sql`p.account_id IS NULL` : sql`p.account_id = ${accountId}`;
}
