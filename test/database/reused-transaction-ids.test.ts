import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { type Begun, wasCommitted } from '../../server/database/lost-commits.ts';
import { isDatabaseTrouble } from '../../server/database/trouble.ts';
import { atEnd } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

/* A PostgreSQL of its own that crashes: the number of a transaction that is lost with it is another's afterwards. */

const folder = mkdtempSync(join(tmpdir(), 'carillon-crash-'));
chmodSync(folder, 0o755);
const server = await startEmbedded(folder, { fsync: false });
const sql = connect(server.target, { max: 2 });
atEnd(async () => {
  await sql.end({ timeout: 1 });
  await server.stop();
  await rm(folder, { recursive: true });
});
await sql`CREATE TABLE things (id int)`;

interface Lost {
  readonly begun: Begun;
  readonly error: unknown;
}

/** Begins a transaction and crashes the server before it is committed. */
async function lose(): Promise<Lost> {
  let begun: Begun | undefined;
  const lost = sql.begin(async (tx) => {
    const [row] = await tx<(Begun & { pid: number })[]>`
      SELECT pg_current_xact_id()::text AS xid, now()::text AS at, pg_backend_pid() AS pid`;
    begun = row!;
    process.kill(row!.pid, 'SIGKILL');
    await tx`SELECT pg_sleep(60)`;
  });
  const error = await lost.then(
    () => assert.fail('it was committed'),
    (cause: unknown) => cause,
  );
  assert.ok(isDatabaseTrouble(error));
  return { begun: begun!, error };
}

/**
 * Uses transaction numbers until those up to that of a lost transaction are used. Returns whether another one has committed with
 * it. It does not if the server had written down the next number just before the crash, as it does every 15 seconds.
 */
async function isUsedAgain({ xid }: Begun): Promise<boolean> {
  const status = await waitFor('its number is used or passed over', async () => {
    try {
      await sql`INSERT INTO things VALUES (1)`;
      const [row] = await sql<{ status: string | null }[]>`
        SELECT CASE WHEN pg_snapshot_xmax(pg_current_snapshot()) > ${xid}::text::xid8
          THEN pg_xact_status(${xid}::text::xid8) END AS status`;
      return row!.status ?? undefined;
    } catch (trouble) {
      if (isDatabaseTrouble(trouble)) return undefined;
      throw trouble;
    }
  });
  return status === 'committed';
}

test('a transaction that was lost in a crash is not told as committed when another one has its number', async () => {
  let lost = await lose();
  for (let crashes = 1; !(await isUsedAgain(lost.begun)); crashes++) {
    assert.ok(crashes < 5, 'no number of a lost transaction was used again');
    assert.equal(await wasCommitted(sql, lost.begun, lost.error), false);
    lost = await lose();
  }
  assert.equal(await wasCommitted(sql, lost.begun, lost.error), false);
});
