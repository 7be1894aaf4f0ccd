import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { type Language, languages } from '../../kit/text/language.ts';
import type { CodeCipher } from './code-cipher.ts';

/** Target of a message's code. */
export interface CodeTarget {
  readonly accountId: number;
  readonly shipmentId: number;
  readonly messageId: number;
  /** Null for the unsubscribe page. */
  readonly linkId: number | null;
  readonly language: Language;
}

/** Maximum lookups per statement: more do not make each of them cheaper. */
const MAX = 200;
/** Maximum number of cached addresses: thousands of recipients follow a campaign's link. */
const URLS = 10_000;

interface Waiting {
  readonly code: string;
  readonly resolve: (target: CodeTarget | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Finds the targets of codes by the primary key. Lookups that arrive while another one runs share a statement, so that
 * a campaign's first minute costs the database tens of statements per second instead of thousands.
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

  /** Returns the target of a code; undefined for an unknown or expired one. Rejects with errors of the database. */
  find(code: string): Promise<CodeTarget | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ code, resolve, reject });
      if (this.#working) return;
      this.#working = true;
      // Runs after the other requests of this event loop turn.
      setImmediate(() => void this.#work());
    });
  }

  /**
   * Returns the address of a link; undefined when it has expired. An address never changes, so it is queried only once.
   */
  async urlOf(accountId: number, linkId: number): Promise<string | undefined> {
    const known = this.#urls.get(linkId);
    if (known !== undefined) return known;
    const [row] = await this.#sql<{ url: string }[]>`
      SELECT url FROM short_links WHERE account_id = ${accountId} AND id = ${linkId}`;
    // An address encrypted with a lost key is empty.
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
