import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Measured } from './condition.ts';
import type { AlertKind } from './conditions/index.ts';

/** A period in which a condition holds or held for a subject. Times are milliseconds since the epoch. */
export interface Incident {
  readonly id: number;
  readonly accountId: number;
  readonly ruleId: number;
  readonly ruleName: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly measured: Measured;
  /** Start of the condition, and the last time it was seen. */
  readonly heldAt: number;
  readonly seenAt: number;
  /** Time at which it had held for the duration that the rule requires; null before that. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  /** Time of the notification; null when none was sent, because the pause of the rule suppressed it. */
  readonly toldAt: number | null;
}

/** Columns for an `Incident`; the statement must name the table `alert_incidents` `i`. */
export const incidentColumns = (
  sql: Queryable,
) => sql`i.id, i.account_id AS "accountId", i.rule_id AS "ruleId",
  i.rule_name AS "ruleName", i.kind, i.subject, i.measured, i.held_at AS "heldAt", i.seen_at AS "seenAt",
  i.began_at AS "beganAt", i.ended_at AS "endedAt", i.told_at AS "toldAt"`;

/** Reads all incidents that have not ended. */
export function readOpenIncidents(sql: Queryable): PromiseLike<Incident[]> {
  return sql<Incident[]>`SELECT ${incidentColumns(sql)} FROM alert_incidents i WHERE i.ended_at IS NULL`;
}

/** Inserts incidents, except those whose rule and subject already have an open one. */
export async function insertIncidents(tx: TransactionSql, incidents: readonly Incident[]): Promise<void> {
  if (incidents.length === 0) return;
  await tx`
    INSERT INTO alert_incidents (account_id, id, rule_id, rule_name, kind, subject, measured, held_at, seen_at, began_at,
      told_at)
    SELECT * FROM unnest(${numbers(incidents.map(({ accountId }) => accountId))}::bigint[],
      ${numbers(incidents.map(({ id }) => id))}::bigint[], ${numbers(incidents.map(({ ruleId }) => ruleId))}::bigint[],
      ${texts(incidents.map(({ ruleName }) => ruleName))}::text[], ${texts(incidents.map(({ kind }) => kind))}::text[],
      ${texts(incidents.map(({ subject }) => subject))}::text[],
      ${texts(incidents.map(({ measured }) => JSON.stringify(measured)))}::jsonb[],
      ${numbers(incidents.map(({ heldAt }) => heldAt))}::bigint[],
      ${numbers(incidents.map(({ seenAt }) => seenAt))}::bigint[],
      ${numbers(incidents.map(({ beganAt }) => beganAt))}::bigint[],
      ${numbers(incidents.map(({ toldAt }) => toldAt))}::bigint[])
    ON CONFLICT (rule_id, subject) WHERE ended_at IS NULL DO NOTHING`;
}

/**
 * Updates incidents: the last time their condition held, the measured values, and the times of beginning, end and
 * notification.
 */
export async function updateIncidents(tx: TransactionSql, incidents: readonly Incident[]): Promise<void> {
  if (incidents.length === 0) return;
  await tx`
    UPDATE alert_incidents i SET seen_at = u.seen_at, measured = u.measured, began_at = u.began_at,
      ended_at = u.ended_at, told_at = u.told_at
    FROM unnest(${numbers(incidents.map(({ accountId }) => accountId))}::bigint[],
      ${numbers(incidents.map(({ id }) => id))}::bigint[],
      ${numbers(incidents.map(({ seenAt }) => seenAt))}::bigint[],
      ${texts(incidents.map(({ measured }) => JSON.stringify(measured)))}::jsonb[],
      ${numbers(incidents.map(({ beganAt }) => beganAt))}::bigint[],
      ${numbers(incidents.map(({ endedAt }) => endedAt))}::bigint[],
      ${numbers(incidents.map(({ toldAt }) => toldAt))}::bigint[])
      AS u (account_id, id, seen_at, measured, began_at, ended_at, told_at)
    WHERE i.account_id = u.account_id AND i.id = u.id AND i.ended_at IS NULL`;
}

/** Deletes incidents whose condition ended before they began. */
export async function removeIncidents(tx: TransactionSql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`DELETE FROM alert_incidents WHERE id = ANY(${numbers(ids)}::bigint[]) AND began_at IS NULL`;
}

/**
 * Ends the incidents of a rule that is no longer evaluated. Sends no notifications and marks waiting ones as failed
 * (`rule-off`).
 */
export async function endOfRule(tx: TransactionSql, ruleId: number, now: number): Promise<void> {
  await tx`DELETE FROM alert_incidents WHERE rule_id = ${ruleId} AND began_at IS NULL`;
  await tx`UPDATE alert_incidents SET ended_at = ${now} WHERE rule_id = ${ruleId} AND ended_at IS NULL`;
  await tx`
    UPDATE alert_notifications SET state = 'failed', problem = 'rule-off', settled_at = ${now}
    WHERE rule_id = ${ruleId} AND state = 'waiting'`;
}
