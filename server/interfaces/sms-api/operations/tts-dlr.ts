import { z } from 'zod';
import { Refusal } from '../../../errors.ts';
import { callsByDate } from '../../../messages/reports.ts';
import { displayNumber } from '../../../numbers/numbers.ts';
import { statusTexts } from '../../../statuses.ts';
import { formatLocal } from '../../../time-zones.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { exampleSpan, readSpan, span, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, optionalText } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

/** Delivery reports of calls (interface, B8): of a span of a week at most, all or those of one shipment. */
export const ttsDlr = operation({
  roots: ['ttsDlr'],
  chapter: 'reports',
  title: 'Get delivery reports of calls',
  description:
    'The delivery status of every call that was accepted in the span, or of those of one shipment. 102 is a message that was heard to its end at least once. Streamed.',
  example: { shipment_id: '1774337460000001', ...exampleSpan },
  answer: answerOf({
    transactions: z.array(
      z.object({
        shipment_id: out.text('What the send answered.', '1774337460000001'),
        status: out.count('Delivery status: 102 heard, -1 not final yet.', 102),
        source: out.text('The number that the call came from.', '0723456789'),
        phone: out.text('The number called, `05xxxxxxxx` or international digits.', '0501234567'),
        he_message: out.text('The status in Hebrew.', 'הגיע ליעד'),
        en_message: out.text('The status in English.', 'Delivered'),
        date: out.text('When it got this status, `dd/mm/yy hh:mm`.', '24/03/26 09:31'),
      }),
    ),
  }),
  schema: element({
    user,
    shipment_id: optionalText.meta({
      description: 'Only the calls of this shipment. Digits.',
      pattern: '^[0-9]+$',
    }),
    ...span,
  }),
  async run(input, call) {
    const { shipment_id } = input;
    if (shipment_id !== undefined && !/^\d{1,16}$/.test(shipment_id)) {
      throw new Refusal('bad-field', 'must be digits', 'shipment_id', { reason: 'wrong-format' });
    }
    const asked = readSpan(input, call);
    const id = shipment_id === undefined ? undefined : Number(shipment_id);
    const pages = callsByDate(call.services.sql, call.account.id, asked, id);
    return accepted({
      transactions: mapPages(pages, ({ shipmentId, status, source, phone, at }) => {
        const { en, he } = statusTexts(status);
        return {
          shipment_id: String(shipmentId),
          status,
          source: displayNumber(source),
          phone: displayNumber(phone),
          he_message: he,
          en_message: en,
          date: formatLocal(at, call.zone),
        };
      }),
    });
  },
});
