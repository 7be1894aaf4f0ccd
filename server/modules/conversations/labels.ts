import { violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';

export const labelColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet'] as const;

/** Maximum number of labels of an account. */
export const MAX_LABELS = 100;

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: (typeof labelColors)[number];
}

/** Labels of accounts for conversations. */
export class ConversationLabels {
  readonly #deps: Pick<Context, 'sql' | 'ids'>;

  constructor(deps: Pick<Context, 'sql' | 'ids'>) {
    this.#deps = deps;
  }

  /** Returns all labels of an account, ordered by name. */
  async list(accountId: number): Promise<Label[]> {
    return this.#deps.sql<Label[]>`
      SELECT id, name, color FROM conversation_labels WHERE account_id = ${accountId} ORDER BY lower(name)`;
  }

  /** Stores a new label. Throws Refusal `bad-field` for a duplicate name, `not-now` at MAX_LABELS. */
  async create(accountId: number, { name, color }: Omit<Label, 'id'>): Promise<Label> {
    const { sql, ids } = this.#deps;
    const [counted] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM conversation_labels WHERE account_id = ${accountId}`;
    // Parallel requests may exceed the limit slightly, which is harmless.
    if (counted!.count >= MAX_LABELS) {
      throw new Refusal('not-now', `the account has ${MAX_LABELS} labels; delete one`, undefined, {
        reason: 'too-many',
        params: { max: MAX_LABELS },
      });
    }
    const [row] = await refusingTaken(
      sql<Label[]>`
        INSERT INTO conversation_labels (account_id, id, name, color)
        VALUES (${accountId}, ${ids.next()}, ${name}, ${color}) RETURNING id, name, color`,
    );
    return row!;
  }

  /** Changes a label; undefined if no label has this id. Throws as `create` does. */
  async change(
    accountId: number,
    id: number,
    { name, color }: { readonly [K in 'name' | 'color']?: Label[K] | undefined },
  ): Promise<Label | undefined> {
    const { sql } = this.#deps;
    const [row] = await refusingTaken(
      sql<Label[]>`
        UPDATE conversation_labels SET name = coalesce(${name ?? null}, name), color = coalesce(${color ?? null}, color)
        WHERE account_id = ${accountId} AND id = ${id} RETURNING id, name, color`,
    );
    return row;
  }

  /** Deletes a label, also from conversations. Returns whether it existed. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const rows = await sql`
      DELETE FROM conversation_labels WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    return rows.length > 0;
  }
}

async function refusingTaken<T>(statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedConstraint(error) !== 'conversation_labels_name') throw error;
    throw badField('name', 'another label has this name', 'taken');
  }
}
