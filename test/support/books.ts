import assert from 'node:assert/strict';
import type { Sql } from '../../server/database/connection.ts';

/**
 * Checks the invariants of the books: each wallet is the sum of its ledger; each shipment costs the sum of its messages; and
 * the net amount that the ledger charges for a shipment is at least the amount held for recipients without a message yet,
 * and at most that amount plus the cost of the messages.
 */
export async function assertBooksBalance(sql: Sql): Promise<void> {
  const [wallets, costs, charged] = await Promise.all([
    sql`
      SELECT w.account_id, w.balance, coalesce(l.sum, 0) AS ledger FROM wallets w
      LEFT JOIN (SELECT account_id, sum(amount) AS sum FROM ledger GROUP BY account_id) l USING (account_id)
      WHERE w.balance <> coalesce(l.sum, 0)`,
    sql`
      SELECT s.id, s.cost, m.sum AS messages FROM shipments s
      LEFT JOIN (SELECT account_id, shipment_id, sum(price) AS sum FROM messages GROUP BY account_id, shipment_id) m
        ON m.account_id = s.account_id AND m.shipment_id = s.id
      WHERE s.cost <> coalesce(m.sum, 0)`,
    sql`
      SELECT s.id, s.cost, l.taken FROM shipments s
      LEFT JOIN (SELECT account_id, shipment_id, -sum(amount) AS taken, count(*) AS rows FROM ledger
        WHERE shipment_id IS NOT NULL GROUP BY account_id, shipment_id) l
        ON l.account_id = s.account_id AND l.shipment_id = s.id
      LEFT JOIN campaigns h ON h.account_id = s.account_id AND h.id = s.id
      WHERE coalesce(l.taken, 0) < coalesce(h.held, 0) OR coalesce(l.taken, 0) > s.cost + coalesce(h.held, 0)`,
  ]);
  assert.deepEqual([...wallets], [], 'a wallet is not the sum of its ledger');
  assert.deepEqual([...costs], [], 'a shipment costs other than its messages');
  assert.deepEqual([...charged], [], 'the ledger took more for a shipment than it cost, or gave more back');
}

/** Rows of every table that a request could write to, and all the money there is. */
export async function countEverything(sql: Sql): Promise<Record<string, unknown>> {
  const [row] = await sql`
    SELECT (SELECT count(*) FROM shipments) AS shipments, (SELECT count(*) FROM messages) AS messages,
      (SELECT count(*) FROM ledger) AS ledger, (SELECT count(*) FROM campaigns) AS campaigns,
       (SELECT count(*) FROM chat_windows) AS windows,
      (SELECT count(*) FROM short_links) AS short_links, (SELECT count(*) FROM link_codes) AS link_codes,
      (SELECT count(*) FROM blacklist) AS blacklist, (SELECT count(*) FROM blacklist_removals) AS removals,
      (SELECT count(*) FROM tokens) AS tokens, (SELECT count(*) FROM accounts) AS accounts,
      (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM incoming) AS incoming,
      (SELECT count(*) FROM contact_lists WHERE removed_at IS NULL) AS lists,
      (SELECT coalesce(sum(count), 0) FROM contact_lists WHERE removed_at IS NULL) AS contacts,
      (SELECT count(*) FROM send_keys) AS send_keys,
      (SELECT count(*) FROM otp_sends) AS codes, (SELECT count(*) FROM phone_verifications) AS verifications,
      (SELECT count(*) FROM event_batches) AS events, (SELECT count(*) FROM event_endpoints) AS endpoints,
      (SELECT coalesce(sum(balance), 0) FROM wallets) AS money`;
  return { ...row };
}
