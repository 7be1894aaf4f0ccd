import type { Sql } from '../../../server/database/connection.ts';
import type { Calls } from '../../api/v1/calls.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface Rule {
  readonly id: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly thresholds: Readonly<Record<string, unknown>>;
  readonly for_minutes: number;
  readonly recipients: { readonly owners: boolean; readonly phones: readonly string[] };
}

export interface Notification {
  readonly phase: string;
  readonly means: string;
  readonly recipient: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | null;
  readonly message_id: string | null;
}

export interface Alert {
  readonly id: string;
  readonly rule_id: string;
  readonly kind: string;
  readonly subject: string;
  readonly measured: Readonly<Record<string, string | number>>;
  readonly ended_at: string | null;
  readonly notifications: readonly Notification[];
}

/** Moves the clock on until rules were evaluated twice: the first evaluation has ended then. */
export async function evaluate(sql: Sql, advance: (seconds: number) => unknown): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const before = await evaluatedAt(sql);
    await advance(30);
    await waitFor('rules are evaluated', async () => (await evaluatedAt(sql)) !== before);
  }
}

async function evaluatedAt(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ value: number }[]>`SELECT value FROM state WHERE key = 'alerts.evaluated'`;
  return row?.value;
}

/** Alerts of a rule, of an account or with `/operator` the operator's, the newest first. */
export const alertsOf = async (api: Calls, ruleId: string, base = ''): Promise<readonly Alert[]> =>
  (await api.get<{ alerts: Alert[] }>(`${base}/alerts?rule_id=${ruleId}`)).alerts;

/** The alert of a rule, once this holds of it. */
export const alertWhen = (
  what: string,
  api: Calls,
  ruleId: string,
  holds: (alert: Alert) => boolean,
  base = '',
): Promise<Alert> =>
  waitFor(what, async () => (await alertsOf(api, ruleId, base)).find((alert) => holds(alert)));

let contacts = 0;

/** Stores recipients (addresses in lower case, Israeli numbers) as confirmed for an account, so that no question is sent. */
export async function addConfirmed(sql: Sql, accountId: number, ...recipients: string[]): Promise<void> {
  for (const recipient of recipients) {
    await sql`
      INSERT INTO alert_contacts (account_id, id, means, recipient, language, asked_at, confirmed_at)
      VALUES (${accountId}, ${++contacts}, ${recipient.includes('@') ? 'mail' : 'sms'}, ${recipient.replace(/^0/, '972')}, 'en', 0, 1)`;
  }
}
