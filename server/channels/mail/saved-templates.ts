import type { Queryable, Sql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal, savedMeanwhile } from '../../kit/errors.ts';

/** Maximum number of templates of an account. */
export const MAX_TEMPLATES = 500;
/** Maximum characters of the blocks as JSON: their content is also in the HTML, which has its own limit. */
const MAX_BLOCKS = 300_000;

/** A saved email template of an account, without its content. */
export interface MailTemplate {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  /** Whether it was created with the block editor, and can be opened in it. */
  readonly hasBlocks: boolean;
  /** Increases with every save, from 1. */
  readonly version: number;
  /** The name of the person who saved it last; null: a token. */
  readonly updatedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** State of the block editor; no other code reads it. */
type Blocks = Readonly<Record<string, unknown>>;

interface TemplateContent {
  /** Null: absent; at least one of the two is present. */
  readonly html: string | null;
  readonly text: string | null;
  /** Null: the HTML and the text were written without the block editor. */
  readonly blocks: Blocks | null;
}

/** Input of a saved template. */
interface TemplateInput extends TemplateContent {
  readonly name: string;
  readonly subject: string;
  /** The name of the person who saves; null: a token. */
  readonly by: string | null;
}

/**
 * Email templates, shared in the account. A send that begins with a template has a copy, so later changes do not affect
 * each other. The content is checked when it is sent.
 */
export class MailTemplates {
  readonly #deps: Pick<Context, 'sql' | 'ids' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'ids' | 'clock'>) {
    this.#deps = deps;
  }

  /** Returns templates whose name or subject contains `search` (ignoring case; '' returns all), last saved first. */
  async list(accountId: number, search = ''): Promise<MailTemplate[]> {
    const { sql } = this.#deps;
    return sql<MailTemplate[]>`
      SELECT ${columns(sql)} FROM mail_templates
      WHERE account_id = ${accountId}
        AND (strpos(lower(name), lower(${search})) > 0 OR strpos(lower(subject), lower(${search})) > 0)
      ORDER BY updated_at DESC, id DESC`;
  }

  /** Returns a template of an account, with its content. */
  async find(accountId: number, id: number): Promise<(MailTemplate & TemplateContent) | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<(MailTemplate & Omit<TemplateContent, 'blocks'> & { blocks: string | null })[]>`
      SELECT ${columns(sql)}, html, text, blocks FROM mail_templates
      WHERE account_id = ${accountId} AND id = ${id}`;
    return row && { ...row, blocks: row.blocks === null ? null : (JSON.parse(row.blocks) as Blocks) };
  }

  /**
   * Stores a new template. Throws Refusal `bad-field` for an empty one, `too-large`, and `not-now` at MAX_TEMPLATES.
   */
  async create(accountId: number, input: TemplateInput): Promise<MailTemplate> {
    const { sql, ids, clock } = this.#deps;
    const { name, subject, html, text, by } = input;
    const blocks = check(input);
    await this.#checkCount(accountId);
    const now = clock.now();
    const [row] = await sql<MailTemplate[]>`
      INSERT INTO mail_templates (account_id, id, name, subject, html, text, blocks, version, updated_by, created_at,
        updated_at)
      VALUES (${accountId}, ${ids.next()}, ${name}, ${subject}, ${html}, ${text}, ${blocks}, 1, ${by}, ${now}, ${now})
      RETURNING ${columns(sql)}`;
    return row!;
  }

  /**
   * Saves a template over the version that the author has seen. Returns undefined if no such template exists. Throws
   * Refusal as `create` does, and `not-now` if somebody else has saved it in between.
   */
  async save(
    accountId: number,
    id: number,
    version: number,
    input: TemplateInput,
  ): Promise<MailTemplate | undefined> {
    const { sql, clock } = this.#deps;
    const { name, subject, html, text, by } = input;
    const blocks = check(input);
    const [saved] = await sql<MailTemplate[]>`
      UPDATE mail_templates SET name = ${name}, subject = ${subject}, html = ${html}, text = ${text},
        blocks = ${blocks}, version = version + 1, updated_by = ${by}, updated_at = ${clock.now()}
      WHERE account_id = ${accountId} AND id = ${id} AND version = ${version}
      RETURNING ${columns(sql)}`;
    if (saved) return saved;
    const other = await this.find(accountId, id);
    if (!other) return undefined;
    throw savedMeanwhile(other);
  }

  /**
   * Stores a copy of a template under a name. Returns undefined if no such template exists. Throws Refusal as `create`
   * does.
   */
  async duplicate(
    accountId: number,
    id: number,
    { name, by }: Pick<TemplateInput, 'name' | 'by'>,
  ): Promise<MailTemplate | undefined> {
    const template = await this.find(accountId, id);
    return template && this.create(accountId, { ...template, name, by });
  }

  /** Deletes a template. Returns whether it existed. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const rows = await sql`
      DELETE FROM mail_templates WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    return rows.length > 0;
  }

  async #checkCount(accountId: number): Promise<void> {
    // Parallel requests may exceed the limit slightly, which is harmless.
    const [counted] = await this.#deps.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM mail_templates WHERE account_id = ${accountId}`;
    if (counted!.count < MAX_TEMPLATES) return;
    throw new Refusal('not-now', `the account has ${MAX_TEMPLATES} mail templates; delete one`, undefined, {
      reason: 'too-many-mail-templates',
      params: { max: MAX_TEMPLATES },
    });
  }
}

const columns = (sql: Queryable | Sql) =>
  sql`id, name, subject, blocks IS NOT NULL AS "hasBlocks", version, updated_by AS "updatedBy",
    created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Refuses empty and too large content. Returns the blocks as JSON. */
function check({ html, text, blocks }: TemplateContent): string | null {
  if (html === null && text === null) {
    throw badField('text', 'there is neither html nor text', 'no-content');
  }
  if (blocks === null) return null;
  const written = JSON.stringify(blocks);
  if (written.length > MAX_BLOCKS) {
    throw new Refusal('too-large', `over ${MAX_BLOCKS} characters as JSON`, 'blocks');
  }
  return written;
}
