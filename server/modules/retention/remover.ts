import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { numbers } from '../../database/arrays.ts';
import type { AgedTable } from '../../database/define-tables.ts';
import { byPlacement, type Placements } from '../../database/placements.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import type { TextStorage } from '../../secrets/text-storage.ts';
import type { Media } from '../media/media.ts';
import { droppedAfter, type Kept, type RetentionKind, retentionKinds } from './kinds.ts';
import { accountsDue, lastRun, removedRows, runSeconds } from './metrics.ts';
import { deleteMessages } from './old-messages.ts';
import type { Retention } from './retention.ts';
import { type Span, withRows } from './spans.ts';
import { removeTexts } from './texts.ts';

/** Advisory lock of the process that deletes. */
const LOCK = 20_26_11_23;
const DAY_MS = 86_400_000;
/** Rows that one statement deletes. */
const BATCH = 1_000;
const RECENT_MS = 7_200_000;

const countTexts = (count: number) => removedRows.inc({ kind: 'texts' }, count);

interface RemoverDeps extends Pick<Context, 'sql' | 'clock' | 'log' | 'config' | 'channels' | 'tables'> {
  readonly retention: Pick<Retention, 'ofAll' | 'withoutTexts'>;
  readonly textStorage: Pick<TextStorage, 'modeOf'>;
  readonly placements: Placements;
  readonly media: Pick<Media, 'deleteOf'>;
}

type KnownTable = AgedTable & { readonly kind: RetentionKind };

/** Throws Error for a table of a kind that there is not. */
function knownTable(table: AgedTable): KnownTable {
  const kind = retentionKinds.find((one) => one === table.kind);
  if (!kind)
    throw new Error(`the table ${table.table} has the retention kind ${table.kind}, which no module defines`);
  return { ...table, kind };
}

/**
 * Deletes data whose retention has ended, in statements of 1,000 rows of one account. One process does it at a time; if it
 * is killed, the next run continues.
 */
export class Remover {
  readonly #deps: RemoverDeps;
  readonly #aged: readonly KnownTable[];
  #isStopping = false;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: RemoverDeps) {
    this.#deps = deps;
    this.#aged = deps.tables.aged.map(knownTable);
  }

  /** Deletes all expired data; does nothing while another process does it. */
  async run(): Promise<void> {
    await this.#alone(() => this.#remove());
  }

  /**
   * Removes texts of the last two hours, and events, of accounts that do not store texts. A message that waited longer loses
   * its own text with its result; `run` removes texts that it shares with other messages.
   */
  async runWithoutTexts(): Promise<void> {
    const all = await this.#deps.retention.withoutTexts();
    if (all.size === 0) return;
    await this.#alone(async () => {
      const now = this.#deps.clock.now();
      const recent = idFloor(now - RECENT_MS);
      const texts = spansBefore(all, 'texts', Number.POSITIVE_INFINITY, now);
      const due = await this.#removedUpTo(texts);
      for (const span of due) {
        await this.#removeTextsOf({ ...span, from: Math.max(span.from, recent) }, now, countTexts);
      }
      const spans = spansBefore(all, 'events', Number.POSITIVE_INFINITY, now);
      for (const table of this.#aged) if (table.kind === 'events') await this.#deleteAged(table, spans);
    });
  }

  /** Runs the work after earlier work of this process, and not while another process runs one. */
  async #alone(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(() => this.#locked(work));
    this.#last = run.catch(() => {});
    return run;
  }

  async #locked(work: () => Promise<void>): Promise<void> {
    const connection = await this.#deps.sql.reserve();
    try {
      const [row] = await connection<
        { taken: boolean }[]
      >`SELECT pg_try_advisory_lock(${LOCK}::bigint) AS taken`;
      if (!row!.taken) return;
      try {
        await work();
      } finally {
        await connection`SELECT pg_advisory_unlock(${LOCK}::bigint)`;
      }
    } finally {
      connection.release();
    }
  }

  /** Ends a run after its current statement. */
  stop(): void {
    this.#isStopping = true;
  }

  async #remove(): Promise<void> {
    const { clock, retention, config } = this.#deps;
    const now = clock.now();
    const began = performance.now();
    const all = await retention.ofAll();
    const dropped = droppedAfter(config);
    const spansOf = (kind: RetentionKind) => spansBefore(all, kind, dropped[kind], now);
    await this.#removeTexts(spansOf('texts'), now);
    await this.#deleteMessages(spansOf('messages'), now);
    for (const table of this.#aged) await this.#deleteAged(table, spansOf(table.kind));
    await this.#deleteConversations(spansOf('conversations'));
    await this.#deleteMedia(spansOf('media'));
    if (this.#isStopping) return;
    runSeconds.set((performance.now() - began) / 1_000);
    lastRun.set(Date.now() / 1_000);
  }

  async #removeTexts(spans: readonly Span[], now: number): Promise<void> {
    const { sql } = this.#deps;
    const due = await this.#removedUpTo(spans);
    await this.#each(due, 'texts', async (span, removed) => {
      const upTo = await this.#removeTextsOf(span, now, removed);
      await sql`
        INSERT INTO text_removals (account_id, up_to) VALUES (${span.accountId}, ${upTo})
        ON CONFLICT ON CONSTRAINT text_removals_pkey DO UPDATE SET up_to = excluded.up_to`;
    });
  }

  #removeTextsOf(span: Span, now: number, removed: (count: number) => void): Promise<number> {
    const isNone = this.#deps.textStorage.modeOf(span.accountId) === 'none';
    const atOnce = isNone ? [TEXT_CHANNEL, CALL_CHANNEL] : [];
    return removeTexts({ ...this.#deps, removed, isStopping: () => this.#isStopping, atOnce }, span, now);
  }

  /** Returns the spans from the end of the last removal of texts; leaves out spans without rows. */
  async #removedUpTo(spans: readonly Span[]): Promise<Span[]> {
    const { sql, placements, tables } = this.#deps;
    const upTo = new Map<number, number>();
    for (const some of await byPlacement(placements, spans, ({ accountId }) => accountId)) {
      const rows = await sql<{ account_id: number; up_to: number }[]>`
        SELECT account_id, up_to FROM text_removals
        WHERE account_id = ANY(${numbers(some.map(({ accountId }) => accountId))}::bigint[])`;
      for (const { account_id, up_to } of rows) upTo.set(account_id, up_to);
    }
    const rest = spans
      .map((span) => ({ ...span, from: upTo.get(span.accountId) ?? 0 }))
      .filter(({ from, before }) => from < before);
    const found = new Set<Span>();
    for (const table of ['messages', 'shipments', ...tables.withTexts.map((one) => one.table)]) {
      const others = rest.filter((span) => !found.has(span));
      for (const span of await withRows(this.#deps, { table, key: 'id' }, others)) found.add(span);
    }
    return rest.filter((span) => found.has(span));
  }

  async #deleteMessages(spans: readonly Span[], now: number): Promise<void> {
    const withMessages = await withRows(this.#deps, { table: 'shipments', key: 'id' }, spans);
    await this.#each(withMessages, 'messages', (span, removed) =>
      deleteMessages({ ...this.#deps, removed, isStopping: () => this.#isStopping }, span, now),
    );
  }

  async #deleteAged({ kind, table, which }: KnownTable, spans: readonly Span[]): Promise<void> {
    const { sql } = this.#deps;
    const due = await withRows(this.#deps, { table, key: 'id' }, spans);
    await this.#each(due, kind, async ({ accountId, before }, removed) => {
      for (let count = BATCH; count === BATCH && !this.#isStopping; ) {
        const deleted = await sql`
          DELETE FROM ${sql(table)} WHERE account_id = ${accountId} AND id < ${before} AND id = ANY(ARRAY(
            SELECT id FROM ${sql(table)} t
            WHERE account_id = ${accountId} AND id < ${before} AND ${which?.(sql) ?? sql`true`}
            ORDER BY id LIMIT ${BATCH}))`;
        count = deleted.count;
        removed(count);
      }
    });
  }

  async #deleteConversations(spans: readonly Span[]): Promise<void> {
    const { sql } = this.#deps;
    const due = await withRows(this.#deps, { table: 'conversations', key: 'last_id' }, spans);
    await this.#each(due, 'conversations', async ({ accountId, before }, removed) => {
      for (let count = BATCH; count === BATCH && !this.#isStopping; ) {
        count = await sql.begin(async (tx) => {
          const rows = await tx<{ id: number }[]>`
            SELECT id FROM conversations WHERE account_id = ${accountId} AND last_id < ${before}
            ORDER BY id LIMIT ${BATCH} FOR UPDATE`;
          const ids = numbers(rows.map(({ id }) => id));
          await tx`
            DELETE FROM conversation_entries WHERE account_id = ${accountId} AND conversation_id = ANY(${ids}::bigint[])`;
          await tx`DELETE FROM conversations WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
          return rows.length;
        });
        removed(count);
      }
    });
  }

  async #deleteMedia(spans: readonly Span[]): Promise<void> {
    const due = await withRows(this.#deps, { table: 'media', key: 'id' }, spans);
    await this.#each(due, 'media', async ({ accountId, before }, removed) => {
      for (let count = 1; count > 0 && !this.#isStopping; ) {
        count = await this.#deps.media.deleteOf(accountId, before);
        removed(count);
      }
    });
  }

  /** Runs the work of a kind account by account. Logs a failure of one account; the next run tries it again. */
  async #each(
    spans: readonly Span[],
    kind: RetentionKind,
    work: (span: Span, removed: (count: number) => void) => Promise<void>,
  ): Promise<void> {
    const removed = (count: number) => removedRows.inc({ kind }, count);
    for (const [index, span] of spans.entries()) {
      if (this.#isStopping) return;
      accountsDue.set(spans.length - index);
      try {
        await work(span, removed);
      } catch (error) {
        this.#deps.log.warn({ err: error, accountId: span.accountId, kind }, 'retention will be tried again');
      }
    }
    accountsDue.set(0);
  }
}

/** Returns, for each account that keeps a kind for less than `droppedDays`, the ids whose retention has ended. */
function spansBefore(
  all: ReadonlyMap<number, Kept>,
  kind: RetentionKind,
  droppedDays: number,
  now: number,
): Span[] {
  return [...all].flatMap(([accountId, kept]) => {
    const { days } = kept[kind];
    return days < droppedDays ? [{ accountId, from: 0, before: idFloor(now - days * DAY_MS) }] : [];
  });
}
