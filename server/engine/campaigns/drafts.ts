import type { Queryable, Sql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal, savedMeanwhile } from '../../kit/errors.ts';

/** Maximum drafts of an account. */
export const MAX_DRAFTS = 200;
/** Maximum characters of the content as JSON: more than the HTML and the text of the largest email. */
const MAX_CONTENT = 700_000;

/** A send that is being composed. */
export interface Draft {
  readonly id: number;
  /** An id of channels/index.ts. */
  readonly channel: number;
  /** Title in lists; '' without a title. */
  readonly title: string;
  /** Increases with every save, from 1. */
  readonly version: number;
  /** Name of the person who last saved it; null for a token. */
  readonly updatedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Values of a composer; only the composer interprets them. */
type DraftContent = Readonly<Record<string, unknown>>;

/** A draft as saved by a composer. */
interface DraftInput {
  readonly title: string;
  readonly content: DraftContent;
  /** Name of the saving person; null for a token. */
  readonly by: string | null;
}

/**
 * Drafts of sends on every channel, shared in the account. Only the size of their content is checked: the content is
 * validated as a request when it is sent.
 */
export class Drafts {
  readonly #deps: Pick<Context, 'sql' | 'ids' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'ids' | 'clock'>) {
    this.#deps = deps;
  }

  /** Lists the drafts of an account without their content, last saved first. */
  async list(accountId: number): Promise<Draft[]> {
    const { sql } = this.#deps;
    return sql<Draft[]>`
      SELECT ${columns(sql)} FROM drafts WHERE account_id = ${accountId} ORDER BY updated_at DESC, id DESC`;
  }

  /** Returns one draft of an account with its content. */
  async find(
    accountId: number,
    id: number,
  ): Promise<(Draft & { readonly content: DraftContent }) | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<(Draft & { content: string })[]>`
      SELECT ${columns(sql)}, content FROM drafts WHERE account_id = ${accountId} AND id = ${id}`;
    // The content is empty when its key is lost.
    return row && { ...row, content: JSON.parse(row.content || '{}') as DraftContent };
  }

  /** Stores a new draft. Throws Refusal `too-large`, and `not-now` when the account has MAX_DRAFTS. */
  async create(accountId: number, channel: number, input: DraftInput): Promise<Draft> {
    const { sql, ids, clock } = this.#deps;
    const content = write(input);
    const { title, by } = input;
    // Two simultaneous requests may exceed the limit by one, which is harmless.
    const [counted] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM drafts WHERE account_id = ${accountId}`;
    if (counted!.count >= MAX_DRAFTS) {
      throw new Refusal('not-now', `the account has ${MAX_DRAFTS} drafts; delete one`, undefined, {
        reason: 'too-many-drafts',
        params: { max: MAX_DRAFTS },
      });
    }
    const [row] = await sql<Draft[]>`
      INSERT INTO drafts (account_id, id, channel, title, content, version, updated_by, updated_at)
      VALUES (${accountId}, ${ids.next()}, ${channel}, ${sql.waitingText(accountId, title)},
        ${sql.waitingText(accountId, content)}, 1, ${by}, ${clock.now()})
      RETURNING ${columns(sql)}`;
    return row!;
  }

  /**
   * Saves a draft, if its version is still the one that the composer has loaded. Returns undefined when the draft does
   * not exist. Throws Refusal `too-large`, and `not-now` when somebody else has saved it.
   */
  async save(accountId: number, id: number, version: number, input: DraftInput): Promise<Draft | undefined> {
    const { sql, clock } = this.#deps;
    const content = write(input);
    const [saved] = await sql<Draft[]>`
      UPDATE drafts SET title = ${sql.waitingText(accountId, input.title)},
        content = ${sql.waitingText(accountId, content)}, version = version + 1, updated_by = ${input.by},
        updated_at = ${clock.now()}
      WHERE account_id = ${accountId} AND id = ${id} AND version = ${version}
      RETURNING ${columns(sql)}`;
    if (saved) return saved;
    const [other] = await sql<Draft[]>`
      SELECT ${columns(sql)} FROM drafts WHERE account_id = ${accountId} AND id = ${id}`;
    if (!other) return undefined;
    throw savedMeanwhile(other);
  }

  /** Deletes a draft. Returns whether it existed. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const rows = await sql`DELETE FROM drafts WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    return rows.length > 0;
  }
}

const columns = (sql: Queryable | Sql) =>
  sql`id, channel, title, version, updated_by AS "updatedBy", updated_at AS "updatedAt"`;

function write({ content }: DraftInput): string {
  const written = JSON.stringify(content);
  if (written.length > MAX_CONTENT) {
    throw new Refusal('too-large', `over ${MAX_CONTENT} characters as JSON`, 'content');
  }
  return written;
}
