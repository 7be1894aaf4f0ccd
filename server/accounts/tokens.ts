import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { commonScopes, type TokenScope, tokenScopes } from '../access/scopes.ts';
import type { Clock } from '../clock.ts';
import type { Context } from '../context.ts';
import { numbers, texts } from '../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { IdSource } from '../ids.ts';
import type { TokenUses } from './token-uses.ts';

/** At most so many tokens of an account are valid at once, of each kind (decisions, "Sign-in"). */
export const ACTIVE_TOKENS = 5;

const CACHE_MS = 2_000;
const CACHE_ENTRIES = 10_000;
/** Of one statement. */
const LOOKED_UP = 1_000;
/** A look-up that takes longer, mostly since its connection is stuck, is not waited for by the next one. */
const LOOK_MS = 250;
/** Characters of a token that is kept as it is; ours have 57 at most. */
const LONGEST_KEY = 64;

/** What tokens are for: one of a kind is none of another. */
type TokenKind = 'api' | 'mail' | 'mail-session';

/** What tokens begin with, so that people and scanners for leaked secrets know what one is. */
const prefixes: Record<TokenKind, string> = {
  api: 'carillon_',
  mail: 'carillon_mail_',
  'mail-session': 'carillon_mail_',
};

/** A token as it was read. */
interface KnownToken {
  readonly digest: Buffer;
  /** null: it is unknown. */
  readonly grant: TokenGrant | null;
  /** When, monotonic milliseconds. */
  readonly at: number;
  /** Whether it was used since. */
  isUsed: boolean;
}

/** Tokens that are looked up together when the look-up before them is back. */
interface NextLook {
  /** Their digests, by what they are called in the cache. */
  readonly wanted: Map<string, Buffer>;
  /** What they stand for, by the digest in hex. */
  readonly grants: Promise<ReadonlyMap<string, TokenGrant>>;
}

/** What a token stands for. */
export interface TokenGrant {
  readonly id: number;
  readonly accountId: number;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt: number | null;
  /** What an API token may be used for; of other kinds empty. */
  readonly scopes: readonly TokenScope[];
}

/** A token as its account sees it. Times in milliseconds since the epoch. */
export interface TokenInfo {
  readonly id: number;
  readonly label: string;
  readonly createdAt: number;
  /** null: never. */
  readonly expiresAt: number | null;
  /** Some seconds behind; null: never. */
  readonly lastUsedAt: number | null;
  /** What an API token may be used for; of other kinds empty. */
  readonly scopes: readonly TokenScope[];
  /** The token that asked for it; null: a person did, or the command line. */
  readonly madeBy: number | null;
}

/** A token to be made. */
export interface NewToken {
  readonly label?: string;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt?: number | null;
  /** For the sandbox's demo account. */
  readonly preset?: string;
  /** Of an API token; all of them without it. */
  readonly scopes?: readonly TokenScope[];
  /** The id of the token that asks: the new one has at most its scopes, and is revoked with it. */
  readonly madeBy?: number;
  /**
   * For a token that `getApiToken` makes: where as many as may be are valid, it retires the tokens of this kind that were
   * unused the longest (decisions, section 8). Never the one that asks, and never one that a person made.
   */
  readonly issue?: {
    /** The account that asks. */
    readonly by: number;
    readonly onRetire: (tx: Queryable, retired: RetiredToken) => Promise<void>;
  };
}

/** A token that gave its place to another. Times in milliseconds since the epoch. */
interface RetiredToken {
  readonly id: number;
  readonly createdAt: number;
  /** null: never. */
  readonly lastUsedAt: number | null;
}

/** An account has five valid tokens already. */
export class TooManyTokens extends Error {}

/** The token that asks for another one was revoked. */
export class MakerRevoked extends Error {}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** What a token is called in the cache: who guesses may send long ones. */
const keyOf = (token: string) => (token.length > LONGEST_KEY ? digestOf(token).toString('base64') : token);

export interface TokensDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly tokenUses: Pick<TokenUses, 'note' | 'flush'>;
}

interface TokenOptions {
  readonly kind?: TokenKind;
  /** How many of an account are valid at once. */
  readonly most?: number;
  /** Whether one more ends the oldest, and is not refused. */
  readonly replaces?: boolean;
}

/** Bearer tokens of one kind: a prefix and 256 random bits, shown once and kept as a digest. */
export class Tokens {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #uses: Pick<TokenUses, 'note' | 'flush'>;
  readonly #kind: TokenKind;
  readonly #most: number;
  readonly #replaces: boolean;
  /** Replaced by an empty one when a token ends, so that a look-up from before that fills the old one. */
  #cache = new Map<string, KnownToken>();
  #looking: Promise<unknown> = Promise.resolve();
  #next: NextLook | undefined;

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
   * Makes a token for an account and returns it, the only time that it is seen. Throws TooManyTokens when as many as may
   * be are valid, MakerRevoked, and Refusal `try-again` when the token to retire is in use by another statement.
   */
  async mint(accountId: number, options: NewToken = {}): Promise<{ id: number; token: string }> {
    const token = options.preset ?? prefixes[this.#kind] + randomBytes(32).toString('base64url');
    const id = this.#ids.next();
    const now = this.#clock.now();
    const { issue } = options;
    // What was used in the last seconds is not written yet, and must not seem unused.
    if (issue) await this.#uses.flush();
    await this.#sql.begin(async (tx) => {
      // The account's row is the lock: two requests at once cannot both make the fifth.
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
    if (issue) this.#cache = new Map();
    // Who asked for a preset one before has made it an unknown one.
    else this.#cache.delete(keyOf(token));
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

  /** Makes the check that `mint` makes with `issue`, and nothing else. Throws TooManyTokens. */
  async checkIssue(accountId: number, makerId: number | undefined): Promise<void> {
    const { active, retirable } = await this.#count(this.#sql, accountId, this.#clock.now(), makerId);
    if (active - retirable >= this.#most) throw this.#tooMany();
  }

  async #checkRoom(sql: Queryable, accountId: number, now: number): Promise<void> {
    const { active } = await this.#count(sql, accountId, now);
    if (active >= this.#most) throw this.#tooMany();
  }

  #tooMany(): TooManyTokens {
    return new TooManyTokens(`${this.#most} tokens are valid already`);
  }

  /** How many tokens of an account are valid, and how many of these one that `makerId` asks for may retire. */
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
   * Ends as many tokens of `getApiToken` as it takes for one more, those alone: what they made keeps its makers and is
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
    // Waiting for a row here, with that of the maker locked, could deadlock with a revocation or with TokenUses.
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

  /** What `token` stands for, whether expired or not; null when it is unknown or revoked. */
  async find(token: string): Promise<TokenGrant | null> {
    const key = keyOf(token);
    const known = this.#cache.get(key);
    const now = performance.now();
    if (known && now - known.at < CACHE_MS) {
      known.isUsed = true;
      return this.#use(known.grant);
    }
    const digest = digestOf(token);
    const grants = await this.#look(key, digest);
    return this.#use(grants.get(digest.toString('hex')) ?? null);
  }

  /**
   * Looks a token up with all others that are asked for before the look-up under way is back. Each by itself, a thousand
   * accounts that send in turns took 100 µs of the server and 10 of PostgreSQL for a message, as each of 50 requests asked for
   * the same thousand tokens.
   */
  #look(key: string, digest: Buffer): Promise<ReadonlyMap<string, TokenGrant>> {
    if (!this.#next) {
      const wanted = new Map<string, Buffer>();
      const grants = this.#looking.then(() => {
        this.#next = undefined;
        return this.#lookUp(wanted);
      });
      this.#next = { wanted, grants };
      this.#looking = Promise.race([grants.catch(() => {}), pause(LOOK_MS, undefined, { ref: false })]);
    }
    this.#next.wanted.set(key, digest);
    return this.#next.grants;
  }

  /** What these tokens stand for; with them, others in use that would be asked for soon are looked up. */
  async #lookUp(wanted: Map<string, Buffer>): Promise<ReadonlyMap<string, TokenGrant>> {
    const cache = this.#cache;
    const now = performance.now();
    const looked = new Map(wanted);
    for (const [other, { digest, at, isUsed }] of cache) {
      if (looked.size >= LOOKED_UP) break;
      if (isUsed && now - at >= CACHE_MS / 2) looked.set(other, digest);
    }
    const grants = await this.#read([...looked.values()]);
    // Unknown tokens are kept too, so that guessing costs the database one look each; the bound keeps memory.
    if (cache.size >= CACHE_ENTRIES) cache.clear();
    for (const [one, digest] of looked) {
      const grant = grants.get(digest.toString('hex')) ?? null;
      cache.set(one, { digest, grant, at: now, isUsed: wanted.has(one) });
    }
    return grants;
  }

  /** What tokens with these digests stand for, by the digest in hex; those that are unknown or revoked are left out. */
  async #read(digests: readonly Buffer[]): Promise<Map<string, TokenGrant>> {
    const rows = await this.#sql<
      { digest: string; id: number; account_id: number; expires_at: number | null; scopes: TokenScope[] }[]
    >`
      SELECT encode(digest, 'hex') AS digest, id, account_id, expires_at, scopes FROM tokens
      WHERE digest = ANY(${texts(digests.map((digest) => `\\x${digest.toString('hex')}`))}::bytea[])
        AND kind = ${this.#kind} AND revoked_at IS NULL`;
    return new Map(
      rows.map(({ digest, id, account_id: accountId, expires_at: expiresAt, scopes }) => [
        digest,
        { id, accountId, expiresAt, scopes },
      ]),
    );
  }

  /** Gives an API token every scope. Other processes notice within two seconds. */
  async allowAll(id: number): Promise<void> {
    await this.#sql`
      UPDATE tokens SET scopes = ${[...tokenScopes]}::text[] WHERE id = ${id} AND kind = ${this.#kind}`;
    this.#cache = new Map();
  }

  /** The tokens of an account that were not revoked, those that have expired too, oldest first. */
  async list(accountId: number): Promise<TokenInfo[]> {
    return this.#sql<TokenInfo[]>`
      SELECT id, label, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", scopes,
        made_by AS "madeBy"
      FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL ORDER BY id`;
  }

  #use(grant: TokenGrant | null): TokenGrant | null {
    if (!grant) return null;
    const now = this.#clock.now();
    if (grant.expiresAt === null || grant.expiresAt > now) this.#uses.note(grant.id, now);
    return grant;
  }

  /** The newest valid token's expiry; undefined when the account has none. */
  async current(accountId: number): Promise<{ expiresAt: number | null } | undefined> {
    const [row] = await this.#sql<{ expires_at: number | null }[]>`
      SELECT expires_at FROM tokens
      WHERE account_id = ${accountId} AND kind = ${this.#kind} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${this.#clock.now()})
      ORDER BY id DESC LIMIT 1`;
    return row && { expiresAt: row.expires_at };
  }

  /**
   * Ends a token and those that it made, with `accountId` only one of that account and of this kind. False when there is
   * no such valid one. Other processes notice within two seconds.
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
    this.#cache = new Map();
    return ended;
  }
}

/**
 * Ends the API tokens that the password of an account made by `getApiToken`, for itself or a subscriber, with those that
 * they made. `now` in milliseconds since the epoch.
 */
export async function revokeIssuedByPassword(tx: Queryable, accountId: number, now: number): Promise<void> {
  const issued = await tx<{ id: number }[]>`
    UPDATE tokens SET revoked_at = coalesce(revoked_at, ${now})
    WHERE issued_by = ${accountId} AND made_by IS NULL
    RETURNING id`;
  await revokeMadeBy(tx, issued, now);
}

/** Ends what these tokens made, and what that made, also by way of tokens that had ended before. */
async function revokeMadeBy(tx: Queryable, tokens: readonly { id: number }[], now: number): Promise<void> {
  // A statement sees no token that is being made while it waits for the maker's row, so each generation has its own.
  for (let makers = tokens.map(({ id }) => id); makers.length > 0; ) {
    const made = await tx<{ id: number }[]>`
      UPDATE tokens SET revoked_at = coalesce(revoked_at, ${now})
      WHERE made_by = ANY(${numbers(makers)}::bigint[])
      RETURNING id`;
    makers = made.map(({ id }) => id);
  }
}
