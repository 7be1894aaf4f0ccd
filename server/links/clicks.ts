import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import type { Logger } from '../observability/log.ts';
import type { CodeTarget } from './codes.ts';
import { clicksLost, clicksTotal } from './metrics.ts';
import { type Visitor, visitors } from './visitors.ts';

/** How long a click waits for others. What is lost when a process is killed. */
const WAIT_MS = 200;
const RETRY_MS = 1_000;
/** Clicks of one statement. */
const GROUP = 2_000;
/** Kept while the database is away, 10 MB or so; later ones are not counted. */
const MOST = 100_000;

interface Click {
  readonly id: number;
  readonly shipmentId: number;
  readonly linkId: number;
  readonly messageId: number;
  readonly visitor: number;
}

/** The message whose link was followed. */
export type Clicked = Pick<CodeTarget, 'accountId' | 'shipmentId' | 'messageId'>;

export interface ClicksParts {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly log: Logger;
}

/**
 * Counts who follows links. A person is sent on at once; clicks are written in groups, a statement for each account,
 * since a transaction for each would let the disk say how many can follow.
 */
export class Clicks {
  readonly #parts: ClicksParts;
  #waiting = new Map<number, Click[]>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: ClicksParts) {
    this.#parts = parts;
  }

  /** Notes that someone followed a link just now. */
  add({ accountId, shipmentId, messageId }: Clicked, linkId: number, visitor: Visitor): void {
    clicksTotal.inc({ visitor });
    const click = {
      id: this.#parts.ids.next(),
      shipmentId,
      linkId,
      messageId,
      visitor: visitors[visitor],
    };
    if (this.#put(accountId, [click])) this.#schedule(WAIT_MS);
  }

  /** Writes what waits. When the database does not take it, it is lost: this is the end. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    await this.#write();
    clearTimeout(this.#timer);
  }

  #put(accountId: number, clicks: readonly Click[]): boolean {
    if (this.#count + clicks.length > MOST) {
      clicksLost.inc(clicks.length);
      return false;
    }
    this.#count += clicks.length;
    const waiting = this.#waiting.get(accountId);
    if (waiting) waiting.push(...clicks);
    else this.#waiting.set(accountId, [...clicks]);
    return true;
  }

  #schedule(milliseconds: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write().then((written) => {
        this.#writing = undefined;
        if (this.#count > 0) this.#schedule(written ? WAIT_MS : RETRY_MS);
      });
    }, milliseconds);
  }

  /** Writes what waits now. False when the database did not take it all: then it waits again. */
  async #write(): Promise<boolean> {
    let written = true;
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    for (const [accountId, clicks] of taken) {
      for (let from = 0; from < clicks.length; from += GROUP) {
        const group = clicks.slice(from, from + GROUP);
        try {
          await this.#insert(accountId, group);
        } catch (error) {
          this.#parts.log.warn({ err: error, clicks: group.length }, 'clicks wait for the database');
          this.#put(accountId, group);
          written = false;
        }
      }
    }
    return written;
  }

  async #insert(accountId: number, clicks: readonly Click[]): Promise<void> {
    // After a connection that broke in the middle of a commit the same group comes again: its ids are the same.
    await this.#parts.sql`
      INSERT INTO clicks (account_id, id, shipment_id, link_id, message_id, visitor)
      SELECT w.account_id, u.id, u.shipment_id, u.link_id, u.message_id, u.visitor
      FROM wallets w, unnest(
        ${numbers(clicks.map((click) => click.id))}::bigint[],
        ${numbers(clicks.map((click) => click.shipmentId))}::bigint[],
        ${numbers(clicks.map((click) => click.linkId))}::bigint[],
        ${numbers(clicks.map((click) => click.messageId))}::bigint[],
        ${numbers(clicks.map((click) => click.visitor))}::smallint[]
      ) AS u (id, shipment_id, link_id, message_id, visitor)
      WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT clicks_pkey DO NOTHING`;
  }
}
