import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type Authors, authorsOf, isBy, type Stopped } from '../authors/authors.ts';
import { type AlertLanguage, OPERATOR, type ThresholdName, type Thresholds } from './condition.ts';
import { type AlertKind, conditionOf } from './conditions/index.ts';
import type { AlertContacts } from './contacts.ts';
import { endOfRule } from './incident-rows.ts';

/** Maximum number of rules of an account. */
export const MAX_ALERT_RULES = 50;
/** Maximum number of email addresses, and of phones, of a rule. */
export const MAX_RECIPIENTS = 20;

/** Recipients and means. Without recipients, incidents appear only in the console. */
export interface AlertRecipients {
  /** Notifies by email the owners of the account (or all people of the operator) whose user name is an email address. */
  readonly owners: boolean;
  readonly mails: readonly string[];
  /** Recipients of SMS; E.164 digits. */
  readonly phones: readonly string[];
  /** Whether the events `alert.began` and `alert.ended` are recorded. */
  readonly webhook: boolean;
  /** Language of SMS, and of emails to addresses that do not belong to a person. */
  readonly language: AlertLanguage;
  /** Only in rules of the operator: the account whose SMS and webhooks are used; null without one. */
  readonly accountId: number | null;
}

/** A rule: the condition that it watches, and whom it notifies. */
export interface AlertRule {
  readonly id: number;
  /** OPERATOR for a rule of the operator. */
  readonly accountId: number;
  readonly name: string;
  readonly kind: AlertKind;
  readonly thresholds: Thresholds;
  readonly enabled: boolean;
  /** Minutes that the condition must hold before a notification, and must be absent before the notification of the end. */
  readonly forMinutes: number;
  readonly clearMinutes: number;
  /** Minutes without another notification about the same subject. */
  readonly pauseMinutes: number;
  readonly recipients: AlertRecipients;
  /** Reason for which the service disabled the rule: its author lost the right. Null after a change. */
  readonly stopped: 'author' | null;
}

/** Fields of a rule to create; missing ones take the default of the kind. */
export interface AlertRuleInput {
  readonly name: string;
  readonly kind: AlertKind;
  readonly thresholds: Thresholds;
  readonly enabled: boolean;
  readonly forMinutes: number | undefined;
  readonly clearMinutes: number;
  readonly pauseMinutes: number;
  readonly recipients: AlertRecipients;
}

/** Changed fields of a rule. */
export type AlertRuleChange = {
  readonly [K in Exclude<keyof AlertRuleInput, 'kind'>]?: AlertRuleInput[K] | undefined;
};

interface RulesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly contacts: Pick<AlertContacts, 'ask' | 'unconfirmed'>;
  readonly authors: Pick<Authors, 'check'>;
  /** Whether a mail relay is configured. */
  readonly hasMail: () => boolean;
}

/** Rules of accounts, and of the operator (account OPERATOR). */
export class AlertRules {
  readonly #deps: RulesDeps;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  /** Returns the rules of an account, oldest first. */
  async list(accountId: number): Promise<AlertRule[]> {
    const { sql } = this.#deps;
    return sql<AlertRule[]>`
      SELECT ${ruleColumns(sql)} FROM alert_rules r WHERE r.account_id = ${accountId} ORDER BY r.id`;
  }

  /** Returns a rule; undefined when the id does not exist. */
  async find(accountId: number, id: number): Promise<AlertRule | undefined> {
    const { sql } = this.#deps;
    const [rule] = await sql<AlertRule[]>`
      SELECT ${ruleColumns(sql)} FROM alert_rules r WHERE r.account_id = ${accountId} AND r.id = ${id}`;
    return rule;
  }

  /** Recipients of a rule that get no alerts before they confirm: addresses in lower case, E.164 digits. */
  async unconfirmed(rule: AlertRule): Promise<readonly string[]> {
    const contacts = await this.#deps.contacts.unconfirmed(this.#deps.sql, rule);
    return contacts.map(({ recipient }) => recipient);
  }

  /**
   * Stores a rule. Throws Refusal `bad-field` for a kind that the account cannot have, a threshold that the kind does not
   * have, email addresses without a mail relay, and SMS or webhooks of the operator without an account; `not-allowed` for a
   * rule that reports more than its author may read; `not-now` when MAX_ALERT_RULES exist.
   */
  async create(accountId: number, input: AlertRuleInput): Promise<AlertRule> {
    const { sql, ids, clock } = this.#deps;
    const condition = conditionOf(input.kind);
    if (!condition.of.includes(accountId === OPERATOR ? 'operator' : 'account'))
      throw badField('kind', 'not a kind of these rules', 'not-one-of');
    const { forMinutes = condition.forMinutes } = input;
    const thresholds = { ...condition.thresholds, ...checked(input.kind, input.thresholds) };
    await this.#checkRecipients(accountId, input.recipients);
    await this.#checkAuthor(accountId, input.kind, thresholds);
    const rule = { ...input, id: ids.next(), accountId, forMinutes, thresholds, stopped: null };
    await sql.begin(async (tx) => {
      const [row] = await tx<{ count: number }[]>`
        SELECT count(*)::int AS count FROM alert_rules WHERE account_id = ${accountId}`;
      if (row!.count >= MAX_ALERT_RULES) {
        const detail = { reason: 'too-many', params: { max: MAX_ALERT_RULES } } as const;
        throw new Refusal('not-now', `there are ${MAX_ALERT_RULES} rules`, undefined, detail);
      }
      await insertRules(tx, [rule], clock.now());
      await this.#deps.contacts.ask(tx, rule);
    });
    return rule;
  }

  /**
   * Changes the given fields; undefined when the account has no rule of this id. The caller becomes the author of the rule. Throws
   * Refusal as `create` does.
   */
  async change(accountId: number, id: number, change: AlertRuleChange): Promise<AlertRule | undefined> {
    const { sql, clock } = this.#deps;
    if (change.recipients) await this.#checkRecipients(accountId, change.recipients);
    const known = await this.find(accountId, id);
    if (known) await this.#checkAuthor(accountId, known.kind, { ...known.thresholds, ...change.thresholds });
    const { tokenId, personId } = currentAuthor();
    return sql.begin(async (tx) => {
      const [before] = await tx<AlertRule[]>`
        SELECT ${ruleColumns(tx)} FROM alert_rules r
        WHERE r.account_id = ${accountId} AND r.id = ${id} FOR UPDATE`;
      if (!before) return undefined;
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const thresholds = { ...before.thresholds, ...checked(before.kind, change.thresholds ?? {}) };
      const after: AlertRule = { ...before, ...given, thresholds, stopped: null };
      const now = clock.now();
      await tx`
        UPDATE alert_rules SET name = ${after.name}, thresholds = ${JSON.stringify(thresholds)}::text::jsonb,
          enabled = ${after.enabled}, for_minutes = ${after.forMinutes}, clear_minutes = ${after.clearMinutes},
          pause_minutes = ${after.pauseMinutes}, recipients = ${JSON.stringify(after.recipients)}::text::jsonb,
          updated_at = ${now}, author_token_id = ${tokenId}, author_person_id = ${personId}, stopped = NULL
        WHERE account_id = ${accountId} AND id = ${id}`;
      if (!after.enabled) await endOfRule(tx, id, now);
      await this.#deps.contacts.ask(tx, after);
      return after;
    });
  }

  /** Deletes a rule: its incidents end, and its waiting notifications are not sent. Returns whether the rule existed. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql, clock } = this.#deps;
    return sql.begin(async (tx) => {
      const rows = await tx`
        DELETE FROM alert_rules WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
      if (rows.length === 0) return false;
      await endOfRule(tx, id, clock.now());
      return true;
    });
  }

  /** Returns the authors of the enabled rules of accounts, for `AuthoredWork`. */
  authors(): Promise<Author[]> {
    const { sql } = this.#deps;
    return authorsOf(sql, sql`FROM alert_rules WHERE enabled AND account_id <> ${OPERATOR}`);
  }

  /** Disables the enabled rules of these authors; their incidents end. */
  async stop(tx: TransactionSql, authors: readonly Author[]): Promise<Stopped[]> {
    const now = this.#deps.clock.now();
    const stopped = await tx<Stopped[]>`
      UPDATE alert_rules SET enabled = false, stopped = 'author', updated_at = ${now}
      WHERE enabled AND account_id <> ${OPERATOR} AND ${isBy(tx, authors)} RETURNING account_id AS "accountId", id`;
    for (const { id } of stopped) await endOfRule(tx, id, now);
    return stopped;
  }

  /** Throws Refusal `not-allowed` when the author may not read the data that the rule reports. */
  async #checkAuthor(accountId: number, kind: AlertKind, { subscribers }: Thresholds): Promise<void> {
    if (accountId === OPERATOR) return;
    const { reads } = conditionOf(kind);
    for (const route of [...reads, ...(subscribers ? [SUBSCRIBERS] : [])]) {
      await this.#deps.authors.check(currentAuthor(), route);
    }
  }

  async #checkRecipients(accountId: number, recipients: AlertRecipients): Promise<void> {
    const { accountId: sender, mails, phones, webhook } = recipients;
    if (mails.length > 0 && !this.#deps.hasMail()) {
      const message = 'no mail relay is set up; the operator sets MAIL_RELAY_URL';
      throw badField('recipients.mails', message, 'no-mail-relay');
    }
    if (accountId !== OPERATOR) return;
    if (sender === null && (phones.length > 0 || webhook)) {
      throw badField('accountId', 'missing, SMS and webhooks are those of an account', 'missing');
    }
    if (sender !== null && !(await this.#deps.accounts.byId(sender)))
      throw badField('accountId', 'no such account', 'unknown');
  }
}

/** Route that returns the balances of subscribers. */
const SUBSCRIBERS = ['GET', '/v1/subscribers'] as const;

/** Throws Refusal `bad-field` for thresholds that the kind does not have. */
function checked(kind: AlertKind, thresholds: Thresholds): Thresholds {
  const known = conditionOf(kind).thresholds;
  const given = Object.entries(thresholds).filter(([, value]) => value !== undefined);
  for (const [name] of given) {
    if (known[name as ThresholdName] === undefined)
      throw badField(`thresholds.${name}`, `${kind} has no such threshold`, 'unknown');
  }
  return Object.fromEntries(given);
}

/** Columns for an `AlertRule`; the statement must name the table `alert_rules` `r`. */
export const ruleColumns = (
  sql: Queryable,
) => sql`r.id, r.account_id AS "accountId", r.name, r.kind, r.thresholds,
  r.enabled, r.for_minutes AS "forMinutes", r.clear_minutes AS "clearMinutes", r.pause_minutes AS "pauseMinutes",
  r.recipients, r.stopped`;

/** Inserts rules without checks. */
export async function insertRules(sql: Queryable, rules: readonly AlertRule[], now: number): Promise<void> {
  const { tokenId, personId } = currentAuthor();
  for (const rule of rules) {
    await sql`
      INSERT INTO alert_rules (account_id, id, name, kind, thresholds, enabled, for_minutes, clear_minutes,
        pause_minutes, recipients, author_token_id, author_person_id, created_at, updated_at)
      VALUES (${rule.accountId}, ${rule.id}, ${rule.name}, ${rule.kind},
        ${JSON.stringify(rule.thresholds)}::text::jsonb, ${rule.enabled}, ${rule.forMinutes}, ${rule.clearMinutes},
        ${rule.pauseMinutes}, ${JSON.stringify(rule.recipients)}::text::jsonb, ${tokenId}, ${personId}, ${now}, ${now})`;
  }
}
