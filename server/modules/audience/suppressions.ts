import { createHash } from 'node:crypto';
import { inStatements, texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row, Sql, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { installationKey } from '../../secrets/installation-keys.ts';

const PURPOSE = 'suppressions';

/**
 * Opt-outs that outlive an erasure. Only a digest of the number or address is kept, with a key of the installation: it
 * does not reveal the person but recognises them if somebody writes to them again (docs/data.md, "Who asked for no
 * messages").
 */
export class Suppressions {
  readonly #sql: Sql;
  readonly #secrets: Context['secrets'];
  #key: Promise<Buffer> | undefined;

  constructor({ sql, secrets }: Pick<Context, 'sql' | 'secrets'>) {
    this.#sql = sql;
    this.#secrets = secrets;
  }

  /** Stores numbers (E.164 digits), addresses (in their normalised form) or chat ids. */
  async add(
    tx: TransactionSql,
    accountId: number,
    identifiers: readonly string[],
    requestId: number,
  ): Promise<void> {
    const key = await this.key();
    for (const identifier of identifiers) {
      await tx`
        INSERT INTO suppressions (account_id, digest, request_id, at)
        SELECT w.account_id, ${digestOf(key, identifier)}, ${requestId}, ${Date.now()} FROM wallets w
        WHERE w.account_id = ${accountId}
        ON CONFLICT ON CONSTRAINT suppressions_pkey DO NOTHING`;
    }
  }

  /** Returns those of these identifiers that are stored. */
  async has(
    accountId: number,
    identifiers: readonly string[],
    sql: Queryable = this.#sql,
  ): Promise<Set<string>> {
    const found = new Set<string>();
    const key = await this.key();
    for (const some of inStatements(identifiers)) {
      const rows = await sql<{ identifier: string }[]>`
        SELECT u.identifier FROM unnest(${texts(some)}::text[]) AS u (identifier)
        WHERE ${this.isSuppressed(sql, accountId, key)}`;
      for (const { identifier } of rows) found.add(identifier);
    }
    return found;
  }

  /**
   * SQL condition: `u.identifier` is stored. An account without entries costs one look-up and no digests. `key` comes
   * from `key()` and is passed in, because awaiting this query fragment would send it.
   */
  isSuppressed(sql: Queryable, accountId: number, key: Buffer): Query<Row[]> {
    return sql`EXISTS (SELECT 1 FROM suppressions WHERE account_id = ${accountId})
      AND EXISTS (
        SELECT 1 FROM suppressions s
        WHERE s.account_id = ${accountId} AND s.digest = sha256(${key} || convert_to(u.identifier, 'UTF8')))`;
  }

  /** Deletes the stored ones of these identifiers, because these people want messages again. Returns them. */
  async remove(tx: TransactionSql, accountId: number, identifiers: readonly string[]): Promise<string[]> {
    const there = [...(await this.has(accountId, identifiers, tx))];
    const key = await this.key();
    for (const identifier of there) {
      await tx`
        DELETE FROM suppressions WHERE account_id = ${accountId} AND digest = ${digestOf(key, identifier)}`;
    }
    return there;
  }

  /** The key of the digests `sha256(key || identifier)`. The database computes them too. */
  key(): Promise<Buffer> {
    this.#key ??= installationKey(this.#sql, this.#secrets, PURPOSE).catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }
}

/** Returns the digest of an identifier. Digests are never shown, so a length extension attack is not possible. */
const digestOf = (key: Buffer, identifier: string): Buffer =>
  createHash('sha256').update(key).update(identifier).digest();
