import type { Queryable, Sql } from '../database/connection.ts';
import type { SealedColumn } from '../database/define-tables.ts';
import { KeyFile, keyFilePath } from './key-file.ts';
import type { KeySource } from './keys.ts';
import { lockKeyIds, type Secrets, writeKeyIds } from './open.ts';
import { SecretBox } from './secret-box.ts';

/*
 * Recovery after the loss of a key: values encrypted with it can never be decrypted. These functions find such values
 * and give the installation a new key. The modules that own the rows decide about them.
 */

/** Values of a column encrypted with a key that this process does not have. */
export interface LostValues {
  /** `people.totp_secret`. */
  readonly column: string;
  /** Primary keys of the rows, with values in the order of `SealedColumn.key`. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Finds all values that the keys of `source` cannot decrypt. Columns without such values are omitted. */
export async function findLostValues(
  sql: Queryable,
  columns: readonly SealedColumn[],
  source: KeySource,
): Promise<LostValues[]> {
  const own = source.keys().map(({ id }) => id);
  const found: LostValues[] = [];
  for (const { table, column, key } of columns) {
    const names = key.join(', ');
    const rows = await sql.unsafe<Record<string, string | number>[]>(
      `SELECT ${names} FROM ${table}
       WHERE ${column} IS NOT NULL AND substring(${column} FROM 1 FOR 1) = '\\x01'::bytea
         AND NOT encode(substring(${column} FROM 2 FOR 8), 'hex') = ANY($1::text[])
       ORDER BY ${names}`,
      [`{${own.join(',')}}`],
    );
    if (rows.length === 0) continue;
    found.push({ column: `${table}.${column}`, rows: rows.map((row) => key.map((name) => row[name]!)) });
  }
  return found;
}

/**
 * Returns the box that encrypts from now on: with the key of SECRET_KEY or of the key file, which is created if
 * missing. Throws SecretKeyError if it cannot be created.
 */
export function keyAfterLoss(secrets: Secrets, dataDir: string): SecretBox {
  if (!secrets.isTemporary) return secrets.box;
  return new SecretBox(KeyFile.create(keyFilePath(dataDir)));
}

/** Forgets the keys that no value needs, so that processes can start without them. Returns their ids. */
export async function forgetLostKeys(sql: Sql, box: SecretBox): Promise<string[]> {
  return sql.begin(async (tx) => {
    const registered = await lockKeyIds(tx);
    const kept = box.keyIds.filter((id) => registered.includes(id) || id === box.keyId);
    await writeKeyIds(tx, kept);
    return registered.filter((id) => !kept.includes(id));
  });
}
