import type { TransactionSql } from '../../database/connection.ts';
import type { Event } from '../../engine/events/types.ts';
import type { SmppClients } from './clients.ts';
import type { SmppMessages } from './messages.ts';

/** Stores incoming messages of an account for each of its clients that receives them. */
export async function recordIncoming(
  tx: TransactionSql,
  accountId: number,
  events: readonly Event[],
  { clients, messages }: { readonly clients: SmppClients; readonly messages: SmppMessages },
): Promise<void> {
  const receivers = clients.cachedOf(accountId).filter(({ incoming, enabled }) => incoming && enabled);
  const deliveries = events.flatMap(({ type, data }) => {
    if (type !== 'sms.incoming') return [];
    const { source: from, destination: to, message: text } = data;
    const content = { kind: 'incoming', from, to, text } as const;
    return receivers.map(({ id: clientId }) => ({ clientId, phone: from, content }));
  });
  await messages.deliver(tx, accountId, deliveries);
}
