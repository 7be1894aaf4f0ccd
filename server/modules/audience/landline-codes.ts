import { createHmac, randomInt } from 'node:crypto';
import type { Context } from '../../kit/context.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import { noteAnswered } from '../fraud-guard/fraud-guard.ts';
import type { Sources } from './sources.ts';
import type { VerifiedPhones } from './verified-phones.ts';

/** Maximum number of calls for one request. */
export const MAX_CALLS = 3;
/** Maximum number of calls to one number, for all its waiting and confirmed requests of all accounts. */
export const MAX_CALLS_TO_NUMBER = 10;
/** Number of attempts to enter the code after a call. */
export const MAX_TRIES = 3;
/** Minimum milliseconds between two calls for one account and number. */
const CALL_PAUSE_MS = 60_000;

/** A call to make, with the code to speak. */
export interface LandlineCall {
  readonly requestId: number;
  readonly accountId: number;
  readonly code: string;
}

/** Result of a search for calls to make. */
type CallsDue =
  /** No request waits for the number. */
  | { readonly kind: 'unknown' }
  /** The maximum of calls is reached, or the last call was a moment ago. */
  | { readonly kind: 'limit' }
  | { readonly kind: 'calls'; readonly calls: readonly LandlineCall[] };

interface WaitingRow {
  id: number;
  account_id: number;
  confirmed_at: number | null;
  calls: number;
  called_at: number | null;
}

interface LandlineCodesDeps extends Pick<Context, 'sql' | 'clock' | 'secrets'> {
  readonly sources: Sources;
  readonly verifiedPhones: Pick<VerifiedPhones, 'find'>;
}

/**
 * Codes that verify landlines: a call to the number speaks a code, and the person with the page of the request enters
 * it there. Only a person at the telephone hears the code, whereas anybody can forge a caller's number.
 */
export class LandlineCodes {
  readonly #deps: LandlineCodesDeps;
  #key: Promise<Buffer> | undefined;

  constructor(deps: LandlineCodesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the calls to make to a landline (E.164 digits), one for each account that waits for it, each with a new
   * code. The calls are counted in the same transaction, under the lock of all requests for the number, so that
   * parallel requests cannot exceed the limit.
   */
  async takeCalls(phone: string): Promise<CallsDue> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    return sql.begin(async (tx): Promise<CallsDue> => {
      const rows = await tx<WaitingRow[]>`
        SELECT id, account_id, confirmed_at, calls, called_at FROM phone_verifications
        WHERE phone = ${phone} AND landline AND expires_at > ${now} ORDER BY id FOR UPDATE`;
      const waiting = Map.groupBy(
        rows.filter((row) => row.confirmed_at === null),
        (row) => row.account_id,
      );
      if (waiting.size === 0) return { kind: 'unknown' };
      let left = MAX_CALLS_TO_NUMBER - rows.reduce((sum, row) => sum + row.calls, 0);
      const calls: LandlineCall[] = [];
      for (const [accountId, requests] of waiting) {
        const newest = requests.at(-1)!;
        const calledAt = Math.max(...requests.map((row) => row.called_at ?? 0));
        if (left <= 0 || newest.calls >= MAX_CALLS || now - calledAt < CALL_PAUSE_MS) continue;
        const code = String(randomInt(100_000, 1_000_000));
        await tx`
          UPDATE phone_verifications SET calls = calls + 1, called_at = ${now}, tries_left = ${MAX_TRIES},
            code_digest = ${await this.#digest(accountId, phone, code)}
          WHERE id = ${newest.id}`;
        // If an account has several requests, only the code of the last call is valid.
        await tx`
          UPDATE phone_verifications SET code_digest = NULL, tries_left = 0
          WHERE account_id = ${accountId} AND phone = ${phone} AND id <> ${newest.id}`;
        calls.push({ requestId: newest.id, accountId, code });
        left--;
      }
      return calls.length === 0 ? { kind: 'limit' } : { kind: 'calls', calls };
    });
  }

  /** Uncounts a call that could not be accepted. */
  async giveBack({ requestId }: LandlineCall): Promise<void> {
    await this.#deps.sql`
      UPDATE phone_verifications SET calls = calls - 1, called_at = NULL, code_digest = NULL, tries_left = 0
      WHERE id = ${requestId} AND confirmed_at IS NULL AND calls > 0`;
  }

  /**
   * Checks the code of a landline, entered on the page with this token, and finishes the verification if the code is
   * right. One statement checks and counts, so that parallel requests cannot exceed the number of attempts.
   */
  async enter(token: string, code: string): Promise<boolean> {
    const { sql, clock, sources, verifiedPhones } = this.#deps;
    const now = clock.now();
    const found = await verifiedPhones.find(token);
    if (!found?.landline || !/^\d{6}$/.test(code)) return false;
    const { accountId, phone } = found;
    const digest = await this.#digest(accountId, phone, code);
    const right = await sql.begin(async (tx) => {
      const [row] = await tx<{ right: boolean }[]>`
        UPDATE phone_verifications SET
          tries_left = CASE WHEN code_digest = ${digest} THEN 0 ELSE tries_left - 1 END,
          confirmed_at = CASE WHEN code_digest = ${digest} THEN ${now}::bigint END
        WHERE account_id = ${accountId} AND phone = ${phone} AND landline AND code_digest IS NOT NULL
          AND tries_left > 0 AND expires_at > ${now} AND confirmed_at IS NULL
        RETURNING confirmed_at IS NOT NULL AS "right"`;
      if (!row?.right) return false;
      await tx`
        UPDATE phone_verifications SET confirmed_at = ${now}
        WHERE account_id = ${accountId} AND phone = ${phone} AND expires_at > ${now} AND confirmed_at IS NULL`;
      await sources.assign(tx, accountId, phone);
      await noteAnswered(tx, { accountId, kind: 'verification', phone }, now);
      return true;
    });
    if (right) sources.forget(accountId);
    return right;
  }

  /** HMAC-SHA256 under a key of this installation, so that a copy of the table reveals no code. */
  async #digest(accountId: number, phone: string, code: string): Promise<Buffer> {
    this.#key ??= installationKey(this.#deps.sql, this.#deps.secrets, 'landline').catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.#key)
      .update(`${accountId}/${phone}/${code}`)
      .digest();
  }
}
