import { type DeliveryRow, deliveriesByDate, deliveriesById } from '../../../messages/reports.ts';
import { displayNumber } from '../../../numbers/numbers.ts';
import { statusTexts } from '../../../statuses.ts';
import { formatLocal } from '../../../time-zones.ts';
import { readSpan, user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, list, text } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

const IDS_MOST = 1_000;

/** Delivery reports of messages by the caller's own ids (interface, B8). */
export const dlr = operation({
  roots: ['dlr'],
  schema: element({
    user,
    transactions: element({ external_id: list(text, { min: 1, max: IDS_MOST }) }),
    from: text,
    to: text,
  }),
  async run(input, call) {
    const { sql } = call.services;
    const rows = await deliveriesById(
      sql,
      call.account.id,
      input.transactions.external_id,
      readSpan(input, call),
    );
    return { status: done.accepted, message: 'OK', transactions: rows.map((row) => transaction(row, call)) };
  },
});

/** Delivery reports of all messages of a span (interface, B8), as a stream: a week can be millions. */
export const dlrByDate = operation({
  roots: ['dlrByDate', 'dlrbyDate'],
  schema: element({ user, transactions: given.anything, from: text, to: text }),
  async run(input, call) {
    const pages = deliveriesByDate(call.services.sql, call.account.id, readSpan(input, call));
    return {
      status: done.accepted,
      message: 'OK',
      transactions: mapPages(pages, (row) => transaction(row, call)),
    };
  },
});

function transaction(row: DeliveryRow, call: Call) {
  const { en, he } = statusTexts(row.status);
  return {
    external_id: row.externalId ?? '',
    status: row.status,
    he_message: he,
    en_message: en,
    date: formatLocal(row.at, call.zone),
    shipment_id: String(row.shipmentId),
    phone: displayNumber(row.phone),
  };
}

/** Maps the rows of pages as they come. */
export async function* mapPages<Row, Out>(
  pages: AsyncIterable<Row[]>,
  to: (row: Row) => Out,
): AsyncGenerator<Out[]> {
  for await (const page of pages) yield page.map(to);
}
