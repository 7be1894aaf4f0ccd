import type { Queryable } from '../../../database/connection.ts';
import { lastBackup } from '../../../database/last-backup.ts';
import { defineCondition, OPERATOR } from '../condition.ts';

const KIND = 'backup-age';
const HOUR_MS = 3_600_000;
/** Default for one backup a day, with a tolerance of two hours. */
const USUAL_HOURS = 26;

/** The newest recorded backup is older than a number of hours, or no backup is recorded. */
export const backupAge = defineCondition({
  kind: KIND,
  of: ['operator'],
  reads: [],
  thresholds: { hours: USUAL_HOURS },
  forMinutes: 0,
  example: { subject: '', measured: { hours: 31 } },
  holds: {
    en: ({ hours }) => (hours === 'never' ? 'There is no backup' : `The last backup is ${hours} hours old`),
    he: ({ hours }) => (hours === 'never' ? 'אין גיבוי' : `הגיבוי האחרון נעשה לפני ${hours} שעות`),
  },
  async measure({ sql, clock }, rules) {
    const last = await lastBackup(sql);
    const age = last ? (clock.now() - last.at) / HOUR_MS : Number.POSITIVE_INFINITY;
    return rules
      .filter(({ thresholds }) => age >= thresholds.hours!)
      .map(({ id }) => ({
        ruleId: id,
        subject: '',
        measured: { hours: last ? Math.floor(age) : 'never' },
      }));
  },
});

/** Maximum age of the last backup in hours: that of the operator's strictest enabled rule, or the default. */
export async function allowedBackupHours(sql: Queryable): Promise<number> {
  const [row] = await sql<{ hours: number | null }[]>`
    SELECT min((thresholds->>'hours')::int) AS hours FROM alert_rules
    WHERE account_id = ${OPERATOR} AND kind = ${KIND} AND enabled`;
  return row!.hours ?? USUAL_HOURS;
}
