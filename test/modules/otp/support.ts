import assert from 'node:assert/strict';
import type { Sql } from '../../../server/database/connection.ts';
import { stored } from '../../support/phones.ts';
import type { TestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The codes that arrived at a phone (`05xxxxxxxx`), oldest first, once all of an account's messages to it are there. */
export async function codesAt(service: TestService, accountId: number, phone: string): Promise<string[]> {
  const [row] = await service.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM messages WHERE account_id = ${accountId} AND recipient = ${stored(phone)}`;
  assert.ok(row!.count > 0, 'no code was sent to the phone');
  const arrived = await waitFor(`${row!.count} messages at the phone`, async () => {
    const found = await service.phone(phone);
    return found.length >= row!.count && found;
  });
  return arrived.map(({ text }) => /\b\d{6}\b/.exec(text)![0]);
}

/** The code in the last message to a phone (`05xxxxxxxx`). */
export async function lastCode(service: TestService, accountId: number, phone: string): Promise<string> {
  return (await codesAt(service, accountId, phone)).at(-1)!;
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
