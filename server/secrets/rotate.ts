import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../database/connection.ts';
import type { SealedColumn } from '../database/define-tables.ts';
import { livingProcesses } from '../database/processes.ts';
import type { KeyFile } from './key-file.ts';
import type { KeySource } from './keys.ts';
import { lockKeyIds, writeKeyIds } from './open.ts';
import { SecretKeyError } from './problems.ts';
import { countSealed, resealAll } from './reseal.ts';
import type { SecretBox } from './secret-box.ts';

const LOOK_MS = 200;

interface RotationDeps {
  readonly sql: Sql;
  readonly columns: readonly SealedColumn[];
  readonly box: SecretBox;
  readonly source: KeySource;
  /** The key file; undefined with SECRET_KEY. */
  readonly file: KeyFile | undefined;
  /** Identifies this run of the process, which does not wait for itself. */
  readonly boot: string;
  /** Milliseconds that running processes have to load the new key. */
  readonly patienceMs: number;
}

/** Result of a rotation. */
interface Rotation {
  /** The key of all values now. */
  readonly keyId: string;
  /** Number of values that were encrypted again. */
  readonly resealed: number;
  /** Keys that no value needs any longer. */
  readonly retired: readonly string[];
}

/**
 * Encrypts everything with the newest key: the first one of SECRET_KEY, or a new one in the key file (after an
 * interrupted rotation, the key of that one). Waits until every running process encrypts with it, so that no process
 * meets a value that it cannot decrypt. Can be interrupted and started again. A retired key stays in the file until the
 * next rotation, for running transactions. Throws SecretKeyError if a process keeps another key.
 */
export async function rotateSecrets(deps: RotationDeps): Promise<Rotation> {
  const { sql, columns, box, source, file } = deps;
  if (file) await renewKeyFile(sql, file);
  const keyId = box.keyId;
  await sql.begin(async (tx) => {
    const ids = await lockKeyIds(tx);
    if (!ids.includes(keyId)) await writeKeyIds(tx, [...ids, keyId]);
  });
  await everyProcessSealsWith(keyId, deps);
  let resealed = 0;
  for (let last = -1; last !== 0; resealed += last) last = await resealAll(sql, columns, box);
  const used = new Set((await countSealed(sql, columns)).map((one) => one.keyId));
  const retired = await sql.begin(async (tx) => {
    const ids = await lockKeyIds(tx);
    const kept = ids.filter((id) => id === keyId || used.has(id));
    await writeKeyIds(tx, kept);
    return ids.filter((id) => !kept.includes(id));
  });
  const others = source.keys().filter(({ id }) => id !== keyId && !used.has(id) && !retired.includes(id));
  return { keyId, resealed, retired: [...retired, ...others.map(({ id }) => id)] };
}

/** Removes keys that an earlier rotation retired, and adds a new one in front if no rotation is unfinished. */
async function renewKeyFile(sql: Sql, file: KeyFile): Promise<void> {
  const registered = await sql.begin(lockKeyIds);
  const [first, ...others] = file.keys().map(({ id }) => id);
  file.dropKeys(new Set(others.filter((id) => !registered.includes(id))));
  const unfinished = registered.some((id) => id !== first);
  if (!unfinished) file.addKey();
}

async function everyProcessSealsWith(keyId: string, { sql, boot, patienceMs }: RotationDeps): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; await pause(LOOK_MS)) {
    const others = (await livingProcesses(sql)).filter((one) => one.boot !== boot && one.keyIds[0] !== keyId);
    if (others.length === 0) return;
    if (Date.now() > deadline) {
      throw new SecretKeyError(
        `nothing is sealed again: the running process ${others.map((one) => one.number).join(', ')} seals with another key than ${keyId}. Restart it with the same SECRET_KEY, and run this again (a process that was killed is forgotten after a minute)`,
      );
    }
  }
}
