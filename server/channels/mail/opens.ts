import { numbers } from '../../database/arrays.ts';
import type { Clicks } from '../../engine/links/clicks.ts';
import type { Visitor } from '../../engine/links/visitors.ts';
import type { Context } from '../../kit/context.ts';
import { WriteBehind } from '../../kit/write-behind.ts';
import { mailChannel } from './channel.ts';
import { decodeMailText } from './mail-text.ts';
import { MAX_LINKS, type SignedTokens, tokenFor } from './signed-tokens.ts';
import type { MailUsers } from './users.ts';

interface MailOpensDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly signedTokens: SignedTokens;
  readonly users: Pick<MailUsers, 'delivered'>;
  readonly clicks: Pick<Clicks, 'add'>;
}

interface Open {
  readonly messageId: number;
  readonly at: number;
}

/** Counts opened emails (their image was fetched) and clicked links. */
export class MailOpens {
  readonly #deps: MailOpensDeps;
  readonly #opens: WriteBehind<Open>;

  constructor(deps: MailOpensDeps) {
    this.#deps = deps;
    this.#opens = new WriteBehind({
      owner: 'opens of mails',
      log: deps.log,
      store: (accountId, opens) => this.#store(accountId, opens),
    });
  }

  /** Records that the image of an email was fetched. Returns false for an invalid token. */
  opened(token: string): boolean {
    const marked = this.#deps.signedTokens.read(token);
    if (marked?.what !== tokenFor.open) return false;
    this.#open(marked.accountId, marked.messageId);
    return true;
  }

  /**
   * Returns the target of a token's link, and records the click. Returns undefined for an invalid token, or an email
   * deleted by retention.
   */
  async followed(token: string, visitor: Visitor): Promise<string | undefined> {
    const { sql, signedTokens, clicks } = this.#deps;
    const marked = signedTokens.read(token);
    if (!marked || marked.what >= MAX_LINKS) return undefined;
    const { accountId, messageId, what } = marked;
    const [link] = await sql<{ shipment_id: number; id: number; url: string }[]>`
      SELECT m.shipment_id, l.id, l.url FROM messages m
      JOIN short_links l ON l.account_id = m.account_id AND l.shipment_id = m.shipment_id
      WHERE m.account_id = ${accountId} AND m.id = ${messageId} AND m.channel = ${mailChannel.id}
        AND l.account_id = ${accountId} AND l.key = ${String(what)}`;
    // Empty if the link was encrypted with a lost key.
    if (!link?.url) return undefined;
    clicks.add({ accountId, shipmentId: link.shipment_id, messageId }, link.id, visitor);
    // A click implies an opened email, even if images are not shown.
    if (visitor === 'person') this.#open(accountId, messageId);
    return link.url;
  }

  async stop(): Promise<void> {
    await this.#opens.stop();
  }

  #open(accountId: number, messageId: number): void {
    this.#opens.add(accountId, { messageId, at: this.#deps.clock.now() });
  }

  async #store(accountId: number, opens: readonly Open[]): Promise<void> {
    const { sql, users } = this.#deps;
    const first = new Map<number, number>();
    for (const { messageId, at } of opens) if (!first.has(messageId)) first.set(messageId, at);
    const rows = await sql<{ payload: string }[]>`
      UPDATE messages m SET read_at = u.at
      FROM unnest(${numbers([...first.keys()])}::bigint[], ${numbers([...first.values()])}::bigint[]) AS u (id, at)
      WHERE m.account_id = ${accountId} AND m.id = u.id AND m.channel = ${mailChannel.id} AND m.read_at IS NULL
      RETURNING m.payload`;
    const ids = rows.flatMap(({ payload }) => decodeMailText(payload).userId ?? []);
    await users.delivered(sql, accountId, ids);
  }
}
