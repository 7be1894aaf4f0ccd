import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { inStatements, numbers, ROWS_A_STATEMENT, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';
import { status } from '../../kit/statuses.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';

const DAY = 86_400_000;
/**
 * Phones per statement. Each statement may read all messages of the span, so statements are as large as the event loop
 * allows.
 */
const RECENT_A_STATEMENT = 20_000;

/** Dependencies for finding blocked recipients. */
export interface BlockedDeps {
  readonly sql: Sql;
  readonly suppressions: Pick<Suppressions, 'isSuppressed' | 'key'>;
}

/** Returns the phones that are on the account's blacklist, or were when their data was erased. */
export async function blacklisted(
  { sql, suppressions }: BlockedDeps,
  accountId: number,
  phones: readonly string[],
): Promise<Set<string>> {
  const blocked = new Set<string>();
  const key = await suppressions.key();
  for (const some of inStatements(phones)) {
    const rows = await sql<{ phone: string }[]>`
      SELECT phone FROM blacklist WHERE account_id = ${accountId} AND phone = ANY(${texts(some)}::text[])
      UNION ALL
      SELECT u.identifier FROM unnest(${texts(some)}::text[]) AS u (identifier) 
      WHERE ${suppressions.isSuppressed(sql, accountId, key)}`;
    for (const { phone } of rows) blocked.add(phone);
  }
  return blocked;
}

/** Phones, and the account of each. */
export interface AccountPhones {
  readonly phones: readonly string[];
  readonly accounts: readonly number[];
}

/**
 * Like `blacklisted`, grouped by account; accounts without blocked phones are absent. The accounts may be in several shards
 * after one was split: Citus runs a union of joins with `unnest` over several shards only in a subquery.
 */
export async function blacklistedOf(
  { sql, suppressions }: BlockedDeps,
  { phones, accounts }: AccountPhones,
): Promise<Map<number, Set<string>>> {
  const blocked = new Map<number, Set<string>>();
  const ids = [...new Set(accounts)];
  if (ids.length === 1) {
    const found = await blacklisted({ sql, suppressions }, ids[0]!, phones);
    return found.size > 0 ? blocked.set(ids[0]!, found) : blocked;
  }
  const key = await suppressions.key();
  for (let from = 0; from < phones.length; from += ROWS_A_STATEMENT) {
    const some = phones.slice(from, from + ROWS_A_STATEMENT);
    const of = accounts.slice(from, from + ROWS_A_STATEMENT);
    const rows = await sql<{ account_id: number; phone: string }[]>`
      SELECT account_id, phone FROM (
        SELECT b.account_id, b.phone
        FROM unnest(${numbers(of)}::bigint[], ${texts(some)}::text[]) AS u (account_id, phone)
        JOIN blacklist b ON b.account_id = u.account_id AND b.phone = u.phone
        WHERE b.account_id = ANY(${numbers(ids)}::bigint[])
        UNION ALL
        SELECT s.account_id, u.phone
        FROM unnest(${numbers(of)}::bigint[], ${texts(some)}::text[]) AS u (account_id, phone)
        JOIN suppressions s ON s.account_id = u.account_id AND s.digest = sha256(${key} || convert_to(u.phone, 'UTF8'))
        WHERE s.account_id = ANY(${numbers(ids)}::bigint[])
          AND EXISTS (SELECT 1 FROM suppressions WHERE account_id = ANY(${numbers(ids)}::bigint[]))
      ) l`;
    for (const { account_id, phone } of rows) {
      const known = blocked.get(account_id);
      if (known) known.add(phone);
      else blocked.set(account_id, new Set([phone]));
    }
  }
  return blocked;
}

/**
 * Returns the phones that received an SMS or a call from the account in the last `days` (interface, B1 `temp_bl`).
 * Messages of the shipment `except` do not count.
 */
export async function recentRecipients(
  sql: Sql,
  accountId: number,
  phones: readonly string[],
  now: number,
  days: number,
  except = 0,
): Promise<Set<string>> {
  const recent = new Set<string>();
  for (const some of inStatements(phones, RECENT_A_STATEMENT)) {
    const rows = await sql<{ phone: string }[]>`
      SELECT DISTINCT recipient AS phone FROM messages
      WHERE account_id = ${accountId} AND id >= ${idFloor(now - days * DAY)} AND recipient = ANY(${texts(some)}::text[])
        AND status NOT IN (${status.blockedOnRequest}, ${status.deleted}, ${status.noCredit}, ${status.notLegal},
          ${status.noPermission})
        AND shipment_id <> ${except} AND channel IN (${TEXT_CHANNEL}, ${CALL_CHANNEL})`;
    for (const { phone } of rows) recent.add(phone);
  }
  return recent;
}
