import { numbers, texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { idFloor, timeOfId } from '../ids.ts';
import type { Evidence } from '../sending-policy/policy.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds after a message of a client in which an answer to it is exempt: by SMS and chat, and by mail. */
const REPLY_MS = 24 * HOUR_MS;
const MAIL_REPLY_MS = 7 * 24 * HOUR_MS;

/** A send that says that it answers somebody. The gate looks for the evidence itself; without it the send is like any other. */
export type Claim =
  /** Answers what a client wrote to a sender of the account. */
  | {
      readonly claims: 'reply';
      readonly over: 'sms' | 'chat' | 'mail';
      readonly sender: string;
      readonly client: string;
    }
  /** Carries a one-time code; `id` of its row in `otp_sends`. */
  | { readonly claims: 'code'; readonly id: number }
  /** Asks the owners of numbers whether the account may send from them, or calls a landline; ids of `phone_verifications`. */
  | { readonly claims: 'verification'; readonly ids: readonly number[] }
  /** Tells somebody of an alert; `id` of its notification, which a rule of `ownerId` made. */
  | { readonly claims: 'alert'; readonly ownerId: number; readonly id: number }
  /** Asks the owner of a number whether they want alerts; `id` of its row in `alert_contacts`. */
  | { readonly claims: 'contact'; readonly id: number }
  /** Asks people who joined a mailing list to confirm that. */
  | { readonly claims: 'confirmation' }
  /** Is a template that the chat platform has approved for authentication; `id` of its row. */
  | { readonly claims: 'authentication'; readonly id: number }
  /** Is a test of a mail to people of the account. */
  | { readonly claims: 'test' };

interface Claimed {
  readonly accountId: number;
  readonly claim: Claim;
  /** To whom the send goes: numbers as E.164 digits, ids of chat clients, or addresses. */
  readonly recipients: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the evidence for a claim, or undefined if no evidence exists for these recipients. */
export async function findEvidence(sql: Sql, claimed: Claimed): Promise<Evidence | undefined> {
  const { accountId, claim, recipients, now } = claimed;
  switch (claim.claims) {
    case 'reply':
      return recipients.every((recipient) => recipient === claim.client)
        ? findIncoming(sql, accountId, claim, now)
        : undefined;
    case 'code': {
      const rows = await sql`
        SELECT 1 FROM otp_sends
        WHERE account_id = ${accountId} AND id = ${claim.id} AND phone = ANY(${texts(recipients)}::text[])
          AND expires_at > ${now} AND tries_left > 0`;
      return rows.length > 0 && recipients.length === 1 ? { code: claim.id } : undefined;
    }
    case 'verification': {
      const rows = await sql<{ phone: string }[]>`
        SELECT phone FROM phone_verifications
        WHERE account_id = ${accountId} AND id = ANY(${numbers(claim.ids)}::bigint[]) AND expires_at > ${now}`;
      const waiting = new Set(rows.map(({ phone }) => phone));
      return recipients.every((phone) => waiting.has(phone)) ? { verification: claim.ids } : undefined;
    }
    case 'alert': {
      const rows = await sql<{ recipient: string }[]>`
        SELECT recipient FROM alert_notifications
        WHERE account_id = ${claim.ownerId} AND id = ${claim.id} AND sender_id = ${accountId} AND state = 'waiting'`;
      return rows.some(({ recipient }) => recipients.every((other) => other === recipient))
        ? { alert: claim.id }
        : undefined;
    }
    case 'contact': {
      const rows = await sql<{ recipient: string }[]>`
        SELECT recipient FROM alert_contacts
        WHERE account_id = ${accountId} AND id = ${claim.id} AND confirmed_at IS NULL`;
      return rows.some(({ recipient }) => recipients.every((other) => other === recipient))
        ? { contact: claim.id }
        : undefined;
    }
    case 'confirmation': {
      const [row] = await sql<{ requested_at: number }[]>`
        SELECT requested_at FROM mail_confirmations WHERE account_id = ${accountId} AND due_at <= ${now}
        ORDER BY due_at LIMIT 1`;
      return row && { confirmation: row.requested_at };
    }
    case 'authentication': {
      const rows = await sql<{ category: string }[]>`
        SELECT category FROM chat_templates WHERE account_id = ${accountId} AND id = ${claim.id}`;
      return rows[0]?.category === 'AUTHENTICATION' ? { authentication: claim.id } : undefined;
    }
    case 'test': {
      const rows = await sql<{ name: string }[]>`
        SELECT lower(username) AS name FROM people WHERE account_id = ${accountId} AND NOT suspended`;
      const known = new Set(rows.map(({ name }) => name));
      return recipients.every((address) => known.has(address.toLowerCase())) ? { test: now } : undefined;
    }
  }
}

/** The last message of a client to a sender, when it is young enough to be answered. */
async function findIncoming(
  sql: Sql,
  accountId: number,
  { over, sender, client }: Extract<Claim, { claims: 'reply' }>,
  now: number,
): Promise<Evidence | undefined> {
  if (over === 'chat') {
    // A reaction opens the window of a client, like a message does.
    const [row] = await sql<{ client_at: number | null }[]>`
      SELECT client_at FROM chat_windows WHERE account_id = ${accountId} AND number = ${sender} AND client = ${client}`;
    const at = row?.client_at ?? null;
    return at !== null && now - at < REPLY_MS ? { window: at } : undefined;
  }
  const [row] = await (over === 'sms'
    ? sql<{ id: number }[]>`
        SELECT id FROM incoming
        WHERE account_id = ${accountId} AND id >= ${idFloor(now - REPLY_MS)} AND source = ${client}
          AND destination = ${sender}
        ORDER BY id DESC LIMIT 1`
    : sql<{ id: number }[]>`
        SELECT id FROM mail_incoming
        WHERE account_id = ${accountId} AND id >= ${idFloor(now - MAIL_REPLY_MS)} AND client = ${client}
          AND sender = ${sender}
        ORDER BY id DESC LIMIT 1`);
  return row && { reply: row.id, at: timeOfId(row.id) };
}
