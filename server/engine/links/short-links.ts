import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { Language } from '../../kit/text/language.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import { CodeCipher } from './code-cipher.ts';
import { CodeNumbers } from './code-numbers.ts';
import type { RequestedLink } from './requested-links.ts';

const LINK_PATH = '/l/';
const REMOVAL_PATH = '/u/';

/** A unique code: 7 letters and digits. */
export interface Code {
  readonly text: string;
  /** Key in the table of codes. */
  readonly number: number;
}

/** A link of a shipment, with its id; stored once for all recipients. */
export interface PlannedLink extends RequestedLink {
  readonly id: number;
  readonly shipmentId: number;
}

/** A recipient's code: for a link of the shipment, or with `linkId` null for the unsubscribe page. */
export interface PlannedCode {
  readonly code: Code;
  readonly shipmentId: number;
  readonly messageId: number;
  readonly linkId: number | null;
  /** Language of the page: that of the message. */
  readonly language: Language;
}

interface ShortLinksDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'> {
  /** Returns the base of short links (setting SHORT_LINK_DOMAIN), without a trailing slash. */
  readonly base: () => string;
}

/** Creates and stores short links and removal links. */
export class ShortLinks {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #base: () => string;
  readonly #codeNumbers: CodeNumbers;
  /** For decoding codes. */
  readonly cipher: CodeCipher;

  private constructor(deps: ShortLinksDeps, cipher: CodeCipher) {
    this.#sql = deps.sql;
    this.#ids = deps.ids;
    this.#base = deps.base;
    this.#codeNumbers = new CodeNumbers(deps.sql, deps.clock);
    this.cipher = cipher;
  }

  /** Opens the module. The key of the codes is created at the first start and stored in the database. */
  static async open(deps: ShortLinksDeps): Promise<ShortLinks> {
    return new ShortLinks(deps, new CodeCipher(await installationKey(deps.sql, deps.secrets, 'link-codes')));
  }

  /** Assigns ids to the links of a shipment. No I/O. */
  plan(shipmentId: number, links: readonly RequestedLink[]): PlannedLink[] {
    return links.map(({ key, url }) => ({ id: this.#ids.next(), shipmentId, key, url }));
  }

  /**
   * Returns `count` unused codes. Queries the database once per 32,768 codes, on a separate connection: call it before
   * a transaction, not inside. Codes that are not stored are lost, which is harmless.
   */
  async codesFor(count: number): Promise<Code[]> {
    const taken = await this.#codeNumbers.take(count);
    const codes: Code[] = [];
    const slice = new TimeSlice();
    for (const some of inStatements(taken)) {
      for (const [index, text] of this.cipher.encode(some).entries())
        codes.push({ text, number: some[index]! });
      if (slice.isOverNow) await slice.rest();
    }
    return codes;
  }

  /** Returns a short link for a message, like `https://go.example/l/7Gh2kQz`. */
  linkText(code: Pick<Code, 'text'>): string {
    return this.#base() + LINK_PATH + code.text;
  }

  /** Returns a removal link for a message, like `https://go.example/u/7Gh2kQz`. */
  removalText(code: Pick<Code, 'text'>): string {
    return this.#base() + REMOVAL_PATH + code.text;
  }

  /**
   * Writes links and codes of one account in the caller's transaction, that of their messages. Either may be empty: a
   * send to lists stores its links once and codes with each step. Rejects with errors of the database.
   */
  async store(
    tx: Queryable,
    accountId: number,
    links: readonly PlannedLink[],
    codes: readonly PlannedCode[],
  ): Promise<void> {
    await Promise.all([
      links.length > 0 && storeLinks(tx, accountId, links),
      codes.length > 0 && storeCodes(tx, accountId, codes),
    ]);
  }

  /** Returns the links of a shipment, in the order of the request. */
  async ofShipment(accountId: number, shipmentId: number): Promise<PlannedLink[]> {
    // The id of a link is newer than its shipment's, so the bound skips older partitions.
    const rows = await this.#sql<{ id: number; key: string; url: string }[]>`
      SELECT id, key, url FROM short_links
      WHERE account_id = ${accountId} AND shipment_id = ${shipmentId} AND id > ${shipmentId}
      ORDER BY id`;
    return rows.map((row) => ({ ...row, shipmentId }));
  }
}

async function storeLinks(tx: Queryable, accountId: number, links: readonly PlannedLink[]): Promise<void> {
  await tx`
    INSERT INTO short_links (account_id, id, shipment_id, key, url)
    SELECT w.account_id, u.id, u.shipment_id, u.key, u.url
    FROM wallets w, unnest(
      ${numbers(links.map((link) => link.id))}::bigint[],
      ${numbers(links.map((link) => link.shipmentId))}::bigint[],
      ${texts(links.map((link) => link.key))}::text[],
      ${texts(links.map((link) => tx.waitingText(accountId, link.url)))}::text[]
    ) AS u (id, shipment_id, key, url)
    WHERE w.account_id = ${accountId}`;
}

async function storeCodes(tx: Queryable, accountId: number, codes: readonly PlannedCode[]): Promise<void> {
  for (const some of inStatements(codes)) await insertCodes(tx, accountId, some);
}

async function insertCodes(tx: Queryable, accountId: number, codes: readonly PlannedCode[]): Promise<void> {
  await tx`
    INSERT INTO link_codes (number, account_id, shipment_id, message_id, link_id, language)
    SELECT u.number, ${accountId}::bigint, u.shipment_id, u.message_id, u.link_id, u.language
    FROM unnest(
      ${numbers(codes.map(({ code }) => code.number))}::bigint[],
      ${numbers(codes.map((code) => code.shipmentId))}::bigint[],
      ${numbers(codes.map((code) => code.messageId))}::bigint[],
      ${numbers(codes.map((code) => code.linkId))}::bigint[],
      ${texts(codes.map((code) => code.language))}::text[]
    ) AS u (number, shipment_id, message_id, link_id, language)`;
}
