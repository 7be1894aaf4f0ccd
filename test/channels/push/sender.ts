import type { Channel } from '../../../server/channels/contract/channel.ts';
import type { ChannelContext } from '../../../server/channels/module.ts';
import { insertShipments, single } from '../../../server/engine/messages/insert-shipments.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { insertMessages, storeBatches } from '../../../server/engine/messages/store-messages.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import { status } from '../../../server/kit/statuses.ts';
import { isOverdraft, moveWallet } from '../../../server/modules/accounts/wallets.ts';
import type { Notification } from './channel.ts';
import type { PushDevices } from './devices.ts';

const VALIDITY_MS = 3_600_000;

/** Accepts single notifications: shipment, message, batch and charge in one transaction. */
export class PushSender {
  readonly #context: ChannelContext;
  readonly #channel: Channel<Notification>;
  readonly #route: string;
  readonly #devices: PushDevices;

  constructor(
    context: ChannelContext,
    channel: Channel<Notification>,
    { route, devices }: { readonly route: string; readonly devices: PushDevices },
  ) {
    this.#context = context;
    this.#channel = channel;
    this.#route = route;
    this.#devices = devices;
  }

  /** Accepts a notification to a device durably; the id of its message. Throws Refusal `no-credit`, and `not-now` for a device without the app. */
  async send(accountId: number, device: string, notification: Notification): Promise<number> {
    const { sql, ids, clock, prices, gate, notifyDispatcher } = this.#context;
    const channel = this.#channel;
    if (await this.#devices.isGone(accountId, device))
      throw new Refusal('not-now', 'the app is not installed any more', undefined, { reason: 'unknown' });
    const price = (await prices.of(accountId, channel.name))('');
    const now = clock.now();
    const [shipmentId, id] = [ids.next(), ids.next()];
    const to = { recipient: device, channel: channel.id };
    const { pass, dueAt } = await gate.single({ accountId, rule: null }, to, now);
    const message = {
      id,
      shipmentId,
      batchId: id,
      item: { phone: device, externalId: null, source: null, text: null },
      text: channel.codec.encode(notification),
      parts: 1,
      price,
      status: status.sent,
    };
    const batch = {
      id,
      channel: channel.id,
      lane: lanes.single,
      route: this.#route,
      dueAt,
      wait: dueAt > now ? ({ reason: 'sending-hours', from: now } as const) : null,
      heldShipmentId: null,
      firstId: id,
      lastId: id,
      count: 1,
    };
    try {
      await sql.begin(async (tx) => {
        const shipment = single({
          id: shipmentId,
          channel: channel.id,
          dueAt,
          validityMs: VALIDITY_MS,
          pass,
        });
        await insertShipments(tx, accountId, [
          { ...shipment, messages: { count: 1, firstId: id, lastId: id, cost: price } },
        ]);
        await insertMessages(
          tx,
          [pass],
          accountId,
          [message],
          [this.#route],
          [message.text],
          now,
          channel.id,
        );
        await storeBatches(tx, [pass], accountId, [batch]);
        await this.#devices.note(tx, accountId, device, now);
        await moveWallet(tx, ids, now, accountId, [{ kind: 'charge', amount: -price, shipmentId }]);
      });
    } catch (error) {
      if (isOverdraft(error)) throw new Refusal('no-credit', 'not enough credit');
      throw error;
    }
    notifyDispatcher(accountId, lanes.single);
    return id;
  }
}
