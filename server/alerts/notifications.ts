import type { Accounts } from '../accounts/accounts.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { Context } from '../context.ts';
import { numbers } from '../database/arrays.ts';
import type { Queryable, TransactionSql } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { DueRows } from '../due-look.ts';
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

/** An incident as people are told of it. */
export interface ToldAlert {
  readonly id: number;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly measured: Measured;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
  readonly endedAt: number | null;
  /** How often it began since people were told of the subject last. */
  readonly times: number;
}

/** What one recipient is told by one message. */
export interface Notification {
  readonly id: number;
  /** OPERATOR: of a rule of the operator. */
  readonly accountId: number;
  readonly ruleId: number;
  readonly ruleName: string;
  readonly phase: AlertPhase;
  readonly means: AlertMeans;
  readonly recipient: string;
  readonly language: AlertLanguage;
  readonly incidentIds: readonly number[];
  readonly alerts: readonly ToldAlert[];
  /** Whose SMS or webhooks it goes out by. */
  readonly senderId: number;
  readonly attempts: number;
  readonly createdAt: number;
  /** The name of the account; '' of the operator. */
  readonly accountName: string;
}

/** Something that people are told now. */
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

/** The notifications of one step. The operator's have a separate step, so that accounts cannot delay them. */
export const notificationScopes = ['operator', 'accounts'] as const;
export type NotificationScope = (typeof notificationScopes)[number];

/** An attempt is given up after this, and made again by whatever process. */
const CLAIM_MS = 60_000;
const AT_ONCE = 50;
/** Of one account within a step, so that one whose recipients answer slowly leaves room for others. */
const AT_ONCE_OF_ACCOUNT = 10;
const SECOND_MS = 1_000;
const PAUSES = [10, 30, 120, 300, 900, 1_800].map((seconds) => seconds * SECOND_MS);
const GIVE_UP_MS = 24 * 3_600 * SECOND_MS;

interface NotificationsDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly means: Readonly<Record<AlertMeans, Means>>;
  readonly contacts: Pick<AlertContacts, 'unconfirmed'>;
  readonly budgets: Pick<BudgetBook, 'take' | 'tryTake'>;
}

/** Tells people: each message is a row, which is tried until it is delivered, for a day. */
export class AlertNotifications {
  readonly #deps: NotificationsDeps;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
  }

  /** Stores what people are told: one message for each recipient of a rule, whatever the number of incidents. */
  async add(tx: TransactionSql, told: readonly Told[]): Promise<void> {
    const groups = Map.groupBy(told, ({ rule, phase }) => `${rule.id} ${phase}`);
    for (const group of groups.values()) {
      const [{ rule, phase }] = group as [Told];
      const alerts = group.map(({ incident, times }) => toldOf(incident, times));
      const isSent = await this.#insert(tx, rule, { phase, alerts }, await addresseesOf(tx, rule));
      const { owners, mails, phones, webhook } = rule.recipients;
      // Nobody has confirmed: the owners hear of it, as where SMS cannot be sent.
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

  /** Notifications of a scope that are due. */
  due(scope: NotificationScope): DueRows {
    const { sql, clock } = this.#deps;
    return sql`FROM alert_notifications n
      WHERE n.state = 'waiting' AND n.due_at <= ${clock.now()} AND ${this.#within(scope)}`;
  }

  /**
   * Sends what is due in a scope, accounts in turns: to one recipient of a rule one after the other, to different ones at
   * the same time.
   */
  async run(scope: NotificationScope): Promise<void> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    const due = await sql<Pick<Notification, 'accountId' | 'id'>[]>`
      SELECT account_id AS "accountId", id FROM (
        SELECT n.account_id, n.id, n.due_at,
          row_number() OVER (PARTITION BY n.account_id ORDER BY n.due_at, n.id) AS turn
        FROM alert_notifications n
        WHERE n.state = 'waiting' AND n.due_at <= ${now} AND ${this.#within(scope)} AND NOT EXISTS (
          SELECT FROM alert_notifications earlier
          WHERE earlier.state = 'waiting' AND earlier.rule_id = n.rule_id AND earlier.means = n.means
            AND earlier.recipient = n.recipient AND earlier.id < n.id)) d
      WHERE turn <= ${scope === 'operator' ? AT_ONCE : AT_ONCE_OF_ACCOUNT}
      ORDER BY turn, due_at LIMIT ${AT_ONCE}`;
    await Promise.all(due.map(({ accountId, id }) => this.#try(accountId, id, now)));
  }

  /** Lets all that waits be tried at once. Only while no process tries. */
  async release(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`UPDATE alert_notifications SET due_at = ${clock.now()} WHERE state = 'waiting'`;
  }

  #within(scope: NotificationScope) {
    const { sql } = this.#deps;
    return scope === 'operator' ? sql`n.account_id = ${OPERATOR}` : sql`n.account_id <> ${OPERATOR}`;
  }

  async #try(accountId: number, id: number, now: number): Promise<void> {
    const { sql, accounts, means, log } = this.#deps;
    const [claimed] = await sql<Omit<Notification, 'accountName'>[]>`
      UPDATE alert_notifications n SET due_at = ${now + CLAIM_MS}, attempts = attempts + 1
      WHERE n.account_id = ${accountId} AND n.id = ${id} AND n.state = 'waiting' AND n.due_at <= ${now}
      RETURNING ${notificationColumns(sql)}`;
    if (!claimed) return;
    const account = accountId === OPERATOR ? undefined : await accounts.byId(accountId);
    const notification = { ...claimed, accountName: account?.name ?? '' };
    let outcome: Outcome;
    try {
      outcome = await means[claimed.means](notification);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      log.error({ err: error, rule: claimed.ruleId, means: claimed.means }, 'alert not sent, retrying');
      outcome = { kind: 'later', problem: 'fault' };
    }
    await this.#settle(notification, outcome);
  }

  async #settle(notification: Notification, outcome: Outcome): Promise<void> {
    const { sql, clock, log } = this.#deps;
    const { accountId, id, attempts, createdAt, ruleId, means } = notification;
    const now = clock.now();
    const isOver = outcome.kind === 'failed' || now - createdAt >= GIVE_UP_MS;
    const state = outcome.kind === 'sent' ? 'sent' : isOver ? 'failed' : 'waiting';
    const problem = outcome.kind === 'sent' ? null : outcome.problem;
    const messageId = (outcome.kind === 'sent' && outcome.messageId) || null;
    await sql.begin(async (tx) => {
      // Another process tries by now if this one took too long.
      const { count } = await tx`
        UPDATE alert_notifications SET state = ${state}, problem = ${problem}, message_id = ${messageId},
          due_at = ${now + PAUSES[Math.min(attempts, PAUSES.length) - 1]!},
          settled_at = ${state === 'waiting' ? null : now}
        WHERE account_id = ${accountId} AND id = ${id} AND state = 'waiting' AND attempts = ${attempts}`;
      if (count === 0) return;
      if (outcome.kind === 'sent') await outcome.also?.(tx);
      else if (attempts === 1) await this.#fallBack(tx, notification);
    });
    if (state !== 'sent')
      log.warn(
        { account: accountId, rule: ruleId, means, problem, attempts, state },
        'alert not sent to a recipient',
      );
  }

  /**
   * Who cannot be told by SMS or webhook is told by mail: the owners, where the rule tells nobody by mail. A test is not:
   * it shows what does not work.
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

  /** Stores a notification for each recipient. Returns whether any of them is to be sent. */
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
      await tx`
        INSERT INTO alert_notifications (account_id, id, rule_id, rule_name, phase, means, recipient, language,
          incident_ids, alerts, sender_id, state, problem, due_at, settled_at, created_at)
        VALUES (${rule.accountId}, ${this.#deps.ids.next()}, ${rule.id}, ${rule.name}, ${phase}, ${means}, ${recipient},
          ${language}, ${numbers(incidentIds)}::bigint[], ${JSON.stringify(alerts)}::text::jsonb,
          ${rule.recipients.accountId ?? rule.accountId}, ${problem === null ? 'waiting' : 'failed'}, ${problem},
          ${now}, ${problem === null ? null : now}, ${now})`;
    }
    return isSent;
  }

  /** Takes an email from the budget of the account. SMS have a price, and webhooks have their own limits. */
  async #overBudget(tx: TransactionSql, accountId: number, means: AlertMeans): Promise<'over-budget' | null> {
    if (means !== 'mail' || accountId === OPERATOR) return null;
    const refusal = await this.#deps.budgets.tryTake(tx, accountId, 'service-mails', { count: 1 });
    return refusal ? 'over-budget' : null;
  }
}

/** The fields of a `Notification` but the name of the account, of the table `alert_notifications` as `n`. */
const notificationColumns = (sql: Queryable) => sql`n.id, n.account_id AS "accountId", n.rule_id AS "ruleId",
  n.rule_name AS "ruleName", n.phase, n.means, n.recipient, n.language, n.incident_ids AS "incidentIds", n.alerts,
  n.sender_id AS "senderId", n.attempts, n.created_at AS "createdAt"`;

const toldOf = ({ id, kind, subject, measured, beganAt, endedAt }: Incident, times: number): ToldAlert => ({
  id,
  kind,
  subject,
  measured,
  beganAt: beganAt!,
  endedAt,
  times,
});

/** Everybody whom a rule tells. */
async function addresseesOf(sql: Queryable, rule: AlertRule): Promise<readonly Addressee[]> {
  const { phones, webhook, language } = rule.recipients;
  return [
    ...(await mailRecipientsOf(sql, rule)),
    ...phones.map((recipient) => ({ means: 'sms', recipient, language }) as const),
    ...(webhook ? [{ means: 'webhook', recipient: '', language } as const] : []),
  ];
}

/** What was told of incidents, and what not. */
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

/** The fields of a `NotificationRow`. */
const rowColumns = (
  sql: Queryable,
) => sql`n.incident_ids AS "incidentIds", n.phase, n.means, n.recipient, n.state,
  n.attempts, n.problem, n.message_id AS "messageId", n.settled_at AS "settledAt", n.created_at AS "createdAt"`;

/** What was told of these incidents of an account, in its order. */
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

/** What the last tests of a rule came to, the latest first. */
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
