import { type Queryable, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';

/** Maximum number of saved replies of an account. */
export const MAX_SAVED_REPLIES = 500;

/** A saved text for replies. */
export interface SavedReply {
  readonly id: number;
  /** Text to type after `/`, in lower case, unique in the account. */
  readonly shortcut: string;
  readonly title: string;
  /** With variables of reply-variables.ts. */
  readonly text: string;
  /** The name of the person who created it; null: a token. */
  readonly created_by: string | null;
  /** Number of times that people used it. */
  readonly uses: number;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly updated_at: number;
}

type SavedReplyInput = Pick<SavedReply, 'shortcut' | 'title' | 'text'>;

/** Saved replies, shared in the account. */
export class SavedReplies {
  readonly #deps: Pick<Context, 'sql' | 'ids' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'ids' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Returns the replies whose shortcut begins with `search`, then those that contain it in shortcut, title or text
   * (ignoring case; '' returns all), ordered by shortcut.
   */
  async list(accountId: number, search = ''): Promise<SavedReply[]> {
    const { sql } = this.#deps;
    const wanted = search.toLowerCase();
    return sql<SavedReply[]>`
      SELECT ${columns(sql)} FROM saved_replies
      WHERE account_id = ${accountId} AND (strpos(shortcut, ${wanted}) > 0 OR strpos(lower(title), ${wanted}) > 0
        OR strpos(lower(text), ${wanted}) > 0)
      ORDER BY starts_with(shortcut, ${wanted}) DESC, shortcut`;
  }

  /**
   * Stores a new saved reply; `by` is the name of the person, null for a token. Throws Refusal `bad-field` for a
   * duplicate shortcut, and `not-now` at MAX_SAVED_REPLIES.
   */
  async create(accountId: number, input: SavedReplyInput, by: string | null): Promise<SavedReply> {
    const { sql, ids, clock } = this.#deps;
    const { shortcut, title, text } = input;
    // Parallel requests may exceed the limit slightly, which is harmless.
    const [counted] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM saved_replies WHERE account_id = ${accountId}`;
    if (counted!.count >= MAX_SAVED_REPLIES) {
      const detail = { reason: 'too-many', params: { max: MAX_SAVED_REPLIES } } as const;
      throw new Refusal('not-now', `the account has ${MAX_SAVED_REPLIES} saved replies`, undefined, detail);
    }
    const now = clock.now();
    const [row] = await refusingTaken(
      sql<SavedReply[]>`
        INSERT INTO saved_replies (account_id, id, shortcut, title, text, created_by, created_at, updated_at)
        VALUES (${accountId}, ${ids.next()}, ${shortcut}, ${title}, ${text}, ${by}, ${now}, ${now})
        RETURNING ${columns(sql)}`,
    );
    return row!;
  }

  /** Updates the given fields; undefined if no reply has this id. Throws Refusal `bad-field` as `create` does. */
  async change(
    accountId: number,
    id: number,
    { shortcut, title, text }: { readonly [K in keyof SavedReplyInput]?: string | undefined },
  ): Promise<SavedReply | undefined> {
    const { sql, clock } = this.#deps;
    const [row] = await refusingTaken(
      sql<SavedReply[]>`
        UPDATE saved_replies SET shortcut = coalesce(${shortcut ?? null}, shortcut),
          title = coalesce(${title ?? null}, title), text = coalesce(${text ?? null}, text), updated_at = ${clock.now()}
        WHERE account_id = ${accountId} AND id = ${id}
        RETURNING ${columns(sql)}`,
    );
    return row;
  }

  /** Counts a use of a saved reply and returns it; undefined if no reply has this id. */
  async use(accountId: number, id: number): Promise<SavedReply | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<SavedReply[]>`
      UPDATE saved_replies SET uses = uses + 1 WHERE account_id = ${accountId} AND id = ${id}
      RETURNING ${columns(sql)}`;
    return row;
  }

  /** Deletes a saved reply. Returns whether it existed. Throws Refusal `not-now` while a rule sends it. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const [rule] = await sql<{ name: string }[]>`
      SELECT name FROM conversation_rules
      WHERE account_id = ${accountId} AND rule->>'saved_reply_id' = ${String(id)} LIMIT 1`;
    if (rule) {
      const detail = { reason: 'sent-by-rule', params: { rule: rule.name } } as const;
      throw new Refusal('not-now', `the rule "${rule.name}" sends it`, undefined, detail);
    }
    const rows =
      await sql`DELETE FROM saved_replies WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    return rows.length > 0;
  }
}

const columns = (sql: Queryable) => sql`id, shortcut, title, text, created_by, uses, created_at, updated_at`;

async function refusingTaken<T>(statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedConstraint(error) !== 'saved_replies_shortcut') throw error;
    throw badField('shortcut', 'another saved reply has this shortcut', 'taken');
  }
}
