import { createHash, randomBytes } from 'node:crypto';
import { texts } from '../../server/database/arrays.ts';
import { connect, type DatabaseTarget } from '../../server/database/connection.ts';
import type { LoadTarget } from '../systems/requests.ts';

const CREDITS = '100000000';

/**
 * Adds accounts with credits, a token and a push each, like the account of `like`: directly in the database of the
 * service, since the command line takes a second for each.
 */
export async function addAccounts(
  database: DatabaseTarget,
  like: LoadTarget & { kind: 'carillon' },
  count: number,
): Promise<(LoadTarget & { kind: 'carillon' })[]> {
  const added = Array.from({ length: count }, (_, index) => ({
    ...like,
    username: `tenant-${index}`,
    token: randomBytes(32).toString('base64url'),
  }));
  const sql = connect(database, { max: 1 });
  const digests = added.map(({ token }) => createHash('sha256').update(token).digest('hex'));
  try {
    // Ids below those of the service, and consecutive, so that each row can derive its account.
    await sql.begin(async (tx) => {
      await tx`
        CREATE TEMPORARY TABLE added ON COMMIT DROP AS
        SELECT number AS id, name, digest FROM
          unnest(${texts(added.map(({ username }) => username))}::text[], ${texts(digests)}::text[])
          WITH ORDINALITY AS a (name, digest, number)`;
      await tx`
        INSERT INTO accounts (id, username, name, created_at)
        SELECT a.id, a.name, a.name, m.created_at FROM added a, accounts m WHERE m.username = ${like.username}`;
      await tx`INSERT INTO wallets (account_id, balance) SELECT id, ${CREDITS}::numeric FROM added`;
      await tx`
        INSERT INTO ledger (account_id, id, kind, amount, at) SELECT id, id, 'topup', ${CREDITS}::numeric, 0 FROM added`;
      await tx`
        INSERT INTO tokens (id, digest, account_id, kind, created_at, scopes)
        SELECT a.id, decode(a.digest, 'hex'), a.id, t.kind, t.created_at, t.scopes
        FROM added a, tokens t JOIN accounts m ON m.id = t.account_id WHERE m.username = ${like.username}`;
      await tx`
        INSERT INTO event_endpoints (id, account_id, kind, url, created_at, changed_at)
        SELECT a.id, a.id, e.kind, e.url, e.created_at, e.changed_at
        FROM added a, event_endpoints e JOIN accounts m ON m.id = e.account_id WHERE m.username = ${like.username}`;
    });
    await sql`ANALYZE`;
  } finally {
    await sql.end();
  }
  return added;
}
