import type { Sql } from '../../database/connection.ts';
import { type CompiledContent, compileContent, type MailContent } from './content.ts';

/** Campaigns whose content is kept in memory, half a megabyte each at most. */
const KEPT = 50;

/** The contents of campaigns, read once while they are being sent. They never change. */
export class Contents {
  readonly #sql: Sql;
  readonly #known = new Map<string, Promise<CompiledContent>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Rejects when the account has no such campaign, or the database is away. */
  of(accountId: number, campaignId: number): Promise<CompiledContent> {
    const key = `${accountId}/${campaignId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const content = this.#read(accountId, campaignId);
    content.catch(() => this.#known.delete(key));
    this.#known.set(key, content);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
    return content;
  }

  async #read(accountId: number, campaignId: number): Promise<CompiledContent> {
    const [row] = await this.#sql<{ content: MailContent }[]>`
      SELECT content FROM mail_campaigns WHERE account_id = ${accountId} AND id = ${campaignId}`;
    if (!row) throw new Error(`mail campaign ${campaignId} is not there`);
    return compileContent(row.content);
  }
}
