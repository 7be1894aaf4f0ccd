import type { Sql, TransactionSql } from '../database/connection.ts';
import type { Config } from '../kit/config.ts';
import type { Logger } from '../kit/observability/log.ts';
import { newKeyText } from '../kit/text/key-text.ts';
import { KeyFile, keyFilePath } from './key-file.ts';
import { type KeySource, masterKeys } from './keys.ts';
import { SecretKeyError } from './problems.ts';
import { SecretBox } from './secret-box.ts';

/** The row of `state` with the ids of the keys that values may be encrypted with. */
const KEYS_ROW = 'secret-keys';

interface SecretsOptions {
  readonly allowLostKeys?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
}

/** The keys of this process and the box that uses them. */
export interface Secrets {
  readonly box: SecretBox;
  /** Source of the keys. */
  readonly source: KeySource;
  /** The key file; undefined with SECRET_KEY. */
  readonly file: KeyFile | undefined;
  /** No key exists: this one is only in memory and decrypts nothing. Only with `allowLostKeys` or `readOnly`. */
  readonly isTemporary: boolean;
}

/**
 * Opens the secrets with the keys of SECRET_KEY and SECRET_KEY_PREVIOUS, or of the key file. Creates the key file if
 * this database has never stored an encrypted value. The database stores the ids of the keys in use, so a process with
 * another key fails here with SecretKeyError. With `allowLostKeys`, for commands that handle a lost key, missing keys
 * are not an error and nothing is created. With `readOnly` nothing is created or written, and without a key the secrets
 * are temporary.
 */
export async function openSecrets(
  sql: Sql,
  config: Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'DATA_DIR' | 'DATABASE_URL'>,
  log: Logger,
  { allowLostKeys = false, readOnly = false }: SecretsOptions = {},
): Promise<Secrets> {
  const path = keyFilePath(config.DATA_DIR);
  return sql.begin(async (tx) => {
    const registered = readOnly ? await readKeyIds(tx) : await lockKeyIds(tx);
    let source: KeySource;
    let file: KeyFile | undefined;
    if (config.SECRET_KEY !== undefined) {
      const keys = masterKeys([config.SECRET_KEY, ...(config.SECRET_KEY_PREVIOUS ?? [])]);
      source = { keys: () => keys };
    } else {
      file = KeyFile.open(path);
      if (!file) {
        if (registered.length > 0 && allowLostKeys) return temporary();
        if (registered.length > 0) throw new SecretKeyError(lostKey(registered, path));
        if (readOnly) return temporary();
        file = KeyFile.create(path);
        if (config.DATABASE_URL !== undefined) {
          log.warn(
            { file: path },
            'SECRET_KEY is not set: the secrets of this database are sealed with the key of a file; every further process needs that file in its DATA_DIR, or its key as SECRET_KEY',
          );
        }
      }
      source = file;
    }
    const keys = source.keys();
    const missing = registered.filter((id) => !keys.some((key) => key.id === id));
    const secrets = { box: new SecretBox(source), source, file, isTemporary: false };
    if (missing.length > 0) {
      if (allowLostKeys) return secrets;
      throw new SecretKeyError(otherKey(missing, keys[0]!.id, file?.path));
    }
    if (!readOnly && !registered.includes(keys[0]!.id)) await writeKeyIds(tx, [...registered, keys[0]!.id]);
    return secrets;
  });
}

/** Returns a temporary key that encrypts nothing. */
function temporary(): Secrets {
  const keys = masterKeys([newKeyText()]);
  const source = { keys: () => keys };
  return { box: new SecretBox(source), source, file: undefined, isTemporary: true };
}

/** Returns the ids of the keys that values may be encrypted with, and locks them until the transaction ends. */
export async function lockKeyIds(tx: TransactionSql): Promise<string[]> {
  await tx`
    INSERT INTO state (key, value) VALUES (${KEYS_ROW}, ${tx.json([])})
    ON CONFLICT ON CONSTRAINT state_pkey DO NOTHING`;
  const [row] = await tx<{ value: string[] }[]>`SELECT value FROM state WHERE key = ${KEYS_ROW} FOR UPDATE`;
  return row!.value;
}

async function readKeyIds(tx: TransactionSql): Promise<string[]> {
  const [row] = await tx<{ value: string[] }[]>`SELECT value FROM state WHERE key = ${KEYS_ROW}`;
  return row?.value ?? [];
}

/** Replaces the ids, in the transaction of `lockKeyIds`. */
export async function writeKeyIds(tx: TransactionSql, ids: readonly string[]): Promise<void> {
  await tx`UPDATE state SET value = ${tx.json(ids as string[])} WHERE key = ${KEYS_ROW}`;
}

const lostKey = (ids: readonly string[], path: string) =>
  `secrets in the database are sealed under the key ${ids.join(', ')}, and this process has no key: set SECRET_KEY to the one that the other processes have, or restore ${path} from its copy. If the key is lost, see "A lost key" in docs/operating.md`;

const otherKey = (missing: readonly string[], own: string, path: string | undefined) =>
  `secrets in the database are sealed under the key ${missing.join(', ')}, and this process has ${own} (${path ?? 'SECRET_KEY'}): every process needs the same key; ${
    path === undefined
      ? 'for a new key name the old one in SECRET_KEY_PREVIOUS'
      : 'set SECRET_KEY, or copy the key file of the process that was there first'
  }. If the key is lost, see "A lost key" in docs/operating.md`;
