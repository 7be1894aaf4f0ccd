import assert from 'node:assert/strict';
import type { Sql } from '../../server/database/connection.ts';
import { stored } from '../support/phones.ts';

/** The code in the last message to a phone (`05xxxxxxxx`). */
export async function lastCode(sql: Sql, accountId: number, phone: string): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    SELECT text FROM messages WHERE account_id = ${accountId} AND phone = ${stored(phone)} ORDER BY id DESC LIMIT 1`;
  const code = /\b\d{6}\b/.exec(row?.text ?? '')?.[0];
  assert.ok(code, 'no code was sent to the phone');
  return code;
}

/** Other codes of six digits. */
export function wrongCodes(code: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    String(100_000 + ((Number(code) + index + 1) % 900_000)),
  );
}

/** Everything that sends of codes are counted by, and the codes that could be verified. */
export async function countCodes(sql: Sql, accountId: number, now: number): Promise<Record<string, unknown>> {
  const [row] = await sql`
    SELECT (SELECT count(*)::int FROM otp_sends WHERE account_id = ${accountId}) AS sends,
      (SELECT coalesce(sum(spent), 0)::float FROM otp_spending WHERE account_id = ${accountId}) AS spent,
      (SELECT count(*)::int FROM otp_sends WHERE account_id = ${accountId} AND tries_left > 0 AND expires_at > ${now})
        AS codes,
      (SELECT coalesce(sum(count), 0)::int FROM otp_blocks WHERE account_id = ${accountId}) AS blocks`;
  return { ...row };
}
