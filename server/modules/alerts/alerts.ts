import { type SendKey, type SendKeys, storeSendKey } from '../../api/send-keys/send-keys.ts';
import type { DueJob } from '../../database/due-look.ts';
import type { CarrierNetwork } from '../../engine/connectors/network.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Gate } from '../../engine/gate/gate.ts';
import type { Acceptor } from '../../engine/messages/accept.ts';
import { cleanUpDeliveryHours } from '../../engine/messages/delivery-hours.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Authors } from '../authors/authors.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { Questions } from '../budgets/questions.ts';
import type { FraudGuard } from '../fraud-guard/fraud-guard.ts';
import { AlertContacts } from './contacts.ts';
import { DefaultAlertRules } from './defaults.ts';
import { AlertEvaluator } from './evaluator.ts';
import { exampleOf } from './example.ts';
import { type Incident, incidentColumns } from './incident-rows.ts';
import { askByMail, byMail, type SendServiceMail } from './means/mail.ts';
import { askBySms, bySms } from './means/sms.ts';
import { byWebhook } from './means/webhook.ts';
import {
  type AlertMeans,
  AlertNotifications,
  type NotificationRow,
  notificationsOf,
  testsOf,
} from './notifications.ts';
import { AlertRules } from './rules.ts';

const SECOND_MS = 1_000;
const DEFAULTS_MS = 10_000;
const DAY_MS = 86_400_000;
/** Maximum number of test notifications that the list of a rule's tests returns. */
const MAX_TESTS = 20;

interface AlertsDeps extends Context {
  readonly work: Work;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly authors: Pick<Authors, 'check'>;
  readonly network: CarrierNetwork;
  readonly acceptor: Acceptor;
  readonly gate: Pick<Gate, 'service' | 'refresh' | 'isSuspended'>;
  readonly sendKeys: SendKeys;
  readonly events: Pick<Events, 'record'>;
  readonly budgets: Pick<BudgetBook, 'take' | 'tryTake'>;
  readonly fraudGuard: FraudGuard;
  readonly questions: Pick<Questions, 'take'>;
  /** Undefined without a relay; the mail channel, which opens later, sets it. */
  readonly mailer: () => SendServiceMail | undefined;
  /** Base address of the service's pages, without a trailing slash. */
  readonly pageBase: () => string;
}

/** An alert with its notifications. */
export interface AlertRow extends Incident {
  readonly notifications: readonly NotificationRow[];
}

/** Filter for the alerts of an account. */
interface AlertFilter {
  /** Undefined for both. */
  readonly state: 'open' | 'ended' | undefined;
  readonly ruleId: number | undefined;
  /** Upper bound of the ids, exclusive. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Alerts to people (docs/decisions/0019-alerts.md): rules, their incidents, and the notifications. */
export class Alerts {
  readonly rules: AlertRules;
  readonly contacts: AlertContacts;
  readonly #deps: AlertsDeps;
  readonly #notifications: AlertNotifications;
  readonly #evaluator: AlertEvaluator;
  readonly #defaults: DefaultAlertRules;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
    const sms = { ...deps, routing: deps.network.routing, source: deps.config.VERIFY_SMS_SOURCE };
    this.contacts = new AlertContacts({ ...deps, ask: { mail: askByMail(deps), sms: askBySms(sms) } });
    const { contacts } = this;
    const hasMail = () => deps.mailer() !== undefined;
    this.rules = new AlertRules({ ...deps, contacts, hasMail });
    this.#notifications = new AlertNotifications({
      ...deps,
      contacts,
      means: {
        mail: byMail(deps),
        sms: bySms(sms),
        webhook: byWebhook(deps),
      },
    });
    this.#evaluator = new AlertEvaluator({ ...deps, notifications: this.#notifications });
    this.#defaults = new DefaultAlertRules({ ...deps, hasMail });
  }

  /** Lists alerts that have begun, newest first, with their notifications. */
  async list(accountId: number, { state, ruleId, before, limit }: AlertFilter): Promise<AlertRow[]> {
    const { sql } = this.#deps;
    const incidents = await sql<Incident[]>`
      SELECT ${incidentColumns(sql)} FROM alert_incidents i
      WHERE i.account_id = ${accountId} AND i.began_at IS NOT NULL AND i.id < ${before ?? Number.MAX_SAFE_INTEGER}
        ${state === undefined ? sql`` : state === 'open' ? sql`AND i.ended_at IS NULL` : sql`AND i.ended_at IS NOT NULL`}
        ${ruleId === undefined ? sql`` : sql`AND i.rule_id = ${ruleId}`}
      ORDER BY i.id DESC LIMIT ${limit}`;
    const ids = incidents.map(({ id }) => id);
    const notifications = await notificationsOf(sql, accountId, ids);
    return incidents.map((incident) => ({
      ...incident,
      notifications: notifications.filter(({ incidentIds }) => incidentIds.includes(incident.id)),
    }));
  }

  /** Returns the number of open alerts. */
  async countOpen(accountId: number): Promise<number> {
    const [row] = await this.#deps.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM alert_incidents
      WHERE account_id = ${accountId} AND began_at IS NOT NULL AND ended_at IS NULL`;
    return row!.count;
  }

  /**
   * Sends an example notification to the recipients of a rule by the given means, and stores the send key in the same
   * transaction. Returns the number of messages; undefined when the rule does not exist. `tests` returns their results.
   */
  async test(
    accountId: number,
    ruleId: number,
    means: readonly AlertMeans[],
    sendKey: SendKey<{ readonly recipients: number }> | undefined,
  ): Promise<{ readonly recipients: number } | undefined> {
    const { sql, ids, clock } = this.#deps;
    const rule = await this.rules.find(accountId, ruleId);
    if (!rule) return undefined;
    return sql.begin(async (tx) => {
      const example = exampleOf(rule.kind, ids.next(), clock.now());
      const result = { recipients: await this.#notifications.addTest(tx, rule, example, means) };
      await storeSendKey(tx, rule.recipients.accountId ?? accountId, sendKey, result);
      return result;
    });
  }

  /** Returns the results of the last tests of a rule, newest first. */
  tests(accountId: number, ruleId: number): Promise<readonly NotificationRow[]> {
    return testsOf(this.#deps.sql, accountId, ruleId, MAX_TESTS);
  }

  /** Periodic jobs of the alerts. */
  get jobs(): readonly DueJob[] {
    return [
      {
        owner: 'alert rules',
        everyMs: SECOND_MS,
        step: () => this.#evaluator.run(),
        dueOnCoordinator: () => [this.#evaluator.due()],
      },
      {
        owner: 'first alert rules',
        everyMs: DEFAULTS_MS,
        step: () => this.#defaults.run(),
      },
    ];
  }

  /** Deletes alerts that ended `keepDays` ago or earlier, and their notifications. */
  async cleanUp(keepDays: number): Promise<void> {
    const { sql, clock } = this.#deps;
    const before = clock.now() - keepDays * DAY_MS;
    await sql`DELETE FROM alert_incidents WHERE ended_at < ${before}`;
    await sql`DELETE FROM alert_notifications WHERE state <> 'waiting' AND id < ${idFloor(before)}`;
    await cleanUpDeliveryHours(sql, clock.now());
    await this.contacts.cleanUp();
  }
}
