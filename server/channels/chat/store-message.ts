import type { TransactionSql } from '../../database/connection.ts';
import type { Pass } from '../../engine/gate/gate.ts';
import { insertShipments, single } from '../../engine/messages/insert-shipments.ts';
import { lanes } from '../../engine/messages/lanes.ts';
import { insertMessages, storeBatches } from '../../engine/messages/store-messages.ts';
import type { IdSource } from '../../kit/ids.ts';
import { noteShipment } from '../../kit/request-context.ts';
import { ownCodes } from '../../kit/statuses.ts';
import { moveWallet } from '../../modules/accounts/wallets.ts';
import type { Admission } from './admit.ts';
import type { ChatNumber } from './business-numbers.ts';
import { chatChannel } from './channel.ts';
import { type ChatContent, chatCodec } from './content.ts';
import { chatRoute, chatStatus } from './statuses.ts';

/** Milliseconds for which delivery of a single message is attempted. */
const VALIDITY_MS = 86_400_000;

/** An accepted single message. Times are milliseconds since the epoch. */
export interface NewMessage {
  readonly shipmentId: number;
  readonly messageId: number;
  readonly at: number;
  /** First time at which it is permitted to the client; later than `at` if it waits. */
  readonly dueAt: number;
  readonly pass: Pass;
  /** Trace of the request, if it is traced. */
  readonly trace: string | undefined;
  readonly content: ChatContent;
  /** Shipment of the message that it replaces (engine/fallback). */
  readonly fallbackOf?: number | undefined;
}

/** Stores a single message to an admitted client, with its shipment and its batch, and charges its price. */
export async function storeMessage(
  tx: TransactionSql,
  ids: IdSource,
  { accountId, phone }: ChatNumber,
  { client, price }: Pick<Admission, 'client' | 'price'>,
  { shipmentId, messageId, at, dueAt, pass, trace, content, fallbackOf }: NewMessage,
): Promise<void> {
  tx.afterCommit(() => noteShipment(shipmentId));
  const text = chatCodec.encode(content);
  const message = {
    id: messageId,
    shipmentId,
    batchId: messageId,
    item: { phone: client, externalId: null, source: null, text: null },
    text,
    parts: 1,
    price,
    status: chatStatus.sent,
    ...(dueAt > at && { code: ownCodes.sendingHours }),
    ...(trace !== undefined && { trace }),
    ...(content.kind === 'media' && { mediaId: content.media.id }),
  };
  const batch = {
    id: messageId,
    channel: chatChannel.id,
    lane: lanes.single,
    route: chatRoute(phone),
    dueAt,
    wait: dueAt > at ? ({ reason: 'sending-hours', from: at } as const) : null,
    heldShipmentId: null,
    firstId: messageId,
    lastId: messageId,
    count: 1,
  };
  const stored = tx.waitingText(accountId, text);
  await Promise.all([
    insertShipments(tx, accountId, [
      {
        ...single({
          id: shipmentId,
          channel: chatChannel.id,
          dueAt,
          validityMs: VALIDITY_MS,
          pass,
          fallbackOf,
        }),
        messages: { count: 1, firstId: messageId, lastId: messageId, cost: price },
      },
    ]),
    insertMessages(tx, [pass], accountId, [message], [phone], [stored], at, chatChannel.id),
    storeBatches(tx, [pass], accountId, [batch]),
    // The wallet is the last of the locks.
    price > 0 && moveWallet(tx, ids, at, accountId, [{ kind: 'charge', amount: -price, shipmentId }]),
  ]);
}
