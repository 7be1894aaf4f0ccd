import { createHash, randomBytes } from 'node:crypto';
import { commonScopes, type TokenScope, tokenScopes } from '../../api/access/scopes.ts';
import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { TokenUses } from './token-uses.ts';

/** Maximum number of valid tokens of an account, for each kind (decisions, "Sign-in"). */
export const ACTIVE_TOKENS = 5;

const CACHE_MS = 2_000;
const CACHE_ENTRIES = 10_000;
/** Longest token kept as cache key as it is; longer ones are hashed. Our tokens have 57 characters at most. */
const LONGEST_KEY = 64;

/** Kind of a token. A token of one kind is invalid for another. */
type TokenKind = 'api' | 'mail' | 'mail-session';

/** Prefixes of tokens, by which people and scanners for leaked secrets recognise them. */
const prefixes: Record<TokenKind, string> = {
  api: 'carillon_',
  mail: 'carillon_mail_',
  'mail-session': 'carillon_mail_',
};

/** Rights of a token. */
export interface TokenGrant {
  readonly id: number;
  readonly accountId: number;
  /** Milliseconds since the epoch; null: does not expire. */
  readonly expiresAt: number | null;
  /** Scopes of an API token; empty for other kinds. */
  readonly scopes: readonly TokenScope[];
}

/** A token as its account sees it. Times in milliseconds since the epoch. */
export interface TokenInfo {
  readonly id: number;
  readonly label: string;
  readonly createdAt: number;
  /** null: does not expire. */
  readonly expiresAt: number | null;
  /** Up to some seconds old; null: never used. */
  readonly lastUsedAt: number | null;
  /** Scopes of an API token; empty for other kinds. */
  readonly scopes: readonly TokenScope[];
  /** The token that created it; null: a person or the command line did. */
  readonly madeBy: number | null;
}

/** Properties of a new token. */
export interface NewToken {
  readonly label?: string;
  /** Milliseconds since the epoch; null: does not expire. */
  readonly expiresAt?: number | null;
  /** The token itself, for the sandbox's demo account; without it, a random one. */
  readonly preset?: string;
  /** Scopes of an API token; without them, all scopes. */
  readonly scopes?: readonly TokenScope[];
  /** The id of the token that creates it: the new one has at most its scopes, and is revoked with it. */
  readonly madeBy?: number;
  /**
   * For a token that `getApiToken` creates. At the maximum number of valid tokens, it retires the tokens of this kind
   * with the oldest last use (decisions, section 8), but neither the calling token nor a token that a person created.
   */
  readonly issue?: {
    /** The calling account. */
    readonly by: number;
    readonly onRetire: (tx: Queryable, retired: RetiredToken) => Promise<void>;
  };
}

/** A token that was retired for a new one. Times in milliseconds since the epoch. */
interface RetiredToken {
  readonly id: number;
  readonly createdAt: number;
  /** null: never. */
  readonly lastUsedAt: number | null;
}

/** The account has the maximum number of valid tokens. */
export class TooManyTokens extends Error {
  /** The maximum number. */
  readonly max: number;

  constructor(max: number) {
    super(`${max} tokens are valid already`);
    this.max = max;
  }
}

/** The token that creates another one was revoked. */
export class MakerRevoked extends Error {}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** Cache key of a token. Attackers may send long tokens, so the key of one is the digest, which is longer than LONGEST_KEY. */
const keyOf = (token: string) =>
  token.length > LONGEST_KEY ? `sha256 ${digestOf(token).toString('hex')}` : token;

/** Returns the digest of a token in hex, from its cache key. */
const digestIn = (key: string) =>
  key.length > LONGEST_KEY ? key.slice(key.indexOf(' ') + 1) : digestOf(key).toString('hex');

export interface TokensDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly tokenUses: Pick<TokenUses, 'note' | 'flush'>;
}

interface TokenOptions {
  readonly kind?: TokenKind;
  /** Maximum number of valid tokens of an account. */
  readonly most?: number;
  /** Whether a new token above the maximum revokes the oldest one, in place of an error. */
  readonly replaces?: boolean;
}

/** Bearer tokens of one kind: a prefix and 256 random bits. The token is shown once and stored as a digest. */
export class Tokens {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #uses: Pick<TokenUses, 'note' | 'flush'>;
  readonly #kind: TokenKind;
  readonly #most: number;
  readonly #replaces: boolean;
  readonly #grants = new BatchedLookup({
    read: (keys: readonly string[]) => this.#read(keys),
    // A guessed token costs the database one look-up.
    cache: { maxAgeMs: CACHE_MS, max: CACHE_ENTRIES, withAbsent: true },
  });

  constructor({ sql, ids, clock, tokenUses }: TokensDeps, options: TokenOptions = {}) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
    this.#uses = tokenUses;
    this.#kind = options.kind ?? 'api';
    this.#most = options.most ?? ACTIVE_TOKENS;
    this.#replaces = options.replaces ?? false;
  }

  /**
   * Creates a token for an account and returns it; it cannot be read again. Throws TooManyTokens at the maximum number
   * of valid tokens, MakerRevoked, and Refusal `try-again` if another statement uses the token to retire.
   */
  async mint(accountId: number, options: NewToken = {}): Promise<{ id: number; token: string }> {
    const token = options.preset ?? prefixes[this.#kind] + randomBytes(32).toString('base64url');
    const id = this.#ids.next();
    const now = this.#clock.now();
    const { issue } = options;
    // Uses of the last seconds are not written yet; without them a token would seem unused.
    if (issue) await this.#uses.flush();
    await this.#sql.begin(async (tx) => {
      // The account's row is the lock: two parallel requests cannot both create the last permitted token.
      await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
      const scopes = await this.#scopesOf(tx, options);
      if (this.#replaces) await this.#makeRoom(tx, accountId, now);
      else if (issue) {
        for (const retired of await this.#retire(tx, accountId, now, options.madeBy))
          await issue.onRetire(tx, retired);
      } else await this.#checkRoom(tx, accountId, now);
      await tx`
        INSERT INTO tokens (id, digest, account_id, kind, label, created_at, expires_at, scopes, made_by, issued_by)
        VALUES (${id}, ${digestOf(token)}, ${accountId}, ${this.#kind}, ${options.label ?? ''}, ${now},
          ${options.expiresAt ?? null}, ${scopes}::text[], ${options.madeBy ?? null}, ${issue?.by ?? null})`;
    });
    if (issue) this.#grants.clear();
    // An earlier request with a preset token has cached it as unknown.
    else this.#grants.forget(keyOf(token));
    return { id, token };
  }

  /** The scopes of a new token. Its maker is locked, so that it is not revoked before the new one can be found. */
  async #scopesOf(tx: TransactionSql, { scopes, madeBy }: NewToken): Promise<TokenScope[]> {
    if (this.#kind !== 'api') return [];
    const wanted = scopes ?? tokenScopes;
    if (madeBy === undefined) return [...wanted];
    const [maker] = await tx<{ scopes: TokenScope[] }[]>`
      SELECT scopes FROM tokens WHERE id = ${madeBy} AND revoked_at IS NULL FOR SHARE`;
    if (!maker) throw new MakerRevoked('the requesting token was revoked');
    return commonScopes(wanted, maker.scopes);
  }

  /** Runs only the check that `mint` makes with `issue`. Throws TooManyTokens. */
  async checkIssue(accountId: number, makerId: number | undefined): Promise<void> {
    const { active, retirable } = await this.#count(this.#sql, accountId, this.#clock.now(), makerId);
    if (active - retirable >= this.#most) throw this.#tooMany();
  }

  async #checkRoom(sql: Queryable, accountId: number, now: number): Promise<void> {
    const { active } = await this.#count(sql, accountId, now);
    if (active >= this.#most) throw this.#tooMany();
  }

  #tooMany(): TooManyTokens {
    return new TooManyTokens(this.#most);
  }

  /** Counts the valid tokens of an account, and those that `makerId` may retire. */
  async #count(sql: Queryable, accountId: number, now: number, makerId: number | undefined = undefined) {
    const [row] = await sql<{ active: number; retirable: number }[]>`
      SELECT count(*)::int AS active,
        count(*) FILTER (WHERE issued_by IS NOT NULL AND id IS DISTINCT FROM ${makerId ?? null}::bigint)::int AS retirable
      FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${now})`;
    return row!;
  }

  /**
   * Revokes as many tokens of `getApiToken` as one more needs. Tokens that these created keep their creators and are
   * revoked with the first of them. Throws TooManyTokens.
   */
  async #retire(
    tx: TransactionSql,
    accountId: number,
    now: number,
    makerId: number | undefined,
  ): Promise<RetiredToken[]> {
    const { active, retirable } = await this.#count(tx, accountId, now, makerId);
    const surplus = active - this.#most + 1;
    if (surplus <= 0) return [];
    if (retirable < surplus) throw this.#tooMany();
    // Skips locked rows: waiting here, with the creator's row locked, could deadlock with a revocation or with
    // TokenUses.
    const found = await tx<RetiredToken[]>`
      SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND issued_by IS NOT NULL AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${now}) AND id IS DISTINCT FROM ${makerId ?? null}::bigint
      ORDER BY coalesce(last_used_at, created_at), id LIMIT ${surplus} FOR UPDATE SKIP LOCKED`;
    if (found.length < surplus) throw new Refusal('try-again', 'tokens are being changed, try again');
    await tx`
      UPDATE tokens SET revoked_at = ${now} WHERE id = ANY(${numbers(found.map(({ id }) => id))}::bigint[])`;
    return found;
  }

  async #makeRoom(tx: TransactionSql, accountId: number, now: number): Promise<void> {
    await tx`
      UPDATE tokens SET revoked_at = ${now} WHERE id = ANY(ARRAY(
        SELECT id FROM tokens
        WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL AND expires_at > ${now}
        ORDER BY id DESC OFFSET ${this.#most - 1}))`;
  }

  /** Returns the grant of `token`, also of an expired one; null if the token is unknown or revoked. */
  async find(token: string): Promise<TokenGrant | null> {
    const grant = await this.#grants.get(keyOf(token));
    if (!grant) return null;
    const now = this.#clock.now();
    if (grant.expiresAt === null || grant.expiresAt > now) this.#uses.note(grant.id, now);
    return grant;
  }

  /** Reads the grants of tokens by their cache keys, without unknown and revoked ones. */
  async #read(keys: readonly string[]): Promise<Map<string, TokenGrant>> {
    const keysByDigest = new Map(keys.map((key) => [digestIn(key), key]));
    const rows = await this.#sql<
      { digest: string; id: number; account_id: number; expires_at: number | null; scopes: TokenScope[] }[]
    >`
      SELECT encode(digest, 'hex') AS digest, id, account_id, expires_at, scopes FROM tokens
      WHERE digest = ANY(${texts([...keysByDigest.keys()].map((digest) => `\\x${digest}`))}::bytea[])
        AND kind = ${this.#kind} AND revoked_at IS NULL`;
    return new Map(
      rows.map(({ digest, id, account_id: accountId, expires_at: expiresAt, scopes }) => [
        keysByDigest.get(digest)!,
        { id, accountId, expiresAt, scopes },
      ]),
    );
  }

  /** Gives an API token every scope. Other processes notice within two seconds. */
  async allowAll(id: number): Promise<void> {
    await this.#sql`
      UPDATE tokens SET scopes = ${[...tokenScopes]}::text[] WHERE id = ${id} AND kind = ${this.#kind}`;
    this.#grants.clear();
  }

  /** Returns the tokens of an account that were not revoked, expired ones too, oldest first. */
  async list(accountId: number): Promise<TokenInfo[]> {
    return this.#sql<TokenInfo[]>`
      SELECT id, label, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", scopes,
        made_by AS "madeBy"
      FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL ORDER BY id`;
  }

  /** Returns the expiry of the newest valid token; undefined if the account has no valid token. */
  async current(accountId: number): Promise<{ expiresAt: number | null } | undefined> {
    const [row] = await this.#sql<{ expires_at: number | null }[]>`
      SELECT expires_at FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${this.#clock.now()})
      ORDER BY id DESC LIMIT 1`;
    return row && { expiresAt: row.expires_at };
  }

  /**
   * Revokes a token and those that it created; with `accountId`, only a token of that account and of this kind. Returns
   * false if no such valid token exists. Other processes notice within two seconds.
   */
  async revoke(id: number, accountId?: number): Promise<boolean> {
    const now = this.#clock.now();
    const ended = await this.#sql.begin(async (tx) => {
      const found = await tx<{ id: number }[]>`
        UPDATE tokens SET revoked_at = ${now}
        WHERE id = ${id} AND revoked_at IS NULL
          AND (${accountId ?? null}::bigint IS NULL OR (account_id = ${accountId ?? null} AND kind = ${this.#kind}))
        RETURNING id`;
      await revokeMadeBy(tx, found, now);
      return found.length === 1;
    });
    this.#grants.clear();
    return ended;
  }
}

/**
 * Revokes the API tokens that `getApiToken` created for the account's password, for itself or a subscriber, with those
 * that they created. `now` in milliseconds since the epoch.
 */
export async function revokeIssuedByPassword(tx: Queryable, accountId: number, now: number): Promise<void> {
  const issued = await tx<{ id: number }[]>`
    UPDATE tokens SET revoked_at = coalesce(revoked_at, ${now})
    WHERE issued_by = ${accountId} AND made_by IS NULL
    RETURNING id`;
  await revokeMadeBy(tx, issued, now);
}

/**
 * Revokes all tokens that these tokens created, directly or through others, also through tokens that had ended before.
 */
async function revokeMadeBy(tx: Queryable, tokens: readonly { id: number }[], now: number): Promise<void> {
  // A statement does not see tokens created while it waits for the creator's row, so each generation needs its own
  // statement.
  for (let makers = tokens.map(({ id }) => id); makers.length > 0; ) {
    const made = await tx<{ id: number }[]>`
      UPDATE tokens SET revoked_at = coalesce(revoked_at, ${now})
      WHERE made_by = ANY(${numbers(makers)}::bigint[])
      RETURNING id`;
    makers = made.map(({ id }) => id);
  }
}
