import type { AccountsDltIds } from '../../modules/dlt/dlt-ids.ts';
import type { ShipmentRequest } from './plan.ts';

/** Returns the request with the DLT ids that its account has for its senders. */
export async function withDltIds(
  request: ShipmentRequest,
  dltIds: Pick<AccountsDltIds, 'of'>,
): Promise<ShipmentRequest> {
  const { accountId, carrierOptions } = request;
  const senders = await dltIds.of(accountId, () => sendersOf(request));
  if (!senders) return request;
  return { ...request, carrierOptions: { ...carrierOptions, dlt: { ...carrierOptions?.dlt, senders } } };
}

/** Returns the senders of the messages of a request. */
function sendersOf({ source, lists = [], items }: ShipmentRequest): ReadonlySet<string> {
  const senders = new Set([source]);
  for (const list of lists) senders.add(list.source);
  for (const item of items) if (item.source !== null) senders.add(item.source);
  return senders;
}
