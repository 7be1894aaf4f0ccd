import { rangeOf } from '../../database/arrays.ts';
import { bigints, byteaArray, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { RowAccounts } from '../../database/row-accounts.ts';
import { type RowsBeside, rowsBeside, type TableBeside } from '../../database/rows-beside.ts';
import { isOfAccounts, rowsByKey } from '../../database/rows-by-key.ts';
import type { Query } from '../../database/sql.ts';
import type { Context } from '../../kit/context.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { Event } from '../events/types.ts';
import type { AskedCallback, CallbackFormat, StatusReport } from './format.ts';

const PURPOSE = 'status_callbacks.secret';

/** Key of a message. */
interface MessageKey {
  readonly accountId: number;
  readonly messageId: number;
}

/** The callback of a message, before it is stored. */
interface NewCallback extends MessageKey {
  readonly callback: AskedCallback;
}

/** A stored callback with data of its message. */
export interface StoredCallback extends AskedCallback {
  readonly shipmentId: number;
  /** Milliseconds since the epoch; null before a carrier has accepted the message. */
  readonly submittedAt: number | null;
  readonly connector: string | null;
  readonly carrierId: string | null;
}

interface CallbackRow {
  readonly account_id: number;
  readonly id: number;
  readonly endpoint_id: number;
  readonly format: string;
  readonly content: string;
  readonly secret: Buffer | null;
  readonly shipment_id: number;
  readonly handed_at: number | null;
  readonly link: string | null;
}

const none: ReadonlyMap<number, StoredCallback> = new Map();

/**
 * Status callbacks of messages: stored with the message, and turned into events when its status is stored. Their
 * delivery is that of webhooks (docs/decisions/0046-http-interfaces.md).
 */
export class StatusCallbacks {
  readonly #secrets: SecretBox;
  readonly #formats = new Map<string, CallbackFormat>();
  readonly #table: TableBeside<NewCallback> = {
    cte: (sql, accounts, rows) => sql`status_callbacks_of AS (${this.#insert(sql, accounts, rows)})`,
  };

  constructor({ secrets }: Pick<Context, 'secrets'>) {
    this.#secrets = secrets;
  }

  /** Adds the format of an interface, before anything runs. */
  addFormat(name: string, format: CallbackFormat): void {
    this.#formats.set(name, format);
  }

  /** Returns the callbacks of the messages of a shipment, to store with them. */
  beside(accountId: number, callback: AskedCallback): RowsBeside {
    return rowsBeside(this.#table, ({ messages }) =>
      messages.map(({ id: messageId }) => ({ accountId, messageId, callback })),
    );
  }

  /** Removes the callback of a message whose key is lost. */
  static async discard(tx: Queryable, accountId: number, messageId: number): Promise<void> {
    await tx`DELETE FROM status_callbacks WHERE account_id = ${accountId} AND id = ${messageId}`;
  }

  /**
   * Returns the callbacks of messages of accounts of one placement, by message id. Reads nothing while no interface with
   * callbacks is on.
   */
  async of(sql: Queryable, messages: readonly MessageKey[]): Promise<ReadonlyMap<number, StoredCallback>> {
    if (this.#formats.size === 0 || messages.length === 0) return none;
    const ids = messages.map(({ messageId }) => messageId);
    const { first, last } = rangeOf(ids);
    const keys = sql`${bigints(messages.map(({ accountId }) => accountId))}::bigint[], ${bigints(ids)}::bigint[]`;
    const rows = await sql<CallbackRow[]>`
      SELECT c.account_id, c.id, c.endpoint_id, c.format, c.content, c.secret, m.shipment_id, m.handed_at, m.link
      FROM ${rowsByKey(sql, ids.length, sql`account_id, id`, keys)}
      JOIN status_callbacks c ON c.account_id = u.account_id AND c.id = u.id
      JOIN messages m ON m.account_id = c.account_id AND m.id = c.id
      WHERE ${isOfAccounts(sql, sql`c.account_id`, messages)} AND c.id >= ${first} AND c.id <= ${last}
        AND ${isOfAccounts(sql, sql`m.account_id`, messages)} AND m.id >= ${first} AND m.id <= ${last}`;
    if (rows.length === 0) return none;
    const callbacks = rows.map((row) => this.#opened(row));
    const needing = callbacks.filter(
      ({ needsCarrierId, submittedAt }) => needsCarrierId && submittedAt !== null,
    );
    const carrierIds = await carrierIdsOf(sql, needing);
    return new Map(
      callbacks.map((one) => [one.messageId, { ...one, carrierId: carrierIds.get(one.messageId) ?? null }]),
    );
  }

  #insert(
    sql: Queryable,
    { account, from, named, where }: RowAccounts,
    rows: readonly NewCallback[],
  ): Query<readonly object[]> {
    const sealed = rows.map(({ accountId, messageId, callback: { secret } }) =>
      secret === null ? null : this.#secrets.seal(secret, PURPOSE, `${accountId}/${messageId}`),
    );
    return sql`
      INSERT INTO status_callbacks (account_id, id, endpoint_id, format, content, secret)
      SELECT ${account}, u.id, u.endpoint_id, u.format, u.content, u.secret
      FROM ${from}
        ${bigints(rows.map(({ messageId }) => messageId))}::bigint[],
        ${bigints(rows.map(({ callback }) => callback.endpointId))}::bigint[],
        ${textArray(rows.map(({ callback }) => callback.format))}::text[],
        ${textArray(rows.map(({ accountId, callback }) => sql.waitingText(accountId, JSON.stringify(contentOf(callback)))))}::text[],
        ${byteaArray(sealed)}::bytea[]
      ) AS u (${named} id, endpoint_id, format, content, secret)
      ${where}`;
  }

  /** Returns the event that reports a status; undefined if the send did not ask for it. */
  event(report: StatusReport, callback: AskedCallback): Event | undefined {
    const request = this.#formats.get(callback.format)?.(report, callback);
    if (!request) return undefined;
    // The rest of the address may have values of the message, which must not lead to another host.
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    if (url?.origin !== new URL(callback.url).origin) return undefined;
    const { method, body, headers, expects } = request;
    const { messageId: message_id, shipmentId: shipment_id, phone, at } = report;
    const path = url.pathname + url.search;
    const { endpointId: endpoint_id } = callback;
    const data = { message_id, shipment_id, endpoint_id, phone, method, path, body, headers, expects };
    return { type: 'status.callback', at, data };
  }

  #opened(row: CallbackRow): StoredCallback & MessageKey {
    const { account_id: accountId, id: messageId, secret } = row;
    return {
      ...(JSON.parse(row.content) as Content),
      accountId,
      messageId,
      format: row.format,
      endpointId: row.endpoint_id,
      secret: secret && this.#secrets.openText(secret, PURPOSE, `${accountId}/${messageId}`),
      shipmentId: row.shipment_id,
      submittedAt: row.handed_at,
      connector: row.link,
      carrierId: null,
    };
  }
}

/** The part of a callback that is stored as JSON. */
type Content = Pick<AskedCallback, 'url' | 'terms' | 'needsCarrierId'>;

const contentOf = ({ url, terms, needsCarrierId }: Content): Content => ({ url, terms, needsCarrierId });

/** Returns the carrier's ids of messages, or of their first parts. */
async function carrierIdsOf(
  sql: Queryable,
  callbacks: readonly (StoredCallback & MessageKey)[],
): Promise<ReadonlyMap<number, string>> {
  if (callbacks.length === 0) return new Map();
  const ids = callbacks.map(({ messageId }) => messageId);
  const { first, last } = rangeOf(ids);
  const rows = await sql<{ message_id: number; carrier_id: string }[]>`
    SELECT message_id, carrier_id FROM carrier_messages
    WHERE ${isOfAccounts(sql, sql`account_id`, callbacks)} AND message_id >= ${first} AND message_id <= ${last}
      AND message_id = ANY(${bigints(ids)}::bigint[]) AND part <= 1`;
  return new Map(rows.map(({ message_id, carrier_id }) => [message_id, carrier_id]));
}
