import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { numbers, texts } from '../database/arrays.ts';
import type { Queryable, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { noteAnswered } from '../fraud-guard/fraud-guard.ts';
import { takesSms } from '../numbers/line-types.ts';
import { displayNumber } from '../numbers/numbers.ts';
import type { Sources } from './sources.ts';

/** How long a link or a request is good for (decisions, "Single operations"). */
const VERIFICATION_MS = 24 * 3_600_000;
/** Requests of one account for one phone within that time: each rings at somebody who may not have asked for it. */
const MAX_REQUESTS = 5;

// 128 random bits: cannot be guessed, and fits an SMS.
const TOKEN_BYTES = 16;
const tokenShape = /^[\w-]{22}$/;

/** A request to be confirmed. */
export interface VerificationRequest {
  readonly id: number;
  /** E.164 digits. */
  readonly phone: string;
  /** What the address of its page ends with, told this once. Of a mobile it is a secret, of a landline it is not. */
  readonly token: string;
}

/** What a link is about. */
export interface LinkedVerification {
  readonly accountId: number;
  /** How people call the account. */
  readonly accountName: string;
  /** E.164 digits. */
  readonly phone: string;
  /** Whether a code that is heard confirms it, and not the press of a button. */
  readonly landline: boolean;
  readonly confirmed: boolean;
}

/** A request that waits, for the operator. */
interface WaitingVerification {
  readonly accountId: number;
  readonly username: string;
  /** E.164 digits. */
  readonly phone: string;
  readonly landline: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Confirmed {
  account_id: number;
  phone: string;
}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** The refusal of a number (E.164 digits) whose owner was asked too often within a day. */
export const askedTooOften = (phone: string) =>
  new Refusal(
    'not-now',
    `${displayNumber(phone)} was asked for ${MAX_REQUESTS} times within 24 hours, try again later`,
    'phone',
  );

interface VerifiedPhonesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly sources: Sources;
}

/** Requests of accounts to send from a number of theirs, until the number's owner confirms them. */
export class VerifiedPhones {
  readonly #deps: VerifiedPhonesDeps;

  constructor(deps: VerifiedPhonesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a request for each of these different numbers (E.164 digits), all or none. Throws Refusal `not-now` when one
   * was asked for too often. `also` is done in the same transaction.
   */
  async request(
    accountId: number,
    phones: readonly string[],
    also?: (tx: TransactionSql, requests: readonly VerificationRequest[]) => Promise<void>,
  ): Promise<VerificationRequest[]> {
    const now = this.#deps.clock.now();
    const requests = phones.map((phone) => ({
      id: this.#deps.ids.next(),
      phone,
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
    }));
    await this.#deps.sql.begin(async (tx) => {
      // The account's row is the lock: requests at once are counted one after the other.
      await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
      await tx`DELETE FROM phone_verifications WHERE account_id = ${accountId} AND expires_at <= ${now}`;
      await this.#checkRoom(tx, accountId, phones, now);
      for (const { id, phone, token } of requests) {
        await tx`
          INSERT INTO phone_verifications (id, account_id, phone, landline, digest, expires_at)
          VALUES (${id}, ${accountId}, ${phone}, ${!takesSms(phone)}, ${digestOf(token)}, ${now + VERIFICATION_MS})`;
      }
      await also?.(tx, requests);
    });
    return requests;
  }

  /** Makes the check of `request` and nothing else. Throws the same Refusal. */
  async checkRequest(accountId: number, phones: readonly string[]): Promise<void> {
    await this.#checkRoom(this.#deps.sql, accountId, phones, this.#deps.clock.now());
  }

  /** Takes requests back whose messages could not be sent. */
  async withdraw(accountId: number, requests: readonly VerificationRequest[]): Promise<void> {
    await this.#deps.sql`
      DELETE FROM phone_verifications
      WHERE account_id = ${accountId} AND id = ANY(${numbers(requests.map(({ id }) => id))}::bigint[])`;
  }

  async #checkRoom(sql: Queryable, accountId: number, phones: readonly string[], now: number): Promise<void> {
    const [full] = await sql<{ phone: string }[]>`
      SELECT phone FROM phone_verifications
      WHERE account_id = ${accountId} AND phone = ANY(${texts(phones)}::text[]) AND expires_at > ${now}
      GROUP BY phone HAVING count(*) >= ${MAX_REQUESTS} LIMIT 1`;
    if (full) throw askedTooOften(full.phone);
  }

  /** What the link with this token is about; undefined for one that is unknown or too old. */
  async find(token: string): Promise<LinkedVerification | undefined> {
    if (!tokenShape.test(token)) return undefined;
    const [row] = await this.#deps.sql<LinkedVerification[]>`
      SELECT v.account_id AS "accountId", a.name AS "accountName", v.phone, v.landline,
        v.confirmed_at IS NOT NULL AS confirmed
      FROM phone_verifications v JOIN accounts a ON a.id = v.account_id
      WHERE v.digest = ${digestOf(token)} AND v.expires_at > ${this.#deps.clock.now()}`;
    return row;
  }

  /**
   * Finishes the verification of a mobile's link: its account may send from its number, and this and other links of the two have
   * no effect any more. False when this one had none.
   */
  async confirm(token: string): Promise<boolean> {
    if (!tokenShape.test(token)) return false;
    const now = this.#deps.clock.now();
    return this.#finish(
      (tx) => tx<Confirmed[]>`
        UPDATE phone_verifications v SET confirmed_at = ${now} FROM phone_verifications link
        WHERE link.digest = ${digestOf(token)} AND link.expires_at > ${now} AND link.confirmed_at IS NULL AND NOT link.landline
          AND v.account_id = link.account_id AND v.phone = link.phone AND v.confirmed_at IS NULL
        RETURNING v.account_id, v.phone`,
    );
  }

  /**
   * Finishes the requests of one account for a number (E.164 digits) on the word of somebody who knows that it is theirs:
   * the operator, who has called it. False when none waits.
   */
  async confirmPhone(accountId: number, phone: string): Promise<boolean> {
    const now = this.#deps.clock.now();
    return this.#finish(
      (tx) => tx<Confirmed[]>`
        UPDATE phone_verifications SET confirmed_at = ${now}
        WHERE account_id = ${accountId} AND phone = ${phone} AND expires_at > ${now} AND confirmed_at IS NULL
        RETURNING account_id, phone`,
    );
  }

  async #finish(confirm: (tx: Queryable) => Promise<readonly Confirmed[]>): Promise<boolean> {
    const done = await this.#deps.sql.begin(async (tx) => {
      const [row] = await confirm(tx);
      if (!row) return undefined;
      const { account_id: accountId, phone } = row;
      await this.#deps.sources.assign(tx, accountId, phone);
      await noteAnswered(tx, { accountId, kind: 'verification', phone }, this.#deps.clock.now());
      return row;
    });
    if (done) this.#deps.sources.forget(done.account_id);
    return done !== undefined;
  }

  /** Requests of an account that wait, for each number the last one, in the order of the numbers. */
  async waitingOf(
    accountId: number,
  ): Promise<Pick<WaitingVerification, 'phone' | 'landline' | 'expiresAt'>[]> {
    return this.#deps.sql<Pick<WaitingVerification, 'phone' | 'landline' | 'expiresAt'>[]>`
      SELECT phone, bool_and(landline) AS landline, max(expires_at) AS "expiresAt" FROM phone_verifications
      WHERE account_id = ${accountId} AND confirmed_at IS NULL AND expires_at > ${this.#deps.clock.now()}
      GROUP BY phone ORDER BY phone`;
  }

  /** Requests that wait, the oldest first; with `phone` (E.164 digits) only those for it. */
  async waiting(phone?: string): Promise<WaitingVerification[]> {
    return this.#deps.sql<WaitingVerification[]>`
      SELECT v.account_id AS "accountId", a.username, v.phone, v.landline,
        v.expires_at AS "expiresAt"
      FROM phone_verifications v JOIN accounts a ON a.id = v.account_id
      WHERE v.confirmed_at IS NULL AND v.expires_at > ${this.#deps.clock.now()}
        AND v.phone = coalesce(${phone ?? null}::text, v.phone)
      ORDER BY v.id`;
  }
}
