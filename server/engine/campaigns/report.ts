import type { Queryable, Sql } from '../../database/connection.ts';
import { CANCELLED, status } from '../../kit/statuses.ts';

/** Progress of a campaign: its messages by current outcome. */
interface Progress {
  /** Recipients with a message, including messages that are not sent. */
  readonly made: number;
  /** Not submitted to the platform yet. */
  readonly waiting: number;
  /** Submitted to the platform, without a later status. */
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  /** Counts by reason code. */
  readonly failed: Readonly<Record<string, number>>;
  readonly cancelled: number;
}

/** A recipient whose message was not sent or not delivered. */
export interface CampaignFailure {
  /** Id of the message. */
  readonly id: number;
  readonly phone: string;
  /** A ChatProblem, `blacklisted`, or the platform's reason. */
  readonly reason: string;
  /** Values of the message in `messages`. */
  readonly channel: number;
  readonly status: number;
  readonly code: string | null;
  readonly handed_at: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

type State = Exclude<keyof Progress, 'made'>;

/** Counts the messages of a campaign, by the range of their ids. */
export async function progressOf(sql: Queryable, accountId: number, id: number): Promise<Progress> {
  const rows = await sql<{ state: State; reason: string | null; count: number }[]>`
    WITH states AS (
      SELECT CASE
        WHEN m.read_at IS NOT NULL THEN 'read'
        WHEN m.status = ${status.delivered} THEN 'delivered'
        WHEN m.final_at IS NULL AND m.handed_at IS NULL THEN 'waiting'
        WHEN m.final_at IS NULL THEN 'sent'
        WHEN m.status = ${status.deleted} AND m.code = ${CANCELLED} THEN 'cancelled'
        ELSE 'failed' END AS state, coalesce(m.code, m.status::text) AS reason
      FROM messages m
      WHERE m.account_id = ${accountId} AND m.shipment_id = ${id} AND m.id >= ${id}
        AND m.id <= (SELECT last_id FROM shipments WHERE account_id = ${accountId} AND id = ${id})
    )
    SELECT state, CASE WHEN state = 'failed' THEN reason END AS reason, count(*)::int AS count
    FROM states GROUP BY 1, 2`;
  const counts = { waiting: 0, sent: 0, delivered: 0, read: 0, cancelled: 0 };
  const failed: Record<string, number> = {};
  let made = 0;
  for (const { state, reason, count } of rows) {
    made += count;
    if (state === 'failed') failed[reason!] = count;
    else counts[state] += count;
  }
  return { made, ...counts, failed };
}

/** Returns the failed recipients of a campaign, by message id after `afterId`, at most `limit`. */
export async function failuresOf(
  sql: Sql,
  accountId: number,
  id: number,
  afterId: number,
  limit: number,
): Promise<CampaignFailure[]> {
  return sql<CampaignFailure[]>`
    SELECT m.id, m.recipient AS phone, coalesce(m.code, m.status::text) AS reason, m.channel, m.status, m.code, m.handed_at,
      m.final_at AS at
    FROM messages m
    WHERE m.account_id = ${accountId} AND m.shipment_id = ${id} AND m.id > ${Math.max(id, afterId)}
      AND m.id <= (SELECT last_id FROM shipments WHERE account_id = ${accountId} AND id = ${id})
      AND m.final_at IS NOT NULL AND m.status <> ${status.delivered}
      AND NOT (m.status = ${status.deleted} AND m.code = ${CANCELLED})
    ORDER BY m.id LIMIT ${limit}`;
}
