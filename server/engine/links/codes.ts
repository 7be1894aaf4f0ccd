import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
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

/**
 * Finds the targets of codes by the primary key. Lookups that arrive while another one runs share a statement, so that
 * a campaign's first minute costs the database tens of statements per second instead of thousands.
 */
export class Codes {
  readonly #sql: Sql;
  readonly #cipher: CodeCipher;
  readonly #targets = new BatchedLookup({
    read: (codes: readonly string[]) => this.#read(codes),
    maxKeys: MAX,
  });
  readonly #urls = new Map<number, string>();

  constructor(sql: Sql, cipher: CodeCipher) {
    this.#sql = sql;
    this.#cipher = cipher;
  }

  /** Returns the target of a code; undefined for an unknown or expired one. Rejects with errors of the database. */
  find(code: string): Promise<CodeTarget | undefined> {
    return this.#targets.get(code);
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

  async #read(codes: readonly string[]): Promise<Map<string, CodeTarget>> {
    const decoded = this.#cipher.decode(codes);
    const wanted = decoded.filter((number) => number !== undefined);
    if (wanted.length === 0) return new Map();
    const rows = await this.#sql<(Omit<CodeTarget, 'language'> & { number: number; language: string })[]>`
        SELECT number, account_id AS "accountId", shipment_id AS "shipmentId", message_id AS "messageId",
          link_id AS "linkId", language
        FROM link_codes WHERE number = ANY(${numbers(wanted)}::bigint[])`;
    const found = new Map(
      rows.map(({ number, language: stored, ...target }) => {
        const language = languages.find((known) => known === stored) ?? 'en';
        return [number, { ...target, language }];
      }),
    );
    return new Map(
      codes.flatMap((code, index): [string, CodeTarget][] => {
        const target = found.get(decoded[index]!);
        return target ? [[code, target]] : [];
      }),
    );
  }
}
