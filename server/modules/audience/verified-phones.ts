import { createHash, randomBytes } from 'node:crypto';
import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { takesSms } from '../../kit/numbers/line-types.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { noteAnswered } from '../fraud-guard/fraud-guard.ts';
import type { Sources } from './sources.ts';

/** Milliseconds that a link or a request is valid (decisions, "Single operations"). */
const VERIFICATION_MS = 24 * 3_600_000;
/**
 * Maximum number of requests of one account for one phone within that time: each may disturb a person who did not ask
 * for it.
 */
const MAX_REQUESTS = 5;

// 128 random bits: unguessable, and short enough for an SMS.
const TOKEN_BYTES = 16;
const tokenShape = /^[\w-]{22}$/;

/** A request that waits for confirmation. */
export interface VerificationRequest {
  readonly id: number;
  /** E.164 digits. */
  readonly phone: string;
  /**
   * Last part of the address of its page, returned only once. For a mobile it is a secret, for a landline it is not.
   */
  readonly token: string;
}

/** The verification that a link belongs to. */
export interface LinkedVerification {
  readonly accountId: number;
  /** E.164 digits. */
  readonly phone: string;
  /** Whether a spoken code confirms it, in place of a button. */
  readonly landline: boolean;
  readonly confirmed: boolean;
}

/** A waiting request, for the operator. */
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

/** Returns the refusal for a number (E.164 digits) that was requested too often within a day. */
export const askedTooOften = (phone: string) =>
  new Refusal(
    'not-now',
    `${displayNumber(phone)} was asked for ${MAX_REQUESTS} times within 24 hours, try again later`,
    'phone',
    { reason: 'asked-too-often', params: { max: MAX_REQUESTS } },
  );

interface VerifiedPhonesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly sources: Sources;
}

/** Requests of accounts to send from their own numbers, until the owner of the number confirms them. */
export class VerifiedPhones {
  readonly #deps: VerifiedPhonesDeps;

  constructor(deps: VerifiedPhonesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a request for each of these numbers (E.164 digits, without duplicates), all or none, and runs `also` in the
   * same transaction. Throws Refusal `not-now` if a number was requested too often.
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
      // The account's row is the lock, so that parallel requests are counted one after another.
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

  /** Runs only the check of `request`. Throws the same Refusal. */
  async checkRequest(accountId: number, phones: readonly string[]): Promise<void> {
    await this.#checkRoom(this.#deps.sql, accountId, phones, this.#deps.clock.now());
  }

  /** Deletes requests whose messages could not be sent. */
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

  /** Returns the verification of the link with this token; undefined for an unknown or expired token. */
  async find(token: string): Promise<LinkedVerification | undefined> {
    if (!tokenShape.test(token)) return undefined;
    const [row] = await this.#deps.sql<LinkedVerification[]>`
      SELECT account_id AS "accountId", phone, landline, confirmed_at IS NOT NULL AS confirmed
      FROM phone_verifications WHERE digest = ${digestOf(token)} AND expires_at > ${this.#deps.clock.now()}`;
    return row;
  }

  /**
   * Finishes the verification of a mobile by its link: the account may send from the number, and all links for the same
   * account and number become invalid. Returns false if the link was invalid.
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
   * Finishes the requests of one account for a number (E.164 digits). For the operator, who has verified the owner by a
   * call. Returns false if no request waits.
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

  /** Returns the waiting requests of an account, the last one for each number, ordered by number. */
  async waitingOf(
    accountId: number,
  ): Promise<Pick<WaitingVerification, 'phone' | 'landline' | 'expiresAt'>[]> {
    return this.#deps.sql<Pick<WaitingVerification, 'phone' | 'landline' | 'expiresAt'>[]>`
      SELECT phone, bool_and(landline) AS landline, max(expires_at) AS "expiresAt" FROM phone_verifications
      WHERE account_id = ${accountId} AND confirmed_at IS NULL AND expires_at > ${this.#deps.clock.now()}
      GROUP BY phone ORDER BY phone`;
  }

  /** Returns waiting requests, oldest first; with `phone` (E.164 digits) only those for this number. */
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
