import type { RouteContext } from '../../../run/define-module.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { FoundMessage } from '../search.ts';

/* Text of a message in lists and timelines. */

type TextsDeps = Pick<CoreContext, 'sql'> & Pick<RouteContext, 'textsOf'>;

/** Returns a function that has the texts of messages, which may be stored with their shipments. */
export async function textsOf(
  { sql, textsOf: read }: TextsDeps,
  accountId: number,
  messages: readonly FoundMessage[],
): Promise<(message: FoundMessage) => TextOfMessage> {
  const ids = [...new Set(messages.map((row) => row.shipment_id))];
  const rows =
    ids.length === 0
      ? []
      : await sql<({ id: number } & SharedText)[]>`
            SELECT id, payload, text_removed FROM shipments WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
  const shipments = new Map(rows.map((row) => [row.id, row]));
  const listed = (message: FoundMessage) => listedText(message, shipments.get(message.shipment_id));
  const textIn = await read(accountId, messages.map(listed));
  return (message) => textOf(message, shipments.get(message.shipment_id), textIn);
}

type SharedText = Pick<FoundMessage, 'payload' | 'text_removed'>;

interface TextOfMessage {
  readonly text: string | null;
  readonly text_removed: boolean;
}

export const listedText = (
  { id, channel, shipment_id, source, payload }: FoundMessage,
  shipment: SharedText | null | undefined,
) => ({ id, channel, shipmentId: shipment_id, source, own: payload, shared: shipment?.payload ?? null });

/** Returns the text of a message. */
export function textOf(
  message: FoundMessage,
  shipment: SharedText | null | undefined,
  textIn: Awaited<ReturnType<TextsDeps['textsOf']>>,
): TextOfMessage {
  const { payload, text_removed } = message;
  const isRemoved = text_removed === true || (payload === null && shipment?.text_removed === true);
  return {
    // A removed text may leave other data in its place.
    text: isRemoved ? null : textIn(listedText(message, shipment)),
    text_removed: isRemoved,
  };
}
