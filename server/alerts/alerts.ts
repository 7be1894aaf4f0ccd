import type { Accounts } from '../accounts/accounts.ts';
import type { Authors } from '../authors/authors.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { Questions } from '../budgets/questions.ts';
import type { CarrierNetwork } from '../connectors/network.ts';
import type { Context } from '../context.ts';
import { onePlacement, type Placements } from '../database/placements.ts';
import type { DueJob, DueRows } from '../due-look.ts';
import type { Events } from '../events/events.ts';
import type { FraudGuard } from '../fraud-guard/fraud-guard.ts';
import type { Gate } from '../gate/gate.ts';
import { idFloor } from '../ids.ts';
import type { Acceptor } from '../messages/accept.ts';
import { cleanUpDeliveryHours } from '../messages/delivery-hours.ts';
import { type SendKey, type SendKeys, storeSendKey } from '../send-keys/send-keys.ts';
import type { Work } from '../work/work.ts';
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
/** What the last tests of a rule came to: so many recipients are shown. */
const MAX_TESTS = 20;

interface AlertsDeps extends Context {
  readonly placements: Placements;
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
  /** Undefined where no relay is set up; the mail channel, which opens later, sets it. */
  readonly mailer: () => SendServiceMail | undefined;
  /** Where pages of the service are, without a slash at the end. */
  readonly pageBase: () => string;
}

/** An alert with what was told of it. */
export interface AlertRow extends Incident {
  readonly notifications: readonly NotificationRow[];
}

/** Which alerts of an account are listed. */
interface AlertFilter {
  /** Undefined: all. */
  readonly state: 'open' | 'ended' | undefined;
  readonly ruleId: number | undefined;
  /** Those before this id. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Alerts to people (docs/decisions/0019-alerts.md): rules, what they found, and who was told. */
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

  /** Alerts that have begun, the newest first, with what was told of them. */
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

  /** How many alerts are open. */
  async countOpen(accountId: number): Promise<number> {
    const [row] = await this.#deps.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM alert_incidents
      WHERE account_id = ${accountId} AND began_at IS NOT NULL AND ended_at IS NULL`;
    return row!.count;
  }

  /**
   * Tells the recipients of a rule, those by these means, of an example, and stores the send key with that. Gives how many messages that are;
   * undefined when there is no such rule. What they come to is in `tests`.
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

  /** What the last tests of a rule came to, the latest first. */
  tests(accountId: number, ruleId: number): Promise<readonly NotificationRow[]> {
    return testsOf(this.#deps.sql, accountId, ruleId, MAX_TESTS);
  }

  /** What it does now and then. */
  get jobs(): readonly DueJob[] {
    return [
      {
        owner: 'alert rules',
        everyMs: SECOND_MS,
        step: () => this.#evaluator.run(),
        ...this.#dueBy(() => this.#evaluator.due()),
      },
      {
        owner: 'first alert rules',
        everyMs: DEFAULTS_MS,
        step: () => this.#defaults.run(),
      },
    ];
  }

  /** The common look for work asks the nodes of a distributed database, which do not have these tables: there a job looks by itself. */
  #dueBy(due: () => DueRows): Pick<DueJob, 'due'> {
    return this.#deps.placements === onePlacement ? { due: () => [due()] } : {};
  }

  /** Removes alerts that ended `keepDays` ago, and what was told of them. */
  async cleanUp(keepDays: number): Promise<void> {
    const { sql, clock } = this.#deps;
    const before = clock.now() - keepDays * DAY_MS;
    await sql`DELETE FROM alert_incidents WHERE ended_at < ${before}`;
    await sql`DELETE FROM alert_notifications WHERE state <> 'waiting' AND id < ${idFloor(before)}`;
    await cleanUpDeliveryHours(sql, clock.now());
    await this.contacts.cleanUp();
  }
}
