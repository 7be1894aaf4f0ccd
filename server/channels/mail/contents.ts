import { LRUCache } from 'lru-cache';
import { numbers } from '../../database/arrays.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';
import { type CompiledContent, compileContent, type MailContent } from './content.ts';

const DAY_MS = 86_400_000;
/** Number of campaigns whose content is in memory, up to half a megabyte each. */
const KEPT = 50;

/** Contents of campaigns, read once while they are being sent. They never change. */
export class Contents {
  readonly #sql: Sql;
  readonly #known = new LRUCache<string, Promise<CompiledContent>>({ max: KEPT });

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Rejects if the account has no such campaign, or the database is unavailable. */
  of(accountId: number, campaignId: number): Promise<CompiledContent> {
    const key = `${accountId}/${campaignId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const content = this.#read(accountId, campaignId);
    content.catch(() => this.#known.delete(key));
    this.#known.set(key, content);
    return content;
  }

  /** Stores the content of a campaign or of single emails with their shipment. */
  async store(tx: TransactionSql, accountId: number, id: number, content: MailContent): Promise<void> {
    await tx`
      INSERT INTO mail_contents (account_id, id, content) VALUES (${accountId}, ${id}, ${tx.waitingJson(accountId, content)})`;
  }

  /** Deletes contents without emails left (by retention), if their campaign has ended. */
  async cleanUp(now: number, keepDays: number): Promise<void> {
    await this.#sql`
      DELETE FROM mail_contents m WHERE m.id < ${idFloor(now - keepDays * DAY_MS)} AND NOT EXISTS (
        SELECT 1 FROM campaigns c WHERE c.account_id = m.account_id AND c.id = m.id)`;
  }

  /** Returns the contents of these campaigns by id. */
  async shownOf(accountId: number, campaignIds: readonly number[]): Promise<Map<number, MailContent>> {
    const rows = await this.#sql<{ id: number; content: MailContent }[]>`
      SELECT id, content FROM mail_contents
      WHERE account_id = ${accountId} AND id = ANY(${numbers(campaignIds)}::bigint[])`;
    return new Map(rows.map(({ id, content }) => [id, content]));
  }

  async #read(accountId: number, campaignId: number): Promise<CompiledContent> {
    const [row] = await this.#sql<{ content: MailContent }[]>`
      SELECT content FROM mail_contents WHERE account_id = ${accountId} AND id = ${campaignId}`;
    if (!row) throw new Error(`mail campaign ${campaignId} does not exist`);
    return compileContent(row.content);
  }
}
