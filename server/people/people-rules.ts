import type { Queryable, Sql } from '../database/connection.ts';
import { NO_ACCOUNT } from './audit.ts';
import type { NoteChange } from './people.ts';

/** What is demanded of all people of an account, or of the operator's people. */
interface PeopleRuleSet {
  /** People without a second factor may do nothing but set one up. */
  readonly secondFactorRequired: boolean;
}

/** The rules with how many people they stop. */
interface PeopleRulesRow extends PeopleRuleSet {
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

  /** Changes the rules of an account, or with null those of the operator's people; `note` writes the audit entry. */
  async change(accountId: number | null, rules: PeopleRuleSet, note: NoteChange): Promise<PeopleRulesRow> {
    return this.#sql.begin(async (tx) => {
      const before = await findRules(tx, accountId);
      await tx`
        INSERT INTO people_rules (account_id, second_factor_required)
        VALUES (${accountId ?? NO_ACCOUNT}, ${rules.secondFactorRequired})
        ON CONFLICT ON CONSTRAINT people_rules_pkey
          DO UPDATE SET second_factor_required = excluded.second_factor_required`;
      await note(tx, {
        kind: 'people-rules',
        before: { second_factor_required: before.secondFactorRequired },
        after: { second_factor_required: rules.secondFactorRequired },
      });
      return { ...before, ...rules };
    });
  }
}

/** Whether a second factor is demanded of the people of an account, or with null of the operator's. */
export async function isSecondFactorRequired(tx: Queryable, accountId: number | null): Promise<boolean> {
  const rows = await tx`
    SELECT FROM people_rules WHERE account_id = ${accountId ?? NO_ACCOUNT} AND second_factor_required`;
  return rows.length > 0;
}

async function findRules(sql: Queryable, accountId: number | null): Promise<PeopleRulesRow> {
  const [people] = await sql<{ without: number }[]>`
    SELECT count(*)::int AS without FROM people
    WHERE account_id IS NOT DISTINCT FROM ${accountId}::bigint AND NOT suspended AND totp_enabled_at IS NULL`;
  return {
    secondFactorRequired: await isSecondFactorRequired(sql, accountId),
    withoutSecondFactor: people!.without,
  };
}
