import { createHmac, randomBytes } from 'node:crypto';
import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isFree, released } from '../../database/leases.ts';
import type { WorkLease } from '../../engine/work/lease.ts';
import type { Work } from '../../engine/work/work.ts';
import type { PreviousItems, PreviousKey } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { BudgetAmounts } from '../budgets/kinds.ts';
import type { Counts } from '../personal-data/part.ts';
import { type DataSubject, identifiersOf } from '../personal-data/subject.ts';
import type { ErasureRecord, RecordedRequest } from './erasure-records.ts';

/** The purpose under which the person of a request is sealed; the row is `<account>/<request>`. */
const SEALED = 'data_subject_requests.sealed';
const DIGESTS = 'data-subjects';
/** Kind of background work: a request, by the id of its row. */
export const SUBJECT_REQUEST = 'data-subject-request';
/** Requests of an account that are not done. */
const MAX_OPEN = 20;

export type RequestKind = 'export' | 'erasure';
/** `rechecking`: all is erased, and what was under way in that moment is looked for again. `deleted`: the archive is gone. */
export const requestStates = ['waiting', 'running', 'rechecking', 'done', 'failed', 'deleted'] as const;
type RequestState = (typeof requestStates)[number];
const openStates = ['waiting', 'running', 'rechecking'] as const satisfies readonly RequestState[];
/** Why a request does not go on, or failed; the first where there is nothing to say. */
export const requestProblems = ['', 'waits-for-imports', 'tried-again', 'key-lost'] as const;
type RequestProblem = (typeof requestProblems)[number];

/** What owners asked for about a person, and what came of it. Times in milliseconds since the epoch. */
export interface SubjectRequest {
  readonly account_id: number;
  readonly id: number;
  readonly kind: RequestKind;
  readonly state: RequestState;
  readonly reference: string;
  readonly counts: Counts;
  readonly bytes: number;
  readonly chunks: number;
  readonly problem: RequestProblem;
  readonly person_id: number | null;
  readonly username: string | null;
  readonly created_at: number;
  readonly erased_at: number | null;
  readonly finished_at: number | null;
  readonly expires_at: number | null;
}

/** A request that this process works on. */
export interface OpenedRequest extends SubjectRequest {
  readonly subject: DataSubject;
  /** The key of its pseudonyms. */
  readonly key: Buffer;
}

interface NewRequest {
  readonly accountId: number;
  readonly kind: RequestKind;
  readonly subject: DataSubject;
  readonly reference: string;
  readonly person: { readonly id: number; readonly username: string } | undefined;
}

interface RequestsDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'> {
  readonly budgets: Pick<BudgetBook, 'take'>;
  readonly work: Pick<Work, 'add' | 'want' | 'remove'>;
}

type RequestKey = Pick<SubjectRequest, 'account_id' | 'id'>;

/** Requests as rows, each with an item of background work while it is open. Who it is about is sealed in the row, and erased with the end of the work. */
export class SubjectRequests {
  readonly #deps: RequestsDeps;
  #digestKey: Promise<Buffer> | undefined;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a request that is due immediately. Throws Refusal `too-fast` when 20 are not done yet, and `over-budget` for an
   * export of an account whose budget `files` is used up.
   */
  async create(
    request: NewRequest,
    also?: (tx: Queryable, id: number) => Promise<void>,
  ): Promise<SubjectRequest> {
    const { sql, ids, clock, secrets, budgets, work } = this.#deps;
    const { accountId, kind, subject, reference, person } = request;
    const id = ids.next();
    const sealed = this.#seal(accountId, id, subject, secrets);
    const digests = await this.#digestsOf(accountId, subject);
    return sql.begin(async (tx) => {
      // The wallet's row is the lock: requests at once are counted one after the other.
      await tx`SELECT 1 FROM wallets WHERE account_id = ${accountId} FOR NO KEY UPDATE`;
      const [open] = await tx<{ count: number }[]>`
        SELECT count(*)::int AS count FROM data_subject_requests
        WHERE account_id = ${accountId} AND state = ANY(${texts(openStates)}::text[])`;
      if (open!.count >= MAX_OPEN) throw new Refusal('too-fast', `${MAX_OPEN} requests are not done yet`);
      if (kind === 'export') await budgets.take(tx, accountId, 'files', { count: 1, bytes: 1 });
      const [row] = await tx<SubjectRequest[]>`
        INSERT INTO data_subject_requests (account_id, id, kind, sealed, digests, reference, counts, person_id, username,
          created_at)
        VALUES (${accountId}, ${id}, ${kind}, ${sealed}, ${texts(digests)}::text[], ${reference}, ${tx.json({})},
          ${person?.id ?? null}, ${person?.username ?? null}, ${clock.now()})
        RETURNING ${columns(tx)}`;
      await work.add(tx, { accountId, kind: SUBJECT_REQUEST, key: id });
      await also?.(tx, id);
      return row!;
    });
  }

  /**
   * Stores an erasure of a record anew, to be worked on at once, under the id that it had. False when the account is not there,
   * or has the request.
   */
  async repeat(record: ErasureRecord): Promise<boolean> {
    const { sql, secrets, work } = this.#deps;
    const { accountId, id, subject, reference, personId, username, createdAt } = record;
    const sealed = this.#seal(accountId, id, subject, secrets);
    const digests = await this.#digestsOf(accountId, subject);
    return sql.begin(async (tx) => {
      const { count } = await tx`
      INSERT INTO data_subject_requests (account_id, id, kind, sealed, digests, reference, counts, person_id, username,
        created_at)
      SELECT w.account_id, ${id}, 'erasure', ${sealed}, ${texts(digests)}::text[], ${reference}, '{}'::jsonb, ${personId}::bigint,
        ${username}::text, ${createdAt}
      FROM wallets w WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT data_subject_requests_pkey DO NOTHING`;
      if (count === 1) await work.want(tx, { accountId, kind: SUBJECT_REQUEST, key: id });
      return count === 1;
    });
  }

  /** Those of these requests that the database has not got. */
  async missing(requests: readonly RecordedRequest[]): Promise<RecordedRequest[]> {
    const there = new Set<string>();
    for (const some of inStatements(requests)) {
      const rows = await this.#deps.sql<RequestKey[]>`
        SELECT account_id, id FROM data_subject_requests
        WHERE account_id = ANY(${numbers([...new Set(some.map(({ accountId }) => accountId))])}::bigint[])
          AND id = ANY(${numbers(some.map(({ id }) => id))}::bigint[])`;
      for (const { account_id, id } of rows) there.add(`${account_id}/${id}`);
    }
    return requests.filter(({ accountId, id }) => !there.has(`${accountId}/${id}`));
  }

  /** A request of an account; undefined when it has none of this id. */
  async find(accountId: number, id: number): Promise<SubjectRequest | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<SubjectRequest[]>`
      SELECT ${columns(sql)} FROM data_subject_requests WHERE account_id = ${accountId} AND id = ${id}`;
    return row;
  }

  /** Requests of an account, the latest first, before an id. With a subject those that were about them. */
  async list(
    accountId: number,
    { before, limit, subject }: { before?: number | undefined; limit: number; subject?: DataSubject },
  ): Promise<SubjectRequest[]> {
    const { sql } = this.#deps;
    const digests = subject && (await this.#digestsOf(accountId, subject));
    return sql<SubjectRequest[]>`
      SELECT ${columns(sql)} FROM data_subject_requests
      WHERE account_id = ${accountId}
        ${before === undefined ? sql`` : sql`AND id < ${before}`}
        ${digests ? sql`AND digests && ${texts(digests)}::text[]` : sql``}
      ORDER BY id DESC LIMIT ${limit}`;
  }

  /** Begins an attempt at a request; undefined for one that is over. Throws SealedValueError. */
  async begin(accountId: number, id: number): Promise<OpenedRequest | undefined> {
    const { sql, secrets } = this.#deps;
    const [row] = await sql<(SubjectRequest & { sealed: Buffer })[]>`
      UPDATE data_subject_requests SET state = CASE WHEN state = 'waiting' THEN 'running' ELSE state END
      WHERE account_id = ${accountId} AND id = ${id} AND state = ANY(${texts(openStates)}::text[])
      RETURNING ${columns(sql)}, sealed`;
    if (!row) return undefined;
    const { sealed, ...request } = row;
    const content = JSON.parse(secrets.openText(sealed, SEALED, `${accountId}/${id}`)) as {
      subject: DataSubject;
      key: string;
    };
    return { ...request, subject: content.subject, key: Buffer.from(content.key, 'base64') };
  }

  /** Stores how a request stands, and ends the attempt. Once it is over, who it is about is forgotten. Throws WorkLost. */
  async settle(
    tx: TransactionSql,
    { account_id, id }: RequestKey,
    lease: WorkLease,
    to: {
      readonly state: RequestState;
      readonly counts?: Counts;
      /** Time of the next attempt; null: it is over. */
      readonly dueAt: number | null;
      readonly erasedAt?: number;
      readonly archive?: { readonly bytes: number; readonly chunks: number; readonly expiresAt: number };
      readonly problem?: RequestProblem;
    },
  ): Promise<void> {
    const isOver = to.dueAt === null;
    await tx`
      UPDATE data_subject_requests
      SET state = ${to.state}, counts = coalesce(${to.counts ? JSON.stringify(to.counts) : null}::text::jsonb, counts),
        erased_at = coalesce(erased_at, ${to.erasedAt ?? null}::bigint),
        bytes = ${to.archive?.bytes ?? 0}, chunks = ${to.archive?.chunks ?? 0},
        expires_at = ${to.archive?.expiresAt ?? null}, problem = ${to.problem ?? ''},
        sealed = CASE WHEN ${isOver} THEN NULL ELSE sealed END,
        finished_at = ${isOver ? this.#deps.clock.now() : null}
      WHERE account_id = ${account_id} AND id = ${id}`;
    if (to.dueAt === null) await lease.done(tx);
    else await lease.later(tx, to.dueAt);
  }

  /** Notes that a request could not go on. */
  async setProblem(
    tx: TransactionSql,
    { account_id, id }: RequestKey,
    problem: RequestProblem,
  ): Promise<void> {
    await tx`UPDATE data_subject_requests SET problem = ${problem} WHERE account_id = ${account_id} AND id = ${id}`;
  }

  /** Appends a piece to the archive of an export. */
  async addChunk({ account_id, id }: RequestKey, sequence: number, data: Buffer): Promise<void> {
    await this.#deps.sql`
      INSERT INTO data_subject_chunks (account_id, request_id, sequence, data)
      VALUES (${account_id}, ${id}, ${sequence}, ${data})
      ON CONFLICT ON CONSTRAINT data_subject_chunks_pkey DO UPDATE SET data = excluded.data`;
  }

  /** The archive of an export, piece by piece. Throws when it is deleted meanwhile. */
  async *archive({ account_id, id, chunks }: SubjectRequest): AsyncGenerator<Buffer> {
    for (let sequence = 0; sequence < chunks; sequence++) {
      const [row] = await this.#deps.sql<{ data: Buffer }[]>`
        SELECT data FROM data_subject_chunks
        WHERE account_id = ${account_id} AND request_id = ${id} AND sequence = ${sequence}`;
      if (!row) throw new Error('the archive no longer exists');
      yield row.data;
    }
  }

  /** Deletes the pieces of an archive, one after the other. */
  async deleteArchive({ account_id, id }: RequestKey): Promise<void> {
    const { sql } = this.#deps;
    for (;;) {
      const { count } = await sql`
        DELETE FROM data_subject_chunks
        WHERE account_id = ${account_id} AND request_id = ${id} AND sequence IN (
          SELECT sequence FROM data_subject_chunks WHERE account_id = ${account_id} AND request_id = ${id} LIMIT 10)`;
      if (count === 0) return;
    }
  }

  /** Deletes the archives of a person, since they are to be erased; how many there were. An export under way ends. */
  async deleteExports(accountId: number, subject: DataSubject): Promise<number> {
    const { sql, work } = this.#deps;
    const digests = texts(await this.#digestsOf(accountId, subject));
    const rows = await sql<RequestKey[]>`
      UPDATE data_subject_requests
      SET state = 'deleted', due_at = NULL, sealed = NULL, expires_at = NULL, chunks = 0
      WHERE account_id = ${accountId} AND kind = 'export' AND state <> 'deleted' AND digests && ${digests}::text[]
      RETURNING account_id, id`;
    for (const row of rows) {
      await work.remove(sql, { accountId, kind: SUBJECT_REQUEST, key: row.id });
      await this.deleteArchive(row);
    }
    return rows.length;
  }

  /** Deletes pieces that were written while their archive was being deleted. */
  async deleteLeftovers(): Promise<void> {
    const { sql } = this.#deps;
    const rows = await sql<RequestKey[]>`
      SELECT r.account_id, r.id FROM data_subject_requests r
      WHERE r.state = 'deleted' AND EXISTS (
        SELECT 1 FROM data_subject_chunks c WHERE c.account_id = r.account_id AND c.request_id = r.id)`;
    for (const row of rows) await this.deleteArchive(row);
  }

  /** Deletes archives whose time is over. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await this.deleteLeftovers();
    const rows = await sql<RequestKey[]>`
      SELECT account_id, id FROM data_subject_requests WHERE expires_at <= ${clock.now()}`;
    for (const row of rows) {
      await this.deleteArchive(row);
      await sql`
        UPDATE data_subject_requests SET state = 'deleted', expires_at = NULL, chunks = 0
        WHERE account_id = ${row.account_id} AND id = ${row.id}`;
    }
  }

  /** Empties the row of a request whose person cannot be read any more: it failed. */
  static async discard(tx: Queryable, accountId: number, id: number): Promise<void> {
    await tx`
      UPDATE data_subject_requests
      SET sealed = NULL, due_at = NULL, state = 'failed', problem = 'key-lost'
      WHERE account_id = ${accountId} AND id = ${id}`;
    await tx`DELETE FROM work WHERE account_id = ${accountId} AND kind = ${SUBJECT_REQUEST} AND key = ${id}`;
  }

  /** Who it is about, with a new key of pseudonyms. */
  #seal(accountId: number, id: number, subject: DataSubject, secrets: Context['secrets']): Buffer {
    const content = JSON.stringify({ subject, key: randomBytes(32).toString('base64') });
    return secrets.seal(content, SEALED, `${accountId}/${id}`);
  }

  async #digestsOf(accountId: number, subject: DataSubject): Promise<string[]> {
    const { sql, secrets } = this.#deps;
    this.#digestKey ??= installationKey(sql, secrets, DIGESTS);
    const key = await this.#digestKey;
    return identifiersOf(subject).map((identifier) =>
      createHmac('sha256', key).update(`${accountId} ${identifier}`).digest('hex'),
    );
  }
}

const columns = (
  sql: Queryable | TransactionSql,
) => sql`account_id, id, kind, state, reference, counts, bytes, chunks,
  problem, person_id, username, created_at, erased_at, finished_at, expires_at`;

/** Requests that the version before keeps by `due_at` of their rows. */
export const previousRequests: PreviousItems = {
  waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
    SELECT account_id AS "accountId", id AS key FROM data_subject_requests
    WHERE due_at IS NOT NULL AND ${isFree(sql, leaseNow)} LIMIT ${limit}`,
  async take(tx, { accountId, key }, leaseNow) {
    const [row] = await tx<{ due_at: number }[]>`
      SELECT due_at FROM data_subject_requests
      WHERE account_id = ${accountId} AND id = ${key} AND due_at IS NOT NULL AND ${isFree(tx, leaseNow)} FOR UPDATE`;
    if (!row) return undefined;
    await tx`
      UPDATE data_subject_requests SET due_at = NULL, ${released(tx)}
      WHERE account_id = ${accountId} AND id = ${key}`;
    return row.due_at;
  },
};

/** Archives that an account holds, with their bytes. */
export async function heldArchives(sql: Queryable, accountId: number): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM data_subject_requests
    WHERE account_id = ${accountId} AND chunks > 0`;
  return { ...row!, credits: 0 };
}
