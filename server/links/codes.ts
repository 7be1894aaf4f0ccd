import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { type Language, languages } from '../text/language.ts';
import type { CodeCipher } from './code-cipher.ts';

/** What a code of a message leads to. */
export interface CodeTarget {
  readonly accountId: number;
  readonly shipmentId: number;
  readonly messageId: number;
  /** Null: the page of removal. */
  readonly linkId: number | null;
  readonly language: Language;
}

/** More look-ups than this at once do not make the statement cheaper for each. */
const MAX = 200;
/** Addresses kept in memory: a campaign's link is followed by thousands. */
const URLS = 10_000;

interface Waiting {
  readonly code: string;
  readonly resolve: (target: CodeTarget | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Finds what codes lead to: one look-up by the primary key. Those that come while another is under way are looked up
 * together, so that a campaign's first minute costs the database tens of statements a second and not thousands.
 */
export class Codes {
  readonly #sql: Sql;
  readonly #cipher: CodeCipher;
  readonly #waiting: Waiting[] = [];
  #working = false;
  readonly #urls = new Map<number, string>();

  constructor(sql: Sql, cipher: CodeCipher) {
    this.#sql = sql;
    this.#cipher = cipher;
  }

  /** What a code leads to; undefined for one that is unknown or too old. Throws what the database throws. */
  find(code: string): Promise<CodeTarget | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ code, resolve, reject });
      if (this.#working) return;
      this.#working = true;
      // After the other requests of this turn of the event loop.
      setImmediate(() => void this.#work());
    });
  }

  /** The address of a link; undefined when it is too old. It never changes, and so is asked for once. */
  async urlOf(accountId: number, linkId: number): Promise<string | undefined> {
    const known = this.#urls.get(linkId);
    if (known !== undefined) return known;
    const [row] = await this.#sql<{ url: string }[]>`
      SELECT url FROM short_links WHERE account_id = ${accountId} AND id = ${linkId}`;
    // One that was encrypted with a key that is lost is empty.
    if (!row?.url) return undefined;
    if (this.#urls.size >= URLS) this.#urls.clear();
    this.#urls.set(linkId, row.url);
    return row.url;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX);
      try {
        await this.#lookUp(group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#working = false;
  }

  async #lookUp(group: readonly Waiting[]): Promise<void> {
    const decoded = this.#cipher.decode(group.map(({ code }) => code));
    const wanted = decoded.filter((number) => number !== undefined);
    const found = new Map<number, CodeTarget>();
    if (wanted.length > 0) {
      const rows = await this.#sql<(Omit<CodeTarget, 'language'> & { number: number; language: string })[]>`
        SELECT number, account_id AS "accountId", shipment_id AS "shipmentId", message_id AS "messageId",
          link_id AS "linkId", language
        FROM link_codes WHERE number = ANY(${numbers(wanted)}::bigint[])`;
      for (const { number, language: stored, ...target } of rows) {
        const language = languages.find((known) => known === stored) ?? 'en';
        found.set(number, { ...target, language });
      }
    }
    for (const [index, { resolve }] of group.entries()) {
      const number = decoded[index];
      resolve(number === undefined ? undefined : found.get(number));
    }
  }
}
