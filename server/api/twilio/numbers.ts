import { texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import { type AuthoredWork, authorsOf, isBy } from '../../modules/authors/authors.ts';

const PURPOSE = 'twilio_numbers.secret';

export type Method = 'GET' | 'POST';

/** Settings of an incoming number. */
export interface NumberSettings {
  /** Null: the number itself. */
  readonly friendlyName: string | null;
  /** Address that gets messages; null: none. */
  readonly smsUrl: string | null;
  readonly smsMethod: Method;
  /** Address that gets messages when the first one fails. */
  readonly smsFallbackUrl: string | null;
  readonly smsFallbackMethod: Method;
}

/** An incoming number of an account. */
export interface IncomingNumber extends NumberSettings {
  /** E.164 digits, or the digits of a short code. */
  readonly number: string;
  /** Milliseconds since the epoch; null if unknown. */
  readonly createdAt: number | null;
  readonly changedAt: number | null;
}

/** The application of a number. */
export interface NumberApplication extends NumberSettings {
  readonly smsUrl: string;
  /** Key that signs requests. */
  readonly secret: string;
}

/** Numbers to list. */
export interface NumberFilter {
  /** Part of a number; `_` matches any digit. */
  readonly part: string | undefined;
  readonly friendlyName: string | undefined;
  /** Numbers after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface NumberRow {
  readonly number: string;
  readonly friendly_name: string | null;
  readonly sms_url: string | null;
  readonly sms_method: Method | null;
  readonly sms_fallback_url: string | null;
  readonly sms_fallback_method: Method | null;
  readonly changed_at: number | null;
}

/** Incoming numbers of accounts, with the addresses that their programs set for messages to them. */
export class TwilioNumbers {
  readonly #deps: Pick<Context, 'sql' | 'clock' | 'secrets'>;

  constructor(deps: Pick<Context, 'sql' | 'clock' | 'secrets'>) {
    this.#deps = deps;
  }

  /** Lists numbers of an account, in their order. */
  async list(
    accountId: number,
    { part, friendlyName, after, limit }: NumberFilter,
  ): Promise<IncomingNumber[]> {
    const { sql } = this.#deps;
    const like = part === undefined ? sql`` : sql`AND n.number LIKE ${`%${part}%`}`;
    const named =
      friendlyName === undefined
        ? sql``
        : sql`AND coalesce(t.friendly_name, '+' || n.number) = ${friendlyName}`;
    const later = after === undefined ? sql`` : sql`AND n.number > ${after}`;
    return this.#read(accountId, sql`${like} ${named} ${later} ORDER BY n.number LIMIT ${limit}`);
  }

  /** Returns a number of an account. */
  async one(accountId: number, number: string): Promise<IncomingNumber | undefined> {
    const [row] = await this.#read(accountId, this.#deps.sql`AND n.number = ${number}`);
    return row;
  }

  /** Stores the settings of a number, with the token of the request as the key of signatures. */
  async change(accountId: number, number: string, settings: NumberSettings, token: string): Promise<void> {
    const { sql, clock, secrets } = this.#deps;
    const { friendlyName, smsUrl, smsMethod, smsFallbackUrl, smsFallbackMethod } = settings;
    const secret = smsUrl === null ? null : secrets.seal(token, PURPOSE, `${accountId}/${number}`);
    const { tokenId, personId } = currentAuthor();
    await sql`
      INSERT INTO twilio_numbers (account_id, number, friendly_name, sms_url, sms_method, sms_fallback_url,
        sms_fallback_method, secret, author_token_id, author_person_id, changed_at)
      VALUES (${accountId}, ${number}, ${friendlyName}, ${smsUrl}, ${smsMethod}, ${smsFallbackUrl},
        ${smsFallbackMethod}, ${secret}, ${tokenId}, ${personId}, ${clock.now()})
      ON CONFLICT ON CONSTRAINT twilio_numbers_pkey DO UPDATE SET friendly_name = excluded.friendly_name,
        sms_url = excluded.sms_url, sms_method = excluded.sms_method, sms_fallback_url = excluded.sms_fallback_url,
        sms_fallback_method = excluded.sms_fallback_method, secret = excluded.secret,
        author_token_id = excluded.author_token_id, author_person_id = excluded.author_person_id,
        changed_at = excluded.changed_at`;
  }

  /** Returns the applications of numbers of an account; those without one are left out. */
  async applicationsOf(
    sql: Queryable,
    accountId: number,
    given: readonly string[],
  ): Promise<ReadonlyMap<string, NumberApplication>> {
    const rows = await sql<(NumberRow & { secret: Buffer | null })[]>`
      SELECT number, friendly_name, sms_url, sms_method, sms_fallback_url, sms_fallback_method, secret, changed_at
      FROM twilio_numbers
      WHERE account_id = ${accountId} AND number = ANY(${texts([...new Set(given)])}::text[]) AND sms_url IS NOT NULL`;
    const applications = new Map<string, NumberApplication>();
    for (const row of rows) {
      if (!row.secret) continue;
      const secret = this.#deps.secrets.openText(row.secret, PURPOSE, `${accountId}/${row.number}`);
      applications.set(row.number, { ...settingsOf(row), smsUrl: row.sms_url!, secret });
    }
    return applications;
  }

  /** Addresses that act for the token that set them: messages in their answers are sent. */
  readonly authored: AuthoredWork = {
    kind: 'incoming-number',
    route: ['POST', '/2010-04-01/Accounts/:account/IncomingPhoneNumbers/:number'],
    authors: () => {
      const { sql } = this.#deps;
      return authorsOf(sql, sql`FROM twilio_numbers WHERE sms_url IS NOT NULL`);
    },
    stop: (tx: TransactionSql, authors: readonly Author[]) => tx<{ accountId: number; id: number }[]>`
      UPDATE twilio_numbers
      SET sms_url = NULL, sms_fallback_url = NULL, secret = NULL, changed_at = ${this.#deps.clock.now()}
      WHERE sms_url IS NOT NULL AND ${isBy(tx, authors)}
      RETURNING account_id AS "accountId", number::bigint AS id`,
  };

  /** Removes the addresses of a number whose key is lost. */
  static async discard(tx: Queryable, accountId: number, number: string): Promise<void> {
    await tx`
      UPDATE twilio_numbers SET sms_url = NULL, sms_fallback_url = NULL, secret = NULL
      WHERE account_id = ${accountId} AND number = ${number}`;
  }

  /** Reads numbers of an account; `which` has further conditions and the order. */
  async #read(accountId: number, which: Query<Row[]>): Promise<IncomingNumber[]> {
    const { sql } = this.#deps;
    const rows = await sql<NumberRow[]>`
      SELECT n.number, t.friendly_name, t.sms_url, t.sms_method, t.sms_fallback_url, t.sms_fallback_method, t.changed_at
      FROM inbound_numbers n
      LEFT JOIN twilio_numbers t ON t.account_id = n.account_id AND t.number = n.number
      WHERE n.account_id = ${accountId} AND n.number ~ '^[1-9][0-9]{0,14}$' ${which}`;
    // Read separately: on a distributed database, the senders are on other nodes.
    const assigned = await sql<{ source: string; assigned_at: number }[]>`
      SELECT source, assigned_at FROM sources
      WHERE account_id = ${accountId} AND source = ANY(${texts(rows.map(({ number }) => number))}::text[])`;
    const since = new Map(assigned.map(({ source, assigned_at }) => [source, assigned_at]));
    return rows.map((row) => {
      const createdAt = since.get(row.number) ?? null;
      return { ...settingsOf(row), number: row.number, createdAt, changedAt: row.changed_at ?? createdAt };
    });
  }
}

const settingsOf = (row: NumberRow): NumberSettings => ({
  friendlyName: row.friendly_name,
  smsUrl: row.sms_url,
  smsMethod: row.sms_method ?? 'POST',
  smsFallbackUrl: row.sms_fallback_url,
  smsFallbackMethod: row.sms_fallback_method ?? 'POST',
});
