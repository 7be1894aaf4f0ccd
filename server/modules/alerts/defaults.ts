import type { Context } from '../../kit/context.ts';
import type { Condition } from './condition.ts';
import { type AlertKind, conditions } from './conditions/index.ts';
import { type AlertRule, insertRules } from './rules.ts';

const AT_ONCE = 100;

interface DefaultsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  /** Whether the service can send email. */
  readonly hasMail: () => boolean;
}

/**
 * Gives new accounts the first rules of conditions: what nobody wants to find out by themselves, and no matter of taste. They tell their owners by mail, where mails can be sent. Subscribers get none: rules of their
 * parent account look at their balances, too.
 */
export class DefaultAlertRules {
  readonly #deps: DefaultsDeps;

  constructor(deps: DefaultsDeps) {
    this.#deps = deps;
  }

  /** Creates the default rules of accounts that have not received them yet. Throws errors of the database. */
  async run(): Promise<void> {
    const { sql, clock, hasMail } = this.#deps;
    if (!hasMail()) return;
    const [without] = await sql`
      SELECT 1 FROM accounts a WHERE NOT EXISTS (SELECT FROM alert_defaults d WHERE d.account_id = a.id) LIMIT 1`;
    if (!without) return;
    await sql.begin(async (tx) => {
      const accounts = await tx<{ id: number; isSubscriber: boolean }[]>`
        INSERT INTO alert_defaults (account_id)
        SELECT a.id FROM accounts a WHERE NOT EXISTS (SELECT FROM alert_defaults d WHERE d.account_id = a.id)
        ORDER BY a.id LIMIT ${AT_ONCE}
        ON CONFLICT ON CONSTRAINT alert_defaults_pkey DO NOTHING
        RETURNING account_id AS id,
          (SELECT parent_id IS NOT NULL FROM accounts a WHERE a.id = account_id) AS "isSubscriber"`;
      const rules = accounts
        .filter(({ isSubscriber }) => !isSubscriber)
        .flatMap(({ id }) => conditions.flatMap((condition) => this.#ruleOf(id, condition)));
      await insertRules(tx, rules, clock.now());
    });
  }

  #ruleOf(accountId: number, { kind, firstRule, thresholds, forMinutes }: Condition<AlertKind>): AlertRule[] {
    if (!firstRule) return [];
    const rule: AlertRule = {
      id: this.#deps.ids.next(),
      accountId,
      name: firstRule.name,
      kind,
      thresholds: { ...thresholds, ...firstRule.thresholds },
      enabled: true,
      forMinutes,
      clearMinutes: CLEAR_MINUTES,
      pauseMinutes: PAUSE_MINUTES,
      stopped: null,
      recipients: { owners: true, mails: [], phones: [], webhook: false, language: 'en', accountId: null },
    };
    return [rule];
  }
}

/** Defaults for rules that do not set these fields. */
export const CLEAR_MINUTES = 5;
export const PAUSE_MINUTES = 60;
