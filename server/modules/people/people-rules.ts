import type { Queryable, Sql } from '../../database/connection.ts';
import { NO_ACCOUNT } from './audit.ts';
import type { NoteChange } from './people.ts';
import { hasPasskey } from './person.ts';

/** Sign-in rules for all people of an account, or for the operator's people. */
interface PeopleRuleSet {
  /** People without a second factor can do nothing except set one up. */
  readonly secondFactorRequired: boolean;
  /**
   * The operator requires a second factor from the people of this account, so its owners cannot remove the requirement.
   */
  readonly secondFactorDemanded: boolean;
  /** Only in the operator's rules: a second factor is required from the people of every account. */
  readonly secondFactorOfAccounts: boolean;
  /** The people of this account can sign in only by a provider. */
  readonly providerOnly: boolean;
}

/** The rules, with their effects. */
interface PeopleRulesRow extends PeopleRuleSet {
  /** The operator requires a second factor, for this account or for all. */
  readonly byOperator: boolean;
  /** Number of people who can sign in and have no second factor. */
  readonly withoutSecondFactor: number;
}

/**
 * Sign-in rules for all people of an account. Each look-up of a session reads them (Sessions.find), so a change takes
 * effect with the next request in every process.
 */
export class PeopleRules {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the rules of an account, or with null those of the operator's people. */
  async find(accountId: number | null): Promise<PeopleRulesRow> {
    return findRules(this.#sql, accountId);
  }

  /**
   * Updates the given rules of an account, or with null those of the operator's people. `note` writes the audit entry.
   * If a provider becomes required, sessions without one end.
   */
  async change(
    accountId: number | null,
    given: Partial<PeopleRuleSet>,
    note: NoteChange,
  ): Promise<PeopleRulesRow> {
    return this.#sql.begin(async (tx) => {
      const before = await findRules(tx, accountId);
      const rules = { ...before, ...given };
      await tx`
        INSERT INTO people_rules (account_id, second_factor_required, second_factor_demanded, second_factor_of_accounts,
          provider_only)
        VALUES (${accountId ?? NO_ACCOUNT}, ${rules.secondFactorRequired}, ${rules.secondFactorDemanded},
          ${rules.secondFactorOfAccounts}, ${rules.providerOnly})
        ON CONFLICT ON CONSTRAINT people_rules_pkey
          DO UPDATE SET second_factor_required = excluded.second_factor_required,
            second_factor_demanded = excluded.second_factor_demanded,
            second_factor_of_accounts = excluded.second_factor_of_accounts, provider_only = excluded.provider_only`;
      if (rules.providerOnly && !before.providerOnly) {
        await tx`
          DELETE FROM sessions s USING people p
          WHERE p.id = s.person_id AND p.account_id = ${accountId} AND s.provider_id IS NULL`;
      }
      await note(tx, { kind: 'people-rules', before: shown(before), after: shown(rules) });
      return findRules(tx, accountId);
    });
  }
}

/** The rules as the audit log shows them, without the operator's rules that are off. */
const shown = (rules: PeopleRuleSet) => ({
  second_factor_required: rules.secondFactorRequired,
  ...(rules.secondFactorDemanded && { second_factor_demanded: true }),
  ...(rules.secondFactorOfAccounts && { second_factor_of_accounts: true }),
  ...(rules.providerOnly && { provider_only: true }),
});

/**
 * Condition: a second factor is required from a person of the table `people` (alias `p`), by the rules of the account
 * or by the operator.
 */
export function isSecondFactorRequiredOf(sql: Queryable) {
  return sql`EXISTS (
    SELECT FROM people_rules r
    WHERE r.account_id = coalesce(p.account_id, ${NO_ACCOUNT}::bigint) AND (r.second_factor_required OR r.second_factor_demanded)
      OR r.account_id = ${NO_ACCOUNT} AND r.second_factor_of_accounts AND p.account_id IS NOT NULL)`;
}

/**
 * Condition: the operator requires a second factor from a person of the table `people` (alias `p`), whatever the rules
 * of the account.
 */
export function isSecondFactorDemandedOf(sql: Queryable) {
  return sql`EXISTS (
    SELECT FROM people_rules r
    WHERE p.account_id IS NOT NULL AND (r.account_id = p.account_id AND r.second_factor_demanded
      OR r.account_id = ${NO_ACCOUNT} AND r.second_factor_of_accounts))`;
}

/** Whether the people of an account, or with null the operator's people, must have a second factor. */
export async function isSecondFactorRequired(tx: Queryable, accountId: number | null): Promise<boolean> {
  const [row] = await tx<{ required: boolean }[]>`
    SELECT ${isSecondFactorRequiredOf(tx)} AS required FROM (SELECT ${accountId}::bigint AS account_id) p`;
  return row!.required;
}

async function findRules(sql: Queryable, accountId: number | null): Promise<PeopleRulesRow> {
  const [people] = await sql<{ without: number }[]>`
    SELECT count(*)::int AS without FROM people p
    WHERE account_id IS NOT DISTINCT FROM ${accountId}::bigint AND NOT suspended AND totp_enabled_at IS NULL
      AND NOT ${hasPasskey(sql)}`;
  const rows = await sql<(PeopleRuleSet & { accountId: number })[]>`
    SELECT account_id AS "accountId", second_factor_required AS "secondFactorRequired",
      second_factor_demanded AS "secondFactorDemanded", second_factor_of_accounts AS "secondFactorOfAccounts",
      provider_only AS "providerOnly"
    FROM people_rules WHERE account_id IN (${accountId ?? NO_ACCOUNT}, ${NO_ACCOUNT})`;
  const own = rows.find((row) => row.accountId === (accountId ?? NO_ACCOUNT));
  const operators = rows.find((row) => row.accountId === NO_ACCOUNT);
  const demanded = own?.secondFactorDemanded ?? false;
  return {
    secondFactorRequired: own?.secondFactorRequired ?? false,
    secondFactorDemanded: demanded,
    secondFactorOfAccounts: (accountId === null && own?.secondFactorOfAccounts) || false,
    providerOnly: own?.providerOnly ?? false,
    byOperator: accountId !== null && (demanded || (operators?.secondFactorOfAccounts ?? false)),
    withoutSecondFactor: people!.without,
  };
}
