import type { Channel } from '../../../server/channels/contract/channel.ts';
import type { ChannelContext } from '../../../server/channels/module.ts';
import { storeCampaigns } from '../../../server/engine/campaigns/rows.ts';
import {
  type CampaignPage,
  type CampaignRow,
  type CampaignSource,
  STEP,
} from '../../../server/engine/campaigns/source.ts';
import { insertShipments } from '../../../server/engine/messages/insert-shipments.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import type { PlannedMessage } from '../../../server/engine/messages/plan.ts';
import { status } from '../../../server/kit/statuses.ts';
import type { Notification } from './channel.ts';

interface Content {
  readonly devices: readonly string[];
}

interface Page extends CampaignPage<number> {
  readonly devices: readonly string[];
  /** Of one message, in ten-thousandths of a credit. */
  readonly price: number;
}

/** One notification to many devices: the campaign engine makes the messages, a page of devices at a step. */
export class PushCampaigns implements CampaignSource<Page> {
  readonly channel: number;
  readonly finishedAs = 'push';
  readonly validityMs: number;
  readonly #context: ChannelContext;
  readonly #channel: Channel<Notification>;
  readonly #route: string;

  constructor(context: ChannelContext, channel: Channel<Notification>, route: string) {
    this.#context = context;
    this.#channel = channel;
    this.#route = route;
    this.channel = channel.id;
    this.validityMs = context.validityMs;
  }

  /** Accepts a campaign and holds its cost; the id of the campaign. */
  async create(accountId: number, devices: readonly string[], notification: Notification): Promise<number> {
    const { sql, ids, clock, gate } = this.#context;
    const now = clock.now();
    const id = ids.next();
    const price = await this.#price(accountId);
    const payload = this.#channel.codec.encode(notification);
    const pass = await gate.campaign({ accountId, rule: null }, now);
    const common = { id, channel: this.channel, dueAt: now, pass };
    await sql.begin(async (tx) => {
      await insertShipments(tx, accountId, [
        {
          ...common,
          lane: lanes.bulk,
          isScheduled: false,
          name: null,
          payload,
          validUntil: now + this.validityMs,
        },
      ]);
      const campaign = { sender: this.#route, content: { devices }, place: 0, total: devices.length };
      await storeCampaigns(
        tx,
        ids,
        accountId,
        [{ ...common, ...campaign, held: devices.length * price }],
        now,
      );
    });
    return id;
  }

  async nextPage({ account_id, content, place }: CampaignRow<Content, number>): Promise<Page> {
    const devices = content.devices.slice(place, place + STEP);
    const next = place + devices.length;
    const isEnd = next === content.devices.length;
    return {
      devices,
      price: await this.#price(account_id),
      size: devices.length,
      next: isEnd ? null : next,
    };
  }

  render({ id }: CampaignRow, { devices, price }: Page): PlannedMessage[] {
    return devices.map((device) => ({
      id: this.#context.ids.next(),
      shipmentId: id,
      batchId: 0,
      item: { phone: device, externalId: null, source: null, text: null },
      text: null,
      parts: 1,
      price,
      status: status.sent,
    }));
  }

  unpaid(message: PlannedMessage): PlannedMessage {
    return { ...message, price: 0, status: status.noCredit };
  }

  routeOf(): string {
    return this.#route;
  }

  async #price(accountId: number): Promise<number> {
    return (await this.#context.prices.of(accountId, this.#channel.name))('');
  }
}
