import { texts } from '../../database/arrays.ts';
import {
  type CampaignPage,
  type CampaignRow,
  type CampaignSource,
  STEP,
} from '../../engine/campaigns/source.ts';
import type { PlannedMessage } from '../../engine/messages/plan.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import { mailChannel } from './channel.ts';
import type { Contents } from './contents.ts';
import type { MailLists } from './lists.ts';
import { MAIL_PRICES, planMail } from './planned-mails.ts';
import { fieldsFor, type MailUser, type MailUsers } from './users.ts';

/** Code of emails without enough credit. */
const NO_CREDIT = 'no-credit';

interface MailCampaignDeps extends Pick<Context, 'sql' | 'ids'> {
  readonly prices: Prices;
  readonly lists: Pick<MailLists, 'find'>;
  readonly users: Pick<MailUsers, 'page'>;
  readonly contents: Contents;
  /** Milliseconds for which delivery of an email is attempted. */
  readonly validityMs: number;
}

/** Recipients and route of a campaign; its content is in `mail_contents`. */
export interface MailTarget {
  readonly route: string;
  readonly listIds: readonly number[];
}

/** Position of a campaign: the list and the user. */
export interface MailPlace {
  readonly listIndex: number;
  readonly afterUser: number;
}

type MailCampaignRow = CampaignRow<MailTarget, MailPlace>;

interface MailPage extends CampaignPage<MailPlace> {
  readonly users: readonly MailUser[];
  readonly listId: number;
  readonly track: boolean;
  /** Price of an email, in ten-thousandths of a credit. */
  readonly price: number;
}

/** Creates the emails of campaigns to mailing lists. */
export class MailCampaignSource implements CampaignSource<MailPage> {
  readonly channel = mailChannel.id;
  readonly finishedAs = 'mail';
  readonly validityMs: number;
  readonly #deps: MailCampaignDeps;

  constructor(deps: MailCampaignDeps) {
    this.#deps = deps;
    this.validityMs = deps.validityMs;
  }

  async nextPage(campaign: MailCampaignRow): Promise<MailPage> {
    const { sql, prices, lists, users } = this.#deps;
    const { account_id: accountId, content, place } = campaign;
    const listId = content.listIds[place.listIndex]!;
    const [found, page, priceOf] = await Promise.all([
      lists.find(accountId, [listId]),
      users.page(sql, accountId, listId, place.afterUser, STEP),
      prices.of(accountId, MAIL_PRICES),
    ]);
    const passed = await this.#passed(
      campaign,
      page.map(({ address }) => address),
    );
    const left = page.filter(({ address }) => !passed.has(address));
    const isListEnd = page.length < STEP;
    const next = isListEnd
      ? { listIndex: place.listIndex + 1, afterUser: 0 }
      : { ...place, afterUser: page.at(-1)!.id };
    return {
      users: left,
      listId,
      track: found.get(listId)?.track ?? false,
      price: priceOf(''),
      size: left.length,
      next: next.listIndex === content.listIds.length ? null : next,
    };
  }

  async render({ account_id: accountId, id }: MailCampaignRow, page: MailPage): Promise<PlannedMessage[]> {
    const { listId, track, price } = page;
    const content = await this.#deps.contents.of(accountId, id);
    return page.users.map((user) => {
      const own = { userId: user.id, listId, track, fields: fieldsFor(user, content.fields) };
      return planMail(this.#deps.ids, id, user.address, own, price);
    });
  }

  unpaid(message: PlannedMessage): PlannedMessage {
    return { ...message, text: null, price: 0, status: status.noCredit, code: NO_CREDIT };
  }

  routeOf({ content }: MailCampaignRow) {
    return content.route;
  }

  /** Returns those of the addresses that already have an email by an earlier list. */
  async #passed(
    { account_id: accountId, id, place }: MailCampaignRow,
    addresses: readonly string[],
  ): Promise<Set<string>> {
    if (place.listIndex === 0) return new Set();
    const rows = await this.#deps.sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages
      WHERE account_id = ${accountId} AND recipient = ANY(${texts(addresses)}::text[]) AND id > ${id}
        AND shipment_id = ${id}`;
    return new Set(rows.map(({ phone }) => phone));
  }
}
