import type { Sql } from '../../database/connection.ts';
import { progressOf } from '../../engine/campaigns/report.ts';
import { visitors } from '../../engine/links/visitors.ts';
import type { Reaction } from '../../engine/messages/message-content.ts';

/** Progress of an email campaign: its emails by their outcome so far. */
export interface MailProgress {
  /** Recipients with an email, or with one that failed immediately. */
  readonly made: number;
  /** Not submitted to the relay yet. */
  readonly waiting: number;
  /** Submitted to the relay, without a bounce. */
  readonly sent: number;
  /** Opened, of the submitted ones. */
  readonly opened: number;
  /** Emails with a link that a person clicked. */
  readonly clicked: number;
  /** Not submitted, or bounced, by reason. */
  readonly failed: Readonly<Record<string, number>>;
  readonly cancelled: number;
  readonly hardBounces: number;
  readonly softBounces: number;
  readonly complaints: number;
  /** Users who unsubscribed by an email of the campaign, and still are unsubscribed. */
  readonly removals: number;
}

/** Reactions to an email: a bounce, a complaint, or an unsubscription. */
export const bounceKinds = ['hard', 'soft', 'complaint', 'removal'] as const;
type BounceKind = (typeof bounceKinds)[number];

/** A reaction to an email of a campaign. */
interface CampaignBounce {
  /** Orders the rows of a kind. */
  readonly id: number;
  readonly userId: number | null;
  readonly address: string;
  /** The code of a bounce (RFC 3463), the type of a complaint, or the way of unsubscribing (`page`, `one-click`). */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Returns up to `limit` reactions of one kind to emails of a campaign, after `afterId`. */
export async function bouncesOf(
  sql: Sql,
  accountId: number,
  id: number,
  kind: BounceKind,
  afterId: number,
  limit: number,
): Promise<CampaignBounce[]> {
  if (kind === 'removal') {
    return sql<CampaignBounce[]>`
      SELECT id, id AS "userId", address, status_by AS code, status_at AS at FROM mail_users
      WHERE account_id = ${accountId} AND status_campaign_id = ${id} AND status = 'removed' AND id > ${afterId}
      ORDER BY id LIMIT ${limit}`;
  }
  const after = Math.max(id, afterId);
  return sql<CampaignBounce[]>`
    SELECT r.message_id AS id, r.user_id AS "userId", m.recipient AS address, r.code, r.at
    FROM mail_returns r JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
    WHERE r.account_id = ${accountId} AND r.shipment_id = ${id} AND r.kind = ${kind} AND r.message_id > ${after}
      AND m.account_id = ${accountId} AND m.id > ${after}
    ORDER BY r.message_id LIMIT ${limit}`;
}

/** Returns complaints about an email, and the unsubscription by it if that is still in effect. */
export function reactionsToMail(sql: Sql, accountId: number, messageId: number): Promise<Reaction[]> {
  return sql<Reaction[]>`
    SELECT kind, at FROM (
      SELECT 'complained' AS kind, at FROM mail_returns
      WHERE account_id = ${accountId} AND message_id = ${messageId} AND kind = 'complaint'
      UNION ALL
      SELECT 'unsubscribed', u.status_at FROM mail_users u
      JOIN messages m ON m.account_id = u.account_id AND m.shipment_id = u.status_campaign_id AND m.recipient = u.address
      WHERE u.account_id = ${accountId} AND m.account_id = ${accountId} AND m.id = ${messageId} AND u.status = 'removed'
    ) AS reactions ORDER BY at`;
}

/** Counts the emails of a campaign by outcome. */
export async function mailProgressOf(sql: Sql, accountId: number, id: number): Promise<MailProgress> {
  const [progress, [clicks], returns, [removed]] = await Promise.all([
    progressOf(sql, accountId, id),
    sql<{ clicked: number }[]>`
      SELECT count(DISTINCT message_id)::int AS clicked FROM clicks
      WHERE account_id = ${accountId} AND shipment_id = ${id} AND id > ${id} AND visitor = ${visitors.person}`,
    sql<{ kind: 'hard' | 'soft' | 'complaint'; count: number }[]>`
      SELECT kind, count(*)::int AS count FROM mail_returns
      WHERE account_id = ${accountId} AND shipment_id = ${id} AND message_id > ${id} GROUP BY kind`,
    sql<{ removals: number }[]>`
      SELECT count(*)::int AS removals FROM mail_users
      WHERE account_id = ${accountId} AND status_campaign_id = ${id} AND status = 'removed'`,
  ]);
  const { made, waiting, sent, read, failed, cancelled } = progress;
  const count = (kind: string) => returns.find((row) => row.kind === kind)?.count ?? 0;
  return {
    made,
    waiting,
    sent: sent + read,
    opened: read,
    clicked: clicks!.clicked,
    failed,
    cancelled,
    hardBounces: count('hard'),
    softBounces: count('soft'),
    complaints: count('complaint'),
    removals: removed!.removals,
  };
}
