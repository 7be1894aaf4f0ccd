import { z } from 'zod';
import { type DeliveryRow, deliveriesByDate, deliveriesById } from '../../../engine/messages/reports.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { statusTexts } from '../../../kit/statuses.ts';
import { formatLocal } from '../../../kit/time-zones.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { exampleSpan, readSpan, span, user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { element, list, text } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

const MAX_IDS = 1_000;

const answer = answerOf({
  transactions: z.array(
    z.object({
      external_id: out.text('`id` of the phone in the request; may be empty.', 'order-17'),
      status: out.count('Delivery status: 102 delivered, -1 not final.', 102),
      he_message: out.text('Status in Hebrew.', 'הגיע ליעד'),
      en_message: out.text('Status in English.', 'Delivered'),
      date: out.text('Time of the last change of status, `dd/mm/yy hh:mm`.', '24/03/26 09:31'),
      shipment_id: out.text('Id of the shipment, from the response to the send.', '1774337460000001'),
      phone: out.text('Number, `05xxxxxxxx` or international digits.', '0501234567'),
    }),
  ),
});

/** Delivery reports of messages by the caller's own ids (interface, B8). */
export const dlr = operation({
  roots: ['dlr'],
  access: programs('read'),
  chapter: 'reports',
  title: 'Get delivery reports by your ids',
  description:
    'Returns delivery statuses of messages by the `id` of their phones in the request. Unknown ids have no row. `from` and `to` apply to the time of acceptance.',
  example: { transactions: { external_id: ['order-17', 'order-18'] }, ...exampleSpan },
  answer,
  schema: element({
    user,
    transactions: element({
      external_id: list(text, { min: 1, max: MAX_IDS }).describe('Your ids.'),
    }),
    ...span,
  }),
  async run(input, call) {
    const { sql } = call.services;
    const rows = await deliveriesById(
      sql,
      call.account.id,
      input.transactions.external_id,
      readSpan(input, call),
    );
    return accepted({ transactions: rows.map((row) => transaction(row, call)) });
  },
});

/** Streams delivery reports of all messages of a period (interface, B8): a week can have millions. */
export const dlrByDate = operation({
  roots: ['dlrByDate', 'dlrbyDate'],
  access: programs('read'),
  chapter: 'reports',
  title: 'Get delivery reports of a week',
  description:
    'Returns the delivery status of every message accepted within the span. Responses of any length are streamed.',
  example: { transactions: { external_id: 'null' }, ...exampleSpan },
  answer,
  schema: element({
    user,
    transactions: given.anything.describe('Ignored; by convention `external_id` in it is the word null.'),
    ...span,
  }),
  async run(input, call) {
    const pages = deliveriesByDate(call.services.sql, call.account.id, readSpan(input, call));
    return accepted({ transactions: mapPages(pages, (row) => transaction(row, call)) });
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

/** Maps the rows of pages as they arrive. */
export async function* mapPages<Row, Out>(
  pages: AsyncIterable<Row[]>,
  to: (row: Row) => Out,
): AsyncGenerator<Out[]> {
  for await (const page of pages) yield page.map(to);
}
