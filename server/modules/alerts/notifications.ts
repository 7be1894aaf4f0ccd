import { numbers } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { WorkLease } from '../../engine/work/lease.ts';
import type { Work } from '../../engine/work/work.ts';
import {
  HIDDEN,
  type PreviousItems,
  type PreviousKey,
  type WorkItem,
  type Outcome as WorkOutcome,
} from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import { type AlertLanguage, type Measured, OPERATOR } from './condition.ts';
import type { AlertKind } from './conditions/index.ts';
import type { AlertContacts } from './contacts.ts';
import type { Incident } from './incident-rows.ts';
import type { AlertProblem, Means, Outcome } from './means/means.ts';
import { mailRecipientsOf, ownersOf } from './recipients.ts';
import type { AlertRule } from './rules.ts';

export const alertMeans = ['mail', 'sms', 'webhook'] as const;
export type AlertMeans = (typeof alertMeans)[number];
export type AlertPhase = 'began' | 'ended' | 'test';

/** An incident as a notification contains it. */
export interface ToldAlert {
  readonly id: number;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly measured: Measured;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
  readonly endedAt: number | null;
  /** Number of incidents since the last notification about the subject, this one included. */
  readonly times: number;
}

/** Content of one message to one recipient. */
export interface Notification {
  readonly id: number;
  /** OPERATOR for a rule of the operator. */
  readonly accountId: number;
  readonly ruleId: number;
  readonly ruleName: string;
  readonly phase: AlertPhase;
  readonly means: AlertMeans;
  readonly recipient: string;
  readonly language: AlertLanguage;
  readonly incidentIds: readonly number[];
  readonly alerts: readonly ToldAlert[];
  /** Account whose SMS or webhooks carry the notification. */
  readonly senderId: number;
  readonly attempts: number;
  readonly createdAt: number;
  /** Name of the account; '' for the operator. */
  readonly accountName: string;
}

/** An incident to report now. */
export interface Told {
  readonly rule: AlertRule;
  readonly incident: Incident;
  readonly phase: 'began' | 'ended';
  readonly times: number;
}

/** A recipient of a rule. */
export interface Addressee {
  readonly means: AlertMeans;
  readonly recipient: string;
  readonly language: AlertLanguage;
}

/** Kinds of background work. The operator's notifications have their own kind: accounts cannot delay them. */
const OPERATOR_ALERT = 'operator-alert';
const ACCOUNT_ALERT = 'alert';

/** Longer than one attempt takes (means/means.ts). */
const DEADLINE_MS = 60_000;
const AT_ONCE = 50;
/** Maximum concurrent notifications of one account, so that slow recipients of one account do not block others. */
const AT_ONCE_OF_ACCOUNT = 10;
const SECOND_MS = 1_000;
const PAUSES = [10, 30, 120, 300, 900, 1_800].map((seconds) => seconds * SECOND_MS);
const GIVE_UP_MS = 24 * 3_600 * SECOND_MS;

interface NotificationsDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly means: Readonly<Record<AlertMeans, Means>>;
  readonly contacts: Pick<AlertContacts, 'unconfirmed'>;
  readonly budgets: Pick<BudgetBook, 'take' | 'tryTake'>;
  readonly work: Work;
}

/** Sends notifications: each message is a row that is retried for a day until it is delivered. */
export class AlertNotifications {
  readonly #deps: NotificationsDeps;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
    const shared = {
      places: AT_ONCE,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: PAUSES, giveUpMs: GIVE_UP_MS },
      isDiscardable: true,
      step: (item: WorkItem, lease: WorkLease) => this.#step(item, lease),
      givenUp: (tx: TransactionSql, { accountId, key }: Pick<WorkItem, 'accountId' | 'key'>) =>
        this.#setState(tx, accountId, key, 'failed').then(() => {}),
      reopen: (tx: TransactionSql, { accountId, key }: Pick<WorkItem, 'accountId' | 'key'>) =>
        this.#setState(tx, accountId, key, 'waiting'),
    };
    deps.work.register({
      ...shared,
      kind: OPERATOR_ALERT,
      owner: 'alerts to the operator',
      previous: previousOf(true),
    });
    deps.work.register({
      ...shared,
      kind: ACCOUNT_ALERT,
      owner: 'alerts to people',
      perAccount: AT_ONCE_OF_ACCOUNT,
      previous: previousOf(false),
    });
  }

  /** Stores the state of an abandoned or retried notification. Returns false when it is not there. */
  async #setState(
    tx: TransactionSql,
    accountId: number,
    id: number,
    state: 'waiting' | 'failed',
  ): Promise<boolean> {
    const { count } = await tx`
      UPDATE alert_notifications SET state = ${state}, settled_at = ${state === 'failed' ? this.#deps.clock.now() : null}
      WHERE account_id = ${accountId} AND id = ${id} AND state IN ('waiting', 'failed')`;
    return count > 0;
  }

  /** Stores notifications: one message for each recipient of a rule, whatever the number of incidents. */
  async add(tx: TransactionSql, told: readonly Told[]): Promise<void> {
    const groups = Map.groupBy(told, ({ rule, phase }) => `${rule.id} ${phase}`);
    for (const group of groups.values()) {
      const [{ rule, phase }] = group as [Told];
      const alerts = group.map(({ incident, times }) => toldOf(incident, times));
      const isSent = await this.#insert(tx, rule, { phase, alerts }, await addresseesOf(tx, rule));
      const { owners, mails, phones, webhook } = rule.recipients;
      // Nobody has confirmed, so the owners are notified, as when an SMS cannot be sent.
      if (!isSent && !owners && !webhook && mails.length + phones.length > 0) {
        await this.#insert(tx, rule, { phase, alerts }, await ownersOf(tx, rule.accountId));
      }
    }
  }

  /**
   * Stores a test of a rule for its recipients by these means, and returns their number. Throws Refusal `over-budget` of the
   * budget `tests`.
   */
  async addTest(
    tx: TransactionSql,
    rule: AlertRule,
    example: ToldAlert,
    by: readonly AlertMeans[],
  ): Promise<number> {
    const addressees = (await addresseesOf(tx, rule)).filter(({ means }) => by.includes(means));
    if (rule.accountId !== OPERATOR) {
      await this.#deps.budgets.take(tx, rule.accountId, 'tests', { count: addressees.length });
    }
    await this.#insert(tx, rule, { phase: 'test', alerts: [example] }, addressees);
    return addressees.length;
  }

  /** Sends one notification, after those that the recipient was to get before it from the same rule. */
  async #step(item: WorkItem, lease: WorkLease): Promise<WorkOutcome> {
    const { sql, clock, accounts, means, log } = this.#deps;
    const { accountId, key: id, attempts } = item;
    const [row] = await sql<Omit<Notification, 'accountName' | 'attempts'>[]>`
      SELECT ${notificationColumns(sql)} FROM alert_notifications n
      WHERE n.account_id = ${accountId} AND n.id = ${id} AND n.state = 'waiting'`;
    if (!row) return 'done';
    const earlier = await this.#earlier(item, row);
    if (earlier !== undefined) return { later: Math.max(earlier, clock.now()) + SECOND_MS };
    const account = accountId === OPERATOR ? undefined : await accounts.byId(accountId);
    const notification = { ...row, attempts, accountName: account?.name ?? '' };
    let outcome: Outcome;
    try {
      outcome = await means[row.means](notification);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      log.error({ err: error, rule: row.ruleId, means: row.means }, 'alert not sent, retrying');
      outcome = { kind: 'later', problem: 'fault' };
    }
    return this.#settle(notification, outcome, lease);
  }

  /** Returns the due time of an earlier notification to the same recipient of the rule; undefined without one. */
  async #earlier(
    { accountId, kind, key }: WorkItem,
    row: Pick<Notification, 'ruleId' | 'means' | 'recipient'>,
  ) {
    const { sql } = this.#deps;
    const [earlier] = await sql<{ id: number }[]>`
      SELECT id FROM alert_notifications
      WHERE account_id = ${accountId} AND state = 'waiting' AND rule_id = ${row.ruleId} AND means = ${row.means}
        AND recipient = ${row.recipient} AND id < ${key} ORDER BY id LIMIT 1`;
    if (!earlier) return undefined;
    const [work] = await sql<{ due_at: number }[]>`
      SELECT due_at FROM work WHERE account_id = ${accountId} AND kind = ${kind} AND key = ${earlier.id}`;
    return work?.due_at ?? 0;
  }

  async #settle(notification: Notification, outcome: Outcome, lease: WorkLease): Promise<WorkOutcome> {
    const { sql, clock, log } = this.#deps;
    const { accountId, id, attempts, ruleId, means } = notification;
    const problem = outcome.kind === 'sent' ? null : outcome.problem;
    const store = async (tx: TransactionSql) => {
      const now = clock.now();
      const messageId = (outcome.kind === 'sent' && outcome.messageId) || null;
      const state = outcome.kind === 'later' ? 'waiting' : outcome.kind;
      await tx`
        UPDATE alert_notifications SET state = ${state}, problem = ${problem}, message_id = ${messageId},
          attempts = ${attempts}, settled_at = ${state === 'waiting' ? null : now}
        WHERE account_id = ${accountId} AND id = ${id} AND state = 'waiting'`;
      if (outcome.kind === 'sent') await outcome.also?.(tx);
      else if (attempts === 1) await this.#fallBack(tx, notification);
    };
    if (problem !== null) {
      log.warn(
        { account: accountId, rule: ruleId, means, problem, attempts },
        'alert not sent to a recipient',
      );
    }
    if (outcome.kind === 'later') return { failed: outcome.problem, also: store };
    await sql.begin(async (tx) => {
      await store(tx);
      await lease.done(tx);
    });
    return 'settled';
  }

  /**
   * Falls back to email when SMS or a webhook fails: notifies the owners, unless the rule already notifies somebody by
   * email. A test has no fallback, because it has to show which means fails.
   */
  async #fallBack(tx: TransactionSql, notification: Notification): Promise<void> {
    const { accountId, ruleId, phase, means, alerts, incidentIds } = notification;
    if (means === 'mail' || phase === 'test') return;
    const [told] = await tx`
      SELECT 1 FROM alert_notifications
      WHERE account_id = ${accountId} AND rule_id = ${ruleId} AND phase = ${phase} AND means = 'mail'
        AND incident_ids = ${numbers(incidentIds)}::bigint[] LIMIT 1`;
    if (told) return;
    const recipients = { accountId: null, mails: [], phones: [] };
    const rule = { id: ruleId, name: notification.ruleName, accountId, recipients };
    await this.#insert(tx, rule, { phase, alerts }, await ownersOf(tx, accountId));
  }

  /** Stores a notification for each recipient. Returns whether at least one will be sent. */
  async #insert(
    tx: TransactionSql,
    rule: Pick<AlertRule, 'id' | 'name' | 'accountId'> & {
      readonly recipients: Pick<AlertRule['recipients'], 'accountId' | 'mails' | 'phones'>;
    },
    { phase, alerts }: { readonly phase: AlertPhase; readonly alerts: readonly ToldAlert[] },
    addressees: readonly Addressee[],
  ): Promise<boolean> {
    let isSent = false;
    const now = this.#deps.clock.now();
    const incidentIds = phase === 'test' ? [] : alerts.map(({ id }) => id);
    const unconfirmed = await this.#deps.contacts.unconfirmed(tx, rule);
    for (const { means, recipient, language } of addressees) {
      const address = recipient.toLowerCase();
      const isConfirmed = !unconfirmed.some((one) => one.means === means && one.recipient === address);
      const problem = isConfirmed ? await this.#overBudget(tx, rule.accountId, means) : 'not-confirmed';
      isSent ||= problem === null;
      const id = this.#deps.ids.next();
      await tx`
        INSERT INTO alert_notifications (account_id, id, rule_id, rule_name, phase, means, recipient, language,
          incident_ids, alerts, sender_id, state, problem, due_at, settled_at, created_at)
        VALUES (${rule.accountId}, ${id}, ${rule.id}, ${rule.name}, ${phase}, ${means}, ${recipient},
          ${language}, ${numbers(incidentIds)}::bigint[], ${JSON.stringify(alerts)}::text::jsonb,
          ${rule.recipients.accountId ?? rule.accountId}, ${problem === null ? 'waiting' : 'failed'}, ${problem},
          ${HIDDEN}, ${problem === null ? null : now}, ${now})`;
      const kind = rule.accountId === OPERATOR ? OPERATOR_ALERT : ACCOUNT_ALERT;
      if (problem === null) await this.#deps.work.add(tx, { accountId: rule.accountId, kind, key: id });
    }
    return isSent;
  }

  /** Charges an email to the account's budget. SMS have a price, and webhooks have their own limits. */
  async #overBudget(tx: TransactionSql, accountId: number, means: AlertMeans): Promise<'over-budget' | null> {
    if (means !== 'mail' || accountId === OPERATOR) return null;
    const refusal = await this.#deps.budgets.tryTake(tx, accountId, 'service-mails', { count: 1 });
    return refusal ? 'over-budget' : null;
  }
}

/** Notifications that the version before keeps by `due_at` of their rows. */
function previousOf(ofOperator: boolean): PreviousItems {
  return {
    waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
      SELECT account_id AS "accountId", id AS key FROM alert_notifications
      WHERE state = 'waiting' AND due_at <= ${leaseNow} AND (account_id = ${OPERATOR}) = ${ofOperator}::boolean LIMIT ${limit}`,
    async take(tx, { accountId, key }, leaseNow) {
      const { count } = await tx`
        UPDATE alert_notifications SET due_at = ${HIDDEN}
        WHERE account_id = ${accountId} AND id = ${key} AND state = 'waiting' AND due_at <= ${leaseNow}`;
      return count === 0 ? undefined : leaseNow;
    },
  };
}

/** The fields of a `Notification` but attempts and the name of the account, of the table `alert_notifications` as `n`. */
const notificationColumns = (sql: Queryable) => sql`n.id, n.account_id AS "accountId", n.rule_id AS "ruleId",
  n.rule_name AS "ruleName", n.phase, n.means, n.recipient, n.language, n.incident_ids AS "incidentIds", n.alerts,
  n.sender_id AS "senderId", n.created_at AS "createdAt"`;

const toldOf = ({ id, kind, subject, measured, beganAt, endedAt }: Incident, times: number): ToldAlert => ({
  id,
  kind,
  subject,
  measured,
  beganAt: beganAt!,
  endedAt,
  times,
});

/** All recipients of a rule. */
async function addresseesOf(sql: Queryable, rule: AlertRule): Promise<readonly Addressee[]> {
  const { phones, webhook, language } = rule.recipients;
  return [
    ...(await mailRecipientsOf(sql, rule)),
    ...phones.map((recipient) => ({ means: 'sms', recipient, language }) as const),
    ...(webhook ? [{ means: 'webhook', recipient: '', language } as const] : []),
  ];
}

/** A notification about incidents, and its result. */
export interface NotificationRow {
  readonly incidentIds: readonly number[];
  readonly phase: AlertPhase;
  readonly means: AlertMeans;
  readonly recipient: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  readonly problem: AlertProblem | null;
  readonly messageId: number | null;
  readonly settledAt: number | null;
  readonly createdAt: number;
}

/** Columns for a `NotificationRow`. */
const rowColumns = (
  sql: Queryable,
) => sql`n.incident_ids AS "incidentIds", n.phase, n.means, n.recipient, n.state,
  n.attempts, n.problem, n.message_id AS "messageId", n.settled_at AS "settledAt", n.created_at AS "createdAt"`;

/** Returns the notifications about these incidents of an account, in order. */
export async function notificationsOf(
  sql: Queryable,
  accountId: number,
  incidentIds: readonly number[],
): Promise<NotificationRow[]> {
  if (incidentIds.length === 0) return [];
  return sql<NotificationRow[]>`
    SELECT ${rowColumns(sql)} FROM alert_notifications n
    WHERE n.account_id = ${accountId} AND n.incident_ids && ${numbers(incidentIds)}::bigint[] ORDER BY n.id`;
}

/** Returns the results of the last tests of a rule, newest first. */
export async function testsOf(
  sql: Queryable,
  accountId: number,
  ruleId: number,
  limit: number,
): Promise<NotificationRow[]> {
  return sql<NotificationRow[]>`
    SELECT ${rowColumns(sql)} FROM alert_notifications n
    WHERE n.account_id = ${accountId} AND n.rule_id = ${ruleId} AND n.phase = 'test' ORDER BY n.id DESC LIMIT ${limit}`;
}
