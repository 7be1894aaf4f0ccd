import { createHash, randomBytes } from 'node:crypto';
import type { Queryable, Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import { SealedValueError, type SecretBox } from '../../secrets/secret-box.ts';
import { isSecondFactorDemandedOf, isSecondFactorRequiredOf } from './people-rules.ts';
import { columnsOfPeople, type Person } from './person.ts';

/** Maximum time between two uses of a session, in milliseconds. */
export const IDLE_MS = 12 * 3_600_000;
/** Maximum age of a session, in milliseconds since the sign-in. */
export const LIFE_MS = 7 * 86_400_000;
/**
 * Milliseconds for which a proof of identity counts for routes that require one. Using the session does not extend it.
 */
export const PROOF_MS = 5 * 60_000;
/** Precision of the last use of a session, in milliseconds: a write for each request would cost too much. */
const SEEN_MS = 60_000;
const MAX_AGENT = 200;
/** The purpose under which ID tokens are encrypted, together with the id of the session. */
const ID_TOKEN = 'sessions.provider_id_token';

/** The session of a person who is signed in. */
export interface Session {
  readonly id: number;
  readonly person: Person;
  /** The account of the person requires a second factor from all its people (people-rules.ts). */
  readonly secondFactorRequired: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The provider by which the person signed in; undefined without one. */
  readonly provider: SessionProvider | undefined;
  /** The person has a second factor and has not proven it in this session. */
  readonly secondFactorPending: boolean;
  /**
   * Milliseconds since the person last proved their identity in this session, by the clock of the database, which a
   * sandbox cannot move; null: never.
   */
  readonly proofAgeMs: number | null;
  /** Time of expiry if no more requests come; at most a minute too early. */
  readonly expiresAt: number;
}

/** Data of the provider by which the session began. */
export interface SessionProvider {
  readonly id: number;
  /** The provider's own session id (`sid`), with which it can end the session; null if it sent none. */
  readonly session: string | null;
  /** The provider confirmed a second factor, and its confirmation counts (`trustsProvider`). */
  readonly secondFactor: boolean;
}

/** The provider of a new session. */
export interface BeginningProvider extends SessionProvider {
  /** The ID token to send to the provider at the end of the session; undefined: none. */
  readonly idToken?: string | undefined;
}

/** A session as its person sees it. */
interface SessionRow {
  readonly id: number;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly address: string;
  readonly agent: string;
}

/** Columns of a session, except those of its person. */
interface SessionColumns {
  readonly sessionId: number;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly secondFactorRequired: boolean;
  readonly secondFactorPending: boolean;
  readonly sessionProviderId: number | null;
  readonly providerSession: string | null;
  readonly providerSecondFactor: boolean;
  readonly proofAgeMs: number | null;
}

/** Properties of a new session. */
interface Beginning {
  /** The provider that identified the person. */
  readonly provider?: BeginningProvider | undefined;
  /** The second factor is not proven yet. */
  readonly pending?: boolean;
  /** Age of the proof that the session begins with, in milliseconds; null: no proof; 0 by default. */
  readonly proofAgeMs?: number | null;
}

/** Time of the database in milliseconds since the epoch. */
const databaseNow = (sql: Queryable) => sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Condition: the session's provider is trusted about the second factor of its person. Where the operator requires a
 * second factor, providers of accounts are not trusted, because the owners of the account control them. Needs the
 * aliases `s` and `p`.
 */
const trustsProvider = (sql: Queryable) => sql`(NOT ${isSecondFactorDemandedOf(sql)} OR EXISTS (
  SELECT FROM sign_in_providers v WHERE v.id = s.provider_id AND v.account_id IS NULL))`;

/** Client of a sign-in. */
export interface Origin {
  readonly address: string;
  /** User agent of the browser. */
  readonly agent: string;
  /** The token of its device cookie; undefined without one. */
  readonly device?: string | undefined;
}

/** SHA-256 of a token, the only stored form: 256 random bits need neither salt nor a slow hash. */
export const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** Creates a token: 256 random bits, 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Sessions of people: an opaque token in a cookie, and a row in the database that can be deleted at any time. */
export class Sessions {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(sql: Sql, ids: IdSource, clock: Clock, secrets: SecretBox) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** Creates a session. Returns the token for the cookie, which cannot be read again. */
  async start(tx: Queryable, personId: number, origin: Origin, by: Beginning = {}): Promise<string> {
    const token = newToken();
    const now = this.#clock.now();
    const id = this.#ids.next();
    const idToken = by.provider?.idToken;
    const sealed = idToken === undefined ? null : this.#secrets.seal(idToken, ID_TOKEN, id);
    await tx`
      INSERT INTO sessions (id, digest, person_id, created_at, seen_at, address, agent, provider_id, provider_session,
        provider_second_factor, second_factor_pending, provider_id_token, proven_at)
      VALUES (${id}, ${digestOf(token)}, ${personId}, ${now}, ${now}, ${origin.address},
        ${origin.agent.slice(0, MAX_AGENT)}, ${by.provider?.id ?? null}, ${by.provider?.session ?? null},
        ${by.provider?.secondFactor ?? false}, ${by.pending ?? false}, ${sealed},
        ${databaseNow(tx)} - ${by.proofAgeMs === undefined ? 0 : by.proofAgeMs}::bigint)`;
    return token;
  }

  /**
   * Returns the session of a token; null if the token is unknown, ended or expired, or its person is suspended. Not
   * cached, so that an ended session ends immediately in every process.
   */
  async find(token: string): Promise<Session | null> {
    const now = this.#clock.now();
    const [row] = await this.#sql<(Person & SessionColumns)[]>`
      SELECT ${columnsOfPeople(this.#sql)}, s.id AS "sessionId", s.created_at AS "startedAt", s.seen_at AS "seenAt",
        ${isSecondFactorRequiredOf(this.#sql)} AS "secondFactorRequired",
        s.second_factor_pending AS "secondFactorPending", s.provider_id AS "sessionProviderId",
        s.provider_session AS "providerSession", s.provider_second_factor AND ${trustsProvider(this.#sql)} AS "providerSecondFactor",
        ${databaseNow(this.#sql)} - s.proven_at AS "proofAgeMs"
      FROM sessions s JOIN people p ON p.id = s.person_id
      WHERE s.digest = ${digestOf(token)} AND s.seen_at > ${now - IDLE_MS} AND s.created_at > ${now - LIFE_MS}
        AND NOT p.suspended`;
    if (!row) return null;
    const { sessionId: id, startedAt, seenAt, secondFactorRequired, secondFactorPending, ...rest } = row;
    const {
      proofAgeMs,
      sessionProviderId,
      providerSession,
      providerSecondFactor: secondFactor,
      ...person
    } = rest;
    const provider =
      sessionProviderId === null
        ? undefined
        : { id: sessionProviderId, session: providerSession, secondFactor };
    if (now - seenAt >= SEEN_MS) await this.#sql`UPDATE sessions SET seen_at = ${now} WHERE id = ${id}`;
    return {
      id,
      person,
      secondFactorRequired,
      secondFactorPending,
      provider,
      startedAt,
      proofAgeMs,
      expiresAt: Math.min(now + IDLE_MS, startedAt + LIFE_MS),
    };
  }

  /** Stores that the person of a session has proved who they are now. */
  async prove(tx: Queryable, id: number): Promise<void> {
    await tx`UPDATE sessions SET proven_at = ${databaseNow(tx)} WHERE id = ${id}`;
  }

  /** Returns the valid sessions of a person, last used first. */
  async list(personId: number): Promise<SessionRow[]> {
    const now = this.#clock.now();
    return this.#sql<SessionRow[]>`
      SELECT id, created_at AS "createdAt", seen_at AS "seenAt", address, agent FROM sessions
      WHERE person_id = ${personId} AND seen_at > ${now - IDLE_MS} AND created_at > ${now - LIFE_MS}
      ORDER BY seen_at DESC, id DESC`;
  }

  /** Ends a session of a person. Returns false if the person has no session with this id. */
  async end(personId: number, id: number): Promise<boolean> {
    const rows = await this.#sql`
      DELETE FROM sessions WHERE id = ${id} AND person_id = ${personId} RETURNING id`;
    return rows.length === 1;
  }

  /** As `end`. Returns the ID token that the session began with; undefined if none was stored. */
  async signOut(personId: number, id: number): Promise<string | undefined> {
    const [row] = await this.#sql<{ sealed: Buffer | null }[]>`
      DELETE FROM sessions WHERE id = ${id} AND person_id = ${personId} RETURNING provider_id_token AS sealed`;
    if (!row?.sealed) return undefined;
    try {
      return this.#secrets.openText(row.sealed, ID_TOKEN, id);
    } catch (error) {
      // The key of the ID token is lost. Without the token, the provider asks the person.
      if (error instanceof SealedValueError) return undefined;
      throw error;
    }
  }

  /** Ends the session of a token, if it exists. */
  async endByToken(token: string): Promise<void> {
    await this.#sql`DELETE FROM sessions WHERE digest = ${digestOf(token)}`;
  }

  /** Ends all sessions of a person except this one. Returns the number of ended sessions. */
  endOthers(personId: number, id: number): Promise<number> {
    return this.endAll(this.#sql, personId, id);
  }

  /** Ends all sessions of a person, except the given one. Returns the number of ended sessions. */
  async endAll(tx: Queryable, personId: number, except = 0): Promise<number> {
    const rows =
      await tx`DELETE FROM sessions WHERE person_id = ${personId} AND id <> ${except} RETURNING id`;
    return rows.length;
  }

  /** Deletes the ID token of a session, which can no longer be decrypted. */
  static async discardIdToken(tx: Queryable, id: number): Promise<void> {
    await tx`UPDATE sessions SET provider_id_token = NULL WHERE id = ${id}`;
  }

  /** Deletes expired sessions. */
  async cleanUp(): Promise<void> {
    const now = this.#clock.now();
    await this.#sql`
      DELETE FROM sessions WHERE created_at <= ${now - LIFE_MS} OR seen_at <= ${now - IDLE_MS}`;
  }
}
