import { numbers } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { timeOfId } from '../../kit/ids.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import { authorsOf, isBy, type Stopped } from '../authors/authors.ts';
import type { People } from '../people/people.ts';

/** Maximum number of rules of an account: each message of a client is compared with all of them. */
export const MAX_RULES = 50;
/** Maximum count of matches; it means "this many or more". */
const MAX_COUNTED = 10_000;

export const ruleMatches = ['exact', 'contains', 'starts'] as const;
export const ruleTimes = ['always', 'open-hours', 'closed-hours'] as const;

/** Conditions of a rule. All must hold; an empty list is no condition. */
export interface RuleConditions {
  /** Names of channels. */
  readonly channels: readonly string[];
  /** Our numbers (E.164 digits) and addresses. */
  readonly senders: readonly string[];
  /** At least one must match. The comparison ignores case, diacritics and surrounding punctuation. */
  readonly keywords: readonly string[];
  readonly match: (typeof ruleMatches)[number];
  readonly when: (typeof ruleTimes)[number];
  /** Only messages that began the conversation, or reopened it. */
  readonly first_only: boolean;
}

/** Actions of a rule, in this order. */
export interface RuleActions {
  /** Automatic reply: a saved reply, or a text; null for none. */
  readonly saved_reply_id: number | null;
  readonly reply_text: string | null;
  readonly label_ids: readonly number[];
  /** Assignee for unassigned conversations: a person, or the next by turns. */
  readonly assignee_id: number | null;
  readonly assign_by_turns: boolean;
  /** Records the event `conversation.rule_matched`. */
  readonly webhook: boolean;
  /** Later rules are skipped. */
  readonly stop: boolean;
}

export interface ConversationRule extends RuleConditions, RuleActions {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  /** Why the service disabled the rule: its author lost the right to send. Null after a change. */
  readonly stopped: 'author' | null;
}

export type RuleInput = Omit<ConversationRule, 'id' | 'stopped'>;

/** A rule with statistics. */
export interface RuleRow extends ConversationRule {
  /** Number of matches within the retention of entries, up to MAX_COUNTED. */
  readonly matches: number;
  /** Time of the last match, in milliseconds since the epoch; null: never. */
  readonly last_match_at: number | null;
}

/** Actions of a rule for one message. */
export interface RuleLogRow {
  readonly id: number;
  readonly conversation_id: number;
  readonly client: string;
  readonly client_name: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}

interface RulesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  /** Called with the account after a change. */
  readonly changed: (accountId: number) => void;
  readonly people: Pick<People, 'listAgents'>;
}

interface StoredRule {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly stopped: 'author' | null;
  readonly rule: RuleConditions & RuleActions;
}

/** Rules for messages of clients, in order of evaluation. */
export class ConversationRules {
  readonly #deps: RulesDeps;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  /** Returns the rules of an account in their order, with statistics. */
  async list(accountId: number): Promise<RuleRow[]> {
    const { sql } = this.#deps;
    const rules = await readRules(sql, accountId);
    return Promise.all(rules.map((rule) => withMatches(sql, accountId, rule)));
  }

  /** Returns a rule with statistics; undefined if no rule has this id. */
  async find(accountId: number, id: number): Promise<RuleRow | undefined> {
    const { sql } = this.#deps;
    const rule = await readRule(sql, accountId, id);
    return rule && withMatches(sql, accountId, rule);
  }

  /**
   * Stores a new rule after the others. Throws Refusal `bad-field` for a rule without actions, or with an unknown
   * person, label or saved reply; `not-now` at MAX_RULES.
   */
  async create(accountId: number, { name, enabled, ...rule }: RuleInput): Promise<RuleRow> {
    const { sql, ids, clock, changed } = this.#deps;
    await this.#check(accountId, rule);
    const id = ids.next();
    const now = clock.now();
    const { tokenId, personId } = currentAuthor();
    await sql.begin(async (tx) => {
      const [last] = await tx<{ count: number; position: number }[]>`
        SELECT count(*)::int AS count, coalesce(max(position), 0)::int AS position FROM conversation_rules
        WHERE account_id = ${accountId}`;
      if (last!.count >= MAX_RULES) {
        const detail = { reason: 'too-many', params: { max: MAX_RULES } } as const;
        throw new Refusal('not-now', `the account has ${MAX_RULES} rules`, undefined, detail);
      }
      await tx`
        INSERT INTO conversation_rules (account_id, id, position, name, enabled, rule, created_at, updated_at, author_token_id,
          author_person_id)
        VALUES (${accountId}, ${id}, ${last!.position + 1}, ${name}, ${enabled}, ${JSON.stringify(rule)}::text::jsonb,
          ${now}, ${now}, ${tokenId}, ${personId})`;
    });
    changed(accountId);
    return { id, name, enabled, stopped: null, ...rule, matches: 0, last_match_at: null };
  }

  /**
   * Updates the given fields; undefined if the account has no rule with this id. The caller becomes the author of the
   * rule. Throws Refusal `bad-field` as `create` does.
   */
  async change(
    accountId: number,
    id: number,
    change: { readonly [K in keyof RuleInput]?: RuleInput[K] | undefined },
  ): Promise<RuleRow | undefined> {
    const { sql, clock, changed } = this.#deps;
    const before = await readRule(sql, accountId, id);
    if (!before) return undefined;
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const { id: _id, name, enabled, stopped: _stopped, ...rule }: ConversationRule = { ...before, ...given };
    const { tokenId, personId } = currentAuthor();
    await this.#check(accountId, rule);
    await sql`
      UPDATE conversation_rules SET name = ${name}, enabled = ${enabled}, rule = ${JSON.stringify(rule)}::text::jsonb,
        updated_at = ${clock.now()}, stopped = NULL, author_token_id = ${tokenId}, author_person_id = ${personId}
      WHERE account_id = ${accountId} AND id = ${id}`;
    changed(accountId);
    return this.find(accountId, id);
  }

  /**
   * Sets the order of the rules. Throws Refusal `bad-field` unless `ids` contains each rule of the account exactly
   * once.
   */
  async order(accountId: number, ids: readonly number[]): Promise<void> {
    const { sql, changed } = this.#deps;
    await sql.begin(async (tx) => {
      const known = await lockRules(tx, accountId);
      if (new Set(ids).size !== ids.length || ids.length !== known.size || ids.some((id) => !known.has(id))) {
        throw badField('ids', 'must have every rule once', 'changed-meanwhile');
      }
      for (const [index, id] of ids.entries()) {
        await tx`
          UPDATE conversation_rules SET position = ${index + 1} WHERE account_id = ${accountId} AND id = ${id}`;
      }
    });
    changed(accountId);
  }

  /** Deletes a rule; its entries stay in the conversations. Returns whether it existed. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql, changed } = this.#deps;
    const rows = await sql`
      DELETE FROM conversation_rules WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    changed(accountId);
    return rows.length > 0;
  }

  /**
   * Returns up to `most` log entries of a rule before the id `before`, newest first; undefined if no rule has this id.
   */
  async log(
    accountId: number,
    id: number,
    before: number | undefined,
    most: number,
  ): Promise<RuleLogRow[] | undefined> {
    const { sql } = this.#deps;
    if (!(await readRule(sql, accountId, id))) return undefined;
    return sql<RuleLogRow[]>`
      SELECT e.id, e.conversation_id, c.client, c.client_name, e.details FROM conversation_entries e
      JOIN conversations c ON c.account_id = ${accountId} AND c.id = e.conversation_id
      WHERE e.account_id = ${accountId} AND e.rule_id = ${id} AND e.kind = 'rule'
        AND e.id < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY e.id DESC LIMIT ${most}`;
  }

  /** Returns the authors of the enabled rules, for `AuthoredWork`. */
  authors(): Promise<Author[]> {
    const { sql } = this.#deps;
    return authorsOf(sql, sql`FROM conversation_rules WHERE enabled`);
  }

  /** Disables the enabled rules of these authors. */
  stop(tx: TransactionSql, authors: readonly Author[]): Promise<Stopped[]> {
    return tx<Stopped[]>`
      UPDATE conversation_rules SET enabled = false, stopped = 'author', updated_at = ${this.#deps.clock.now()}
      WHERE enabled AND ${isBy(tx, authors)} RETURNING account_id AS "accountId", id`;
  }

  /** Has the rules of these accounts read again. */
  announce(stopped: readonly Stopped[]): void {
    for (const accountId of new Set(stopped.map((one) => one.accountId))) this.#deps.changed(accountId);
  }

  async #check(accountId: number, rule: RuleConditions & RuleActions): Promise<void> {
    const { sql, people } = this.#deps;
    const { saved_reply_id, reply_text, label_ids, assignee_id, assign_by_turns, webhook } = rule;
    const acts = saved_reply_id !== null || reply_text !== null || assignee_id !== null || assign_by_turns;
    if (!acts && label_ids.length === 0 && !webhook) {
      throw badField('reply_text', 'it does nothing', 'rule-does-nothing');
    }
    if (saved_reply_id !== null && reply_text !== null) {
      throw badField('reply_text', 'there is a saved reply too', 'one-of-both');
    }
    if (assignee_id !== null && assign_by_turns) {
      throw badField('assign_by_turns', 'there is a person too', 'one-of-both');
    }
    if (assignee_id !== null) {
      const agents = await people.listAgents(accountId);
      if (!agents.some(({ id }) => id === assignee_id))
        throw unknown('no person who answers conversations has this id', 'assignee_id');
    }
    if (saved_reply_id !== null) {
      const found = await sql`
        SELECT 1 FROM saved_replies WHERE account_id = ${accountId} AND id = ${saved_reply_id}`;
      if (found.length === 0) throw unknown('there is no such saved reply', 'saved_reply_id');
    }
    const labels = await sql<{ id: number }[]>`
      SELECT id FROM conversation_labels
      WHERE account_id = ${accountId} AND id = ANY(${numbers(label_ids)}::bigint[])`;
    const known = new Set(labels.map(({ id }) => id));
    const missing = label_ids.findIndex((id) => !known.has(id));
    if (missing >= 0) throw unknown('there is no such label', `label_ids[${missing}]`);
  }
}

const unknown = (problem: string, path: string) => badField(path, problem, 'unknown');

/** Returns the rules of an account in their order. */
async function readRules(sql: Queryable, accountId: number): Promise<ConversationRule[]> {
  return (await readRulesOf(sql, [accountId])).get(accountId) ?? [];
}

/** Returns the rules of accounts that have some, in their order. */
export async function readRulesOf(
  sql: Queryable,
  accountIds: readonly number[],
): Promise<Map<number, ConversationRule[]>> {
  const rows = await sql<(StoredRule & { readonly account_id: number })[]>`
    SELECT account_id, id, name, enabled, stopped, rule FROM conversation_rules
    WHERE account_id = ANY(${numbers(accountIds)}::bigint[]) ORDER BY account_id, position, id`;
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id);
  return new Map(
    [...byAccount].map(([accountId, own]) => [
      accountId,
      own.map(({ account_id: _, ...row }) => asRule(row)),
    ]),
  );
}

async function readRule(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<ConversationRule | undefined> {
  const [row] = await sql<StoredRule[]>`
    SELECT id, name, enabled, stopped, rule FROM conversation_rules WHERE account_id = ${accountId} AND id = ${id}`;
  return row && asRule(row);
}

const asRule = ({ rule, ...row }: StoredRule): ConversationRule => ({ ...row, ...rule });

async function lockRules(tx: TransactionSql, accountId: number): Promise<Set<number>> {
  const rows = await tx<{ id: number }[]>`
    SELECT id FROM conversation_rules WHERE account_id = ${accountId} ORDER BY id FOR UPDATE`;
  return new Set(rows.map(({ id }) => id));
}

async function withMatches(sql: Queryable, accountId: number, rule: ConversationRule): Promise<RuleRow> {
  const [found] = await sql<{ count: number; last: number | null }[]>`
    SELECT count(*)::int AS count, max(id) AS last FROM (
      SELECT id FROM conversation_entries
      WHERE account_id = ${accountId} AND rule_id = ${rule.id} AND kind = 'rule'
      ORDER BY id DESC LIMIT ${MAX_COUNTED}
    ) e`;
  const { count, last } = found!;
  return { ...rule, matches: count, last_match_at: last === null ? null : timeOfId(last) };
}
