import { decide, type Principal } from '../../api/access/decide.ts';
import type { PersonRole } from '../../api/access/roles.ts';
import type { TokenScope } from '../../api/access/scopes.ts';
import type { AccessRules } from '../../api/access/table.ts';
import { numbers } from '../../database/arrays.ts';
import type { Query, Queryable, Row, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Author } from '../../kit/request-context.ts';
import type { AuditLog } from '../people/audit.ts';

/** How often authors are compared with their rights, in milliseconds. */
export const AUTHORS_MS = 2_000;

/** Something that was stopped. */
export interface Stopped {
  readonly accountId: number;
  readonly id: number;
}

/** Work that acts for its author after the author's request: one kind of rule, endpoint or campaign. */
export interface AuthoredWork {
  /** Kind of the object in the audit log. */
  readonly kind: string;
  /** The route that creates it, by method and path: the author needs its right as long as the work acts. */
  readonly route: readonly [method: string, path: string];
  /** The authors of everything that is active. */
  authors(): Promise<readonly Author[]>;
  /**
   * Stops what these authors have active, in a way that owners see and can undo, and returns the objects. Writes nothing but
   * through `tx`, whose transaction stores the entries of the audit log, too.
   */
  stop(tx: TransactionSql, authors: readonly Author[]): Promise<readonly Stopped[]>;
  /** Reports the stopped objects to other parts of the service, after the commit. */
  announce?(stopped: readonly Stopped[]): void | Promise<void>;
}

interface AuthorsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly log: Logger;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly accessRules: Pick<AccessRules, 'of'>;
}

/**
 * Compares what acts for somebody with the rights that they have now: rules, webhook endpoints and campaigns stop when their
 * token is revoked or expires, and when their person is removed, suspended or loses the role. The caller who changes,
 * enables or resumes such an object becomes its author.
 */
export class Authors {
  readonly #deps: AuthorsDeps;
  readonly #works: AuthoredWork[] = [];

  constructor(deps: AuthorsDeps) {
    this.#deps = deps;
  }

  /** Adds a kind of work; before `run`. */
  add(work: AuthoredWork): void {
    this.#works.push(work);
  }

  /** The kinds of work that are compared. */
  get works(): readonly AuthoredWork[] {
    return this.#works;
  }

  /** Stops the work of authors who lost their right. Throws what the database throws. */
  async run(): Promise<void> {
    const { sql, log, audit } = this.#deps;
    for (const work of this.#works) {
      const gone = await this.#withoutRight(await work.authors(), work.route);
      if (gone.length === 0) continue;
      const stopped = await sql.begin(async (tx) => {
        const objects = await work.stop(tx, gone);
        for (const { accountId, id } of objects) {
          await audit.write({ accountId, action: STOPPED, kind: work.kind, id, status: 200 }, tx);
        }
        return objects;
      });
      if (stopped.length === 0) continue;
      log.warn({ kind: work.kind, count: stopped.length }, 'stopped: author lost the right');
      await work.announce?.(stopped);
    }
  }

  /**
   * Checks that an author may call a route now, before something is stored that shows the same data or does the same later.
   * Throws Refusal `not-allowed` with what is missing.
   */
  async check(author: Author, [method, path]: AuthoredWork['route']): Promise<void> {
    if (author.tokenId === null && author.personId === null) return;
    const rights = await this.#rightsOf([author]);
    const decision = decide(this.#deps.accessRules.of(method, path), rights(author));
    if (!decision.allowed) throw new Refusal('not-allowed', decision.message);
  }

  async #withoutRight(authors: readonly Author[], [method, path]: AuthoredWork['route']): Promise<Author[]> {
    if (authors.length === 0) return [];
    const rights = await this.#rightsOf(authors);
    const rule = this.#deps.accessRules.of(method, path);
    return authors.filter((author) => !decide(rule, rights(author)).allowed);
  }

  /** Returns the present rights of authors. */
  async #rightsOf(authors: readonly Author[]): Promise<(author: Author) => Principal> {
    const { sql, clock } = this.#deps;
    const tokenIds = authors.flatMap(({ tokenId }) => tokenId ?? []);
    const personIds = authors.flatMap(({ personId }) => personId ?? []);
    const tokens = await sql<{ id: number; scopes: TokenScope[] }[]>`
      SELECT id, scopes FROM tokens
      WHERE id = ANY(${numbers(tokenIds)}::bigint[]) AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${clock.now()})`;
    const people = await sql<{ id: number; role: PersonRole }[]>`
      SELECT id, role FROM people WHERE id = ANY(${numbers(personIds)}::bigint[]) AND NOT suspended`;
    const scopesOf = new Map(tokens.map(({ id, scopes }) => [id, scopes]));
    const roleOf = new Map(people.map(({ id, role }) => [id, role]));
    return ({ tokenId, personId }) => {
      const scopes = tokenId === null ? undefined : scopesOf.get(tokenId);
      if (scopes) return { kind: 'token', scopes };
      const role = personId === null ? undefined : roleOf.get(personId);
      // Proofs and second factors belong to sessions, and rules act without a session.
      return role ? { kind: 'person', role, lacksSecondFactor: false, proven: true } : { kind: 'nobody' };
    };
  }
}

/** The action of entries in the audit log. */
const STOPPED = 'author lost the right';

/** The different authors of rows, as `FROM` and `WHERE`; rows without an author are left out. */
export const authorsOf = (sql: Queryable, rows: Query<Row[]>): Promise<Author[]> =>
  sql<Author[]>`
    SELECT DISTINCT author_token_id AS "tokenId", author_person_id AS "personId" ${rows}
      AND (author_token_id IS NOT NULL OR author_person_id IS NOT NULL)`;

/** A condition on rows: they are of one of these authors. */
export const isBy = (sql: Queryable, authors: readonly Author[]): Query<Row[]> =>
  sql`(author_token_id = ANY(${numbers(authors.flatMap(({ tokenId }) => tokenId ?? []))}::bigint[])
    OR author_person_id = ANY(${numbers(authors.flatMap(({ personId }) => personId ?? []))}::bigint[]))`;
