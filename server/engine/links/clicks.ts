import { numbers } from '../../database/arrays.ts';
import type { Context } from '../../kit/context.ts';
import { WriteBehind } from '../../kit/write-behind.ts';
import type { CodeTarget } from './codes.ts';
import { clicksLost, clicksTotal } from './metrics.ts';
import { type Visitor, visitors } from './visitors.ts';

interface Click {
  readonly id: number;
  readonly shipmentId: number;
  readonly linkId: number;
  readonly messageId: number;
  readonly visitor: number;
}

/** The message whose link was followed. */
type Clicked = Pick<CodeTarget, 'accountId' | 'shipmentId' | 'messageId'>;

type ClicksDeps = Pick<Context, 'sql' | 'ids' | 'log'>;

/**
 * Counts clicks on links. The visitor is redirected immediately. Clicks are written in groups, one statement per
 * account, since a transaction for each would make the disk limit the number of visitors.
 */
export class Clicks {
  readonly #deps: ClicksDeps;
  readonly #buffer: WriteBehind<Click>;

  constructor(deps: ClicksDeps) {
    this.#deps = deps;
    this.#buffer = new WriteBehind({
      owner: 'clicks',
      log: deps.log,
      store: (accountId, clicks) => this.#insert(accountId, clicks),
      dropped: (count) => clicksLost.inc(count),
    });
  }

  /** Records that somebody has just followed a link. */
  add({ accountId, shipmentId, messageId }: Clicked, linkId: number, visitor: Visitor): void {
    clicksTotal.inc({ visitor });
    this.#buffer.add(accountId, {
      id: this.#deps.ids.next(),
      shipmentId,
      linkId,
      messageId,
      visitor: visitors[visitor],
    });
  }

  /** Writes the pending clicks, at the end of the process. If the database rejects them, they are lost. */
  stop(): Promise<void> {
    return this.#buffer.stop();
  }

  async #insert(accountId: number, clicks: readonly Click[]): Promise<void> {
    // After a connection lost during the commit, the same group is written again with the same ids.
    await this.#deps.sql`
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
