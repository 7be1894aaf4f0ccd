import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField } from '../../kit/errors.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import type { OpeningHours, WeekHours } from '../../kit/week-hours.ts';
import { authorsOf, isBy, type Stopped } from '../authors/authors.ts';
import type { Agent, People } from '../people/people.ts';

/** A day without office hours. */
export interface ClosedDate {
  /** `2027-10-02` */
  readonly date: string;
  readonly name: string;
}

/** Settings for conversations of an account. */
export interface ConversationSettings {
  /** Null: always open. */
  readonly hours: WeekHours | null;
  readonly closed_dates: readonly ClosedDate[];
  /** Sent to clients who write outside office hours; null: nothing is sent. */
  readonly away_text: string | null;
  /** Why the away message is disabled: its author lost the right to send. Null after a change of the text. */
  readonly away_stopped: 'author' | null;
  /** Whether conversations are assigned to people by turns. */
  readonly by_turns: boolean;
  /** People who take part in turns; empty: everybody who may answer. */
  readonly turn_ids: readonly number[];
  /** Days without activity after which a conversation is closed; null: never. */
  readonly close_after_days: number | null;
  /** Countries outside the home country that may get automatic replies by SMS, as `US`. */
  readonly reply_countries: readonly string[];
}

/** Changes of the settings; undefined keeps the value. */
type SettingsChange = {
  readonly [K in Exclude<keyof ConversationSettings, 'away_stopped'>]?: ConversationSettings[K] | undefined;
};

/** Settings of an account that has changed none. */
export const defaultSettings: ConversationSettings = {
  hours: null,
  closed_dates: [],
  away_text: null,
  away_stopped: null,
  by_turns: false,
  turn_ids: [],
  close_after_days: null,
  reply_countries: [],
};

interface SettingsDeps extends Pick<Context, 'sql'> {
  /** Called with the account after a change. */
  readonly changed: (accountId: number) => void;
  readonly people: Pick<People, 'listAgents'>;
}

/** The settings of the conversations of each account. */
export class ConversationSettingsStore {
  readonly #deps: SettingsDeps;

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
  }

  /** Returns the settings of an account, or the defaults. */
  async find(accountId: number): Promise<ConversationSettings> {
    return readSettings(this.#deps.sql, accountId);
  }

  /**
   * Updates the given fields. A new away message has the caller as its author. Throws Refusal `bad-field` if
   * `turn_ids` contains a person who may not answer.
   */
  async change(
    accountId: number,
    change: SettingsChange,
  ): Promise<{ before: ConversationSettings; after: ConversationSettings }> {
    const { sql, changed, people } = this.#deps;
    if (change.turn_ids) checkTurns(change.turn_ids, await people.listAgents(accountId));
    const both = await sql.begin(async (tx) => {
      await insertDefaults(tx, [accountId]);
      await tx`SELECT 1 FROM conversation_settings WHERE account_id = ${accountId} FOR UPDATE`;
      const before = await readSettings(tx, accountId);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const isAuthor = change.away_text !== undefined;
      const after: ConversationSettings = { ...before, ...given, ...(isAuthor && { away_stopped: null }) };
      const { tokenId, personId } = currentAuthor();
      await tx`
        UPDATE conversation_settings SET hours = ${asJson(after.hours)}::text::jsonb,
          closed_dates = ${asJson(after.closed_dates)}::text::jsonb, away_text = ${after.away_text},
          away_stopped = ${after.away_stopped},
          author_token_id = CASE WHEN ${isAuthor}::boolean THEN ${tokenId}::bigint ELSE author_token_id END,
          author_person_id = CASE WHEN ${isAuthor}::boolean THEN ${personId}::bigint ELSE author_person_id END,
          by_turns = ${after.by_turns}, turn_ids = ${[...after.turn_ids]}::bigint[],
          close_after_days = ${after.close_after_days}, reply_countries = ${texts(after.reply_countries)}::text[]
        WHERE account_id = ${accountId}`;
      return { before, after };
    });
    changed(accountId);
    return both;
  }

  /** Returns the authors of the enabled away messages, for `AuthoredWork`. */
  authors(): Promise<Author[]> {
    const { sql } = this.#deps;
    return authorsOf(
      sql,
      sql`FROM conversation_settings WHERE away_text IS NOT NULL AND away_stopped IS NULL`,
    );
  }

  /** Disables the away messages of these authors. */
  stop(tx: TransactionSql, authors: readonly Author[]): Promise<Stopped[]> {
    return tx<Stopped[]>`
      UPDATE conversation_settings SET away_stopped = 'author'
      WHERE away_text IS NOT NULL AND away_stopped IS NULL AND ${isBy(tx, authors)}
      RETURNING account_id AS "accountId", account_id AS id`;
  }

  /** Has the settings of these accounts read again. */
  announce(stopped: readonly Stopped[]): void {
    for (const { accountId } of stopped) this.#deps.changed(accountId);
  }
}

/** Office hours of the settings, in the time zone of the account. */
export const openingOf = (
  { hours, closed_dates }: Pick<ConversationSettings, 'hours' | 'closed_dates'>,
  zone: string,
): OpeningHours => ({ hours, closedDates: new Set(closed_dates.map(({ date }) => date)), zone });

/** Returns the settings of an account, or the defaults. */
export async function readSettings(sql: Queryable, accountId: number): Promise<ConversationSettings> {
  return (await readSettingsOf(sql, [accountId])).get(accountId) ?? defaultSettings;
}

/** Returns the settings of accounts; without those that have the defaults. */
export async function readSettingsOf(
  sql: Queryable,
  accountIds: readonly number[],
): Promise<Map<number, ConversationSettings>> {
  const rows = await sql<(ConversationSettings & { account_id: number })[]>`
    SELECT account_id, hours, closed_dates, away_text, away_stopped, by_turns, turn_ids, close_after_days, reply_countries
    FROM conversation_settings
    WHERE account_id = ANY(${numbers(accountIds)}::bigint[])`;
  return new Map(rows.map(({ account_id, ...settings }) => [account_id, settings]));
}

/** Creates the rows of accounts without settings, in the order of the accounts. */
export async function insertDefaults(tx: TransactionSql, accountIds: readonly number[]): Promise<void> {
  const { closed_dates, by_turns } = defaultSettings;
  await tx`
    INSERT INTO conversation_settings (account_id, closed_dates, by_turns, turn_ids)
    SELECT w.account_id, ${asJson(closed_dates)}::text::jsonb, ${by_turns}::boolean, '{}'
    FROM wallets w WHERE w.account_id = ANY(${numbers(accountIds)}::bigint[]) ORDER BY w.account_id
    ON CONFLICT ON CONSTRAINT conversation_settings_pkey DO NOTHING`;
}

const asJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

function checkTurns(ids: readonly number[], agents: readonly Agent[]): void {
  const known = new Set(agents.map(({ id }) => id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) {
    throw badField(
      `turn_ids[${index}]`,
      'no person of the account who answers conversations has this id',
      'unknown',
    );
  }
}
