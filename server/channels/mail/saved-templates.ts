import type { Context } from '../../context.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { Refusal, savedMeanwhile } from '../../errors.ts';

/** Of an account, at most. */
export const MAX_TEMPLATES = 500;
/** Characters of the blocks as JSON: what they say is in the HTML too, which has its own limit. */
const MAX_BLOCKS = 300_000;

/** A mail that an account has saved, to begin others with; without what it says. */
export interface MailTemplate {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  /** Whether it was made with the block editor, and can be opened in it. */
  readonly hasBlocks: boolean;
  /** Grows with every save, from 1. */
  readonly version: number;
  /** The name of the person who saved it last; null: a token. */
  readonly updatedBy: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What the block editor knows of a mail; nobody else reads it. */
type Blocks = Readonly<Record<string, unknown>>;

interface TemplateContent {
  /** Null: there is none; one of both is. */
  readonly html: string | null;
  readonly text: string | null;
  /** Null: the HTML and the text were written as such. */
  readonly blocks: Blocks | null;
}

/** What somebody saves. */
interface TemplateInput extends TemplateContent {
  readonly name: string;
  readonly subject: string;
  /** The name of the person who saves; null: a token. */
  readonly by: string | null;
}

/**
 * Mail templates, shared in the account. A send that begins with one has a copy: neither changes with the other. What a
 * template says is checked as a mail when it is sent.
 */
export class MailTemplates {
  readonly #deps: Pick<Context, 'sql' | 'ids' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'ids' | 'clock'>) {
    this.#deps = deps;
  }

  /** Those whose name or subject contains `search` (without case; '' is all), the last saved first. */
  async list(accountId: number, search = ''): Promise<MailTemplate[]> {
    const { sql } = this.#deps;
    return sql<MailTemplate[]>`
      SELECT ${columns(sql)} FROM mail_templates
      WHERE account_id = ${accountId}
        AND (strpos(lower(name), lower(${search})) > 0 OR strpos(lower(subject), lower(${search})) > 0)
      ORDER BY updated_at DESC, id DESC`;
  }

  /** One template of an account, with what it says. */
  async find(accountId: number, id: number): Promise<(MailTemplate & TemplateContent) | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<(MailTemplate & Omit<TemplateContent, 'blocks'> & { blocks: string | null })[]>`
      SELECT ${columns(sql)}, html, text, blocks FROM mail_templates
      WHERE account_id = ${accountId} AND id = ${id}`;
    return row && { ...row, blocks: row.blocks === null ? null : (JSON.parse(row.blocks) as Blocks) };
  }

  /**
   * Stores a new template. Throws Refusal `bad-field` for one that says nothing, `too-large`, and `not-now` when the
   * account has MAX_TEMPLATES.
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
   * Saves a template over the version that whoever saves has seen. Undefined when there is no such template. Throws
   * Refusal as `create`, and `not-now` when it was saved by somebody else meanwhile.
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

  /** Stores a copy of a template under a name. Undefined when there is no such template. Throws Refusal as `create`. */
  async duplicate(
    accountId: number,
    id: number,
    { name, by }: Pick<TemplateInput, 'name' | 'by'>,
  ): Promise<MailTemplate | undefined> {
    const template = await this.find(accountId, id);
    return template && this.create(accountId, { ...template, name, by });
  }

  /** Deletes a template; gives whether there was one. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const rows = await sql`
      DELETE FROM mail_templates WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    return rows.length > 0;
  }

  async #checkCount(accountId: number): Promise<void> {
    // Two at once may pass the limit by one, which harms nobody.
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

/** Refuses what is empty or too large; gives the blocks as JSON. */
function check({ html, text, blocks }: TemplateContent): string | null {
  if (html === null && text === null) {
    throw new Refusal('bad-field', 'there is neither html nor text', 'text', { reason: 'no-content' });
  }
  if (blocks === null) return null;
  const written = JSON.stringify(blocks);
  if (written.length > MAX_BLOCKS) {
    throw new Refusal('too-large', `over ${MAX_BLOCKS} characters as JSON`, 'blocks');
  }
  return written;
}
