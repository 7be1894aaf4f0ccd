import { numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Evidence } from '../../modules/sending-policy/policy.ts';

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
  | { readonly claims: 'confirmation'; readonly over: 'mail' }
  /** Is a template that the chat platform has approved for authentication; `id` of its row. */
  | { readonly claims: 'authentication'; readonly over: 'chat'; readonly id: number }
  /** Is a test of a mail to people of the account. */
  | { readonly claims: 'test' };

/** A claim whose evidence is in the tables of a channel (`evidence` of its module). */
export type ChannelClaim = Extract<Claim, { readonly over: string }>;

/** Finds the evidence for a claim in the tables of a channel. Returns undefined without evidence. */
export type FindEvidence = (claimed: {
  readonly accountId: number;
  readonly claim: ChannelClaim;
  readonly now: number;
}) => Promise<Evidence | undefined>;

interface Claimed {
  readonly accountId: number;
  readonly claim: Claim;
  /** To whom the send goes: numbers as E.164 digits, ids of chat clients, or addresses. */
  readonly recipients: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the evidence for a claim, or undefined if no evidence exists for these recipients.
 *
 * @param ofChannels by the names of channels
 */
export async function findEvidence(
  sql: Sql,
  ofChannels: ReadonlyMap<string, FindEvidence>,
  claimed: Claimed,
): Promise<Evidence | undefined> {
  const { accountId, claim, recipients, now } = claimed;
  switch (claim.claims) {
    case 'reply':
      return recipients.every((recipient) => recipient === claim.client)
        ? ofChannels.get(claim.over)?.({ accountId, claim, now })
        : undefined;
    case 'confirmation':
    case 'authentication':
      return ofChannels.get(claim.over)?.({ accountId, claim, now });
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
    case 'test': {
      const rows = await sql<{ name: string }[]>`
        SELECT lower(username) AS name FROM people WHERE account_id = ${accountId} AND NOT suspended`;
      const known = new Set(rows.map(({ name }) => name));
      return recipients.every((address) => known.has(address.toLowerCase())) ? { test: now } : undefined;
    }
  }
}
