import { PostgresError, type Queryable, type Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { counter } from '../../kit/observability/metrics.ts';
import type { DeliveryUpdate } from './account-work.ts';
import { type BatchEnd, setAside } from './batch-ends.ts';
import type { MessageResult } from './results.ts';

/*
 * Results of messages and ends of batches that the database rejects permanently. They are stored separately with the
 * reason, so that the rest of their account continues, and are stored again on request (`carillon quarantine retry`). A
 * batch whose end is in quarantine is not dispatched.
 */

const quarantined = counter(
  'carillon_quarantined_total',
  'Results of messages and ends of batches that could not be stored and were put aside',
);

/** Number of requested retries per run. */
const RETRIES = 100;
// Data exceptions, constraint violations, values beyond a limit. Only messages of the first class quote values.
const ofRow = /^(22|23|54)/;
const quotesValue = /^22/;

/** An entry in quarantine. */
interface Quarantined {
  readonly account_id: number;
  readonly id: number;
  readonly reason: string;
  readonly payload: string;
  readonly created_at: number;
  readonly retry_at: number | null;
}

/** Whether an error concerns the stored value and would recur with it. */
export function isOfRow(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof PostgresError && ofRow.test(error.code));
}

/** Receives the entries to retry; `stored` is called when the entry is stored, or put into quarantine again. */
interface QuarantineRetries {
  result(update: DeliveryUpdate, stored: () => void): void;
  end(end: BatchEnd, stored: () => void): void;
}

/** A result in quarantine: its account is a column, and its phone is in the message. */
type KeptResult = Omit<MessageResult, 'accountId' | 'phone'>;
/** Content of `payload`: a result without its phone, or the end of a batch. */
type Payload = KeptResult | { readonly end: BatchEnd };

export class Quarantine {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor({ sql, ids, clock, log }: { sql: Sql; ids: IdSource; clock: Clock; log: Logger }) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
    this.#log = log;
  }

  /** Puts a result into quarantine. Rejects with errors of the database. */
  async keep(result: MessageResult, error: unknown): Promise<void> {
    const { accountId, phone: _, ...rest } = result;
    const reason = reasonOf(error);
    await this.#insert(this.#sql, accountId, rest, reason);
    quarantined.inc();
    this.#log.error({ accountId, messageId: result.messageId, reason }, 'a result was put into quarantine');
  }

  /**
   * Puts the end of a batch, together with the batch, into quarantine, unless another process has the batch now.
   * Rejects with errors of the database.
   */
  async keepEnd(ended: BatchEnd, error: unknown): Promise<void> {
    const { batch, retryAt } = ended;
    const { accountId, id, channel, lane, route, attempt, heldShipmentId, retryIds, dueAt, firstBatchId } =
      batch;
    const retries = batch.retries.map(({ id, copies, rings, notBefore, route: other, wait }) => ({
      ...{ id, copies, rings },
      ...(wait !== undefined && { wait }),
      ...(notBefore !== undefined && { notBefore }),
      ...(other !== undefined && { route: other }),
    }));
    const kept = { accountId, id, channel, lane, route, attempt, heldShipmentId, retries };
    const waited = firstBatchId !== undefined && dueAt !== undefined && { dueAt, firstBatchId };
    const end = { batch: { ...kept, ...waited, ...(retryIds !== undefined && { retryIds }) }, retryAt };
    const reason = reasonOf(error);
    const isKept = await this.#sql.begin(async (tx) => {
      if (!(await setAside(tx, ended))) return false;
      await this.#insert(tx, accountId, { end }, reason);
      return true;
    });
    if (!isKept) return;
    quarantined.inc();
    this.#log.error({ accountId, batchId: id, reason }, 'the end of a batch was put into quarantine');
  }

  /** Passes the entries to retry to `into`, and removes each when it is stored (or put into quarantine again). */
  async retry(into: QuarantineRetries): Promise<void> {
    const rows = await this.#sql<Quarantined[]>`
      SELECT account_id, id, payload FROM quarantine WHERE retry_at IS NOT NULL ORDER BY account_id, id LIMIT ${RETRIES}`;
    for (const { account_id: accountId, id, payload } of rows) {
      const read = JSON.parse(payload) as Payload;
      if ('end' in read) await new Promise<void>((resolve) => into.end(read.end, resolve));
      else await this.#retryResult(accountId, read, into);
      await this.#sql`DELETE FROM quarantine WHERE account_id = ${accountId} AND id = ${id}`;
    }
  }

  async #retryResult(accountId: number, result: KeptResult, into: QuarantineRetries): Promise<void> {
    const [message] = await this.#sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages WHERE account_id = ${accountId} AND id = ${result.messageId}`;
    // The message has expired.
    if (!message) return;
    const { shipmentId, ...rest } = result;
    const known = { ...rest, ...(shipmentId !== null && { shipmentId }) };
    await new Promise<void>((resolve) =>
      into.result({ ...known, accountId, phone: message.phone } as DeliveryUpdate, resolve),
    );
  }

  async #insert(sql: Queryable, accountId: number, payload: Payload, reason: string): Promise<void> {
    await sql`
      INSERT INTO quarantine (account_id, id, reason, payload, created_at)
      VALUES (${accountId}, ${this.#ids.next()}, ${reason}, ${JSON.stringify(payload)}, ${this.#clock.now()})`;
  }
}

/** Lists the newest entries, at most `limit`. */
export function listQuarantine(sql: Sql, limit: number): Promise<Quarantined[]> {
  return sql<Quarantined[]>`
    SELECT account_id, id, reason, payload, created_at, retry_at FROM quarantine ORDER BY id DESC LIMIT ${limit}`;
}

/** Requests a retry of one entry, or of all when `id` is undefined. Returns their number. */
export async function askForRetry(sql: Sql, now: number, id: number | undefined): Promise<number> {
  const rows = await sql`
    UPDATE quarantine SET retry_at = ${now} WHERE ${id === undefined ? sql`true` : sql`id = ${id}`} AND retry_at IS NULL`;
  return rows.count;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PostgresError)) return (error as Error).message;
  const what = [error.code, error.constraint_name].filter(Boolean).join(' ');
  return quotesValue.test(error.code) ? what : `${what}: ${error.message}`;
}
