import type { Queryable, Sql } from '../database/connection.ts';
import { NO_ACCOUNT } from './audit.ts';
import type { NoteChange } from './people.ts';
import { hasPasskey } from './person.ts';

/** What is demanded of all people of an account, or of the operator's people. */
interface PeopleRuleSet {
  /** People without a second factor may do nothing but set one up. */
  readonly secondFactorRequired: boolean;
  /** The operator demands it of the people of this account, so that its owners cannot lift it. */
  readonly secondFactorDemanded: boolean;
  /** Of the operator's rules: the operator demands it of the people of every account. */
  readonly secondFactorOfAccounts: boolean;
  /** The people of this account sign in by a provider alone. */
  readonly providerOnly: boolean;
}

/** The rules with what they come to. */
interface PeopleRulesRow extends PeopleRuleSet {
  /** The operator demands it, of this account or of all. */
  readonly byOperator: boolean;
  /** People who may sign in and have no second factor. */
  readonly withoutSecondFactor: number;
}

/**
 * The rules that hold for all people of an account. They are read with each session (Sessions.find), so a change holds
 * for the next request in every process.
 */
export class PeopleRules {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The rules of an account, or with null those of the operator's people. */
  async find(accountId: number | null): Promise<PeopleRulesRow> {
    return findRules(this.#sql, accountId);
  }

  /**
   * Changes the rules of an account, or with null those of the operator's people: those that are given. `note` writes the
   * audit entry. Sessions that began without a provider end when one is required.
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

/** What the audit log has of rules: those that hold for one are there, whatever the account. */
const shown = (rules: PeopleRuleSet) => ({
  second_factor_required: rules.secondFactorRequired,
  ...(rules.secondFactorDemanded && { second_factor_demanded: true }),
  ...(rules.secondFactorOfAccounts && { second_factor_of_accounts: true }),
  ...(rules.providerOnly && { provider_only: true }),
});

/**
 * Whether a second factor is required of somebody of the table `people`, which the statement has to call `p`: by the rules of
 * the account, or by the operator.
 */
export function isSecondFactorRequiredOf(sql: Queryable) {
  return sql`EXISTS (
    SELECT FROM people_rules r
    WHERE r.account_id = coalesce(p.account_id, ${NO_ACCOUNT}::bigint) AND (r.second_factor_required OR r.second_factor_demanded)
      OR r.account_id = ${NO_ACCOUNT} AND r.second_factor_of_accounts AND p.account_id IS NOT NULL)`;
}

/** Whether the operator demands a second factor of somebody of the table `people`, whatever the account says; as above. */
export function isSecondFactorDemandedOf(sql: Queryable) {
  return sql`EXISTS (
    SELECT FROM people_rules r
    WHERE p.account_id IS NOT NULL AND (r.account_id = p.account_id AND r.second_factor_demanded
      OR r.account_id = ${NO_ACCOUNT} AND r.second_factor_of_accounts))`;
}

/** Whether a second factor is required of the people of an account, or with null of the operator's. */
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
