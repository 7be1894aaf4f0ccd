import { z } from 'zod';
import { callsByDate } from '../../../engine/messages/reports.ts';
import { badField } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { statusTexts } from '../../../kit/statuses.ts';
import { formatLocal } from '../../../kit/time-zones.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { exampleSpan, readSpan, span, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, optionalText } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

/**
 * Delivery reports of calls (interface, B8): all calls of a period of up to a week, or those of one shipment.
 */
export const ttsDlr = operation({
  roots: ['ttsDlr'],
  access: programs('read'),
  chapter: 'reports',
  title: 'Get delivery reports of calls',
  description:
    'Streams the delivery status of every call that was accepted within the span, or of the calls of one shipment. 102 means that the message was played to its end at least once.',
  example: { shipment_id: '1774337460000001', ...exampleSpan },
  answer: answerOf({
    transactions: z.array(
      z.object({
        shipment_id: out.text('Id of the shipment, from the response to the send.', '1774337460000001'),
        status: out.count('Delivery status: 102 played, -1 not final.', 102),
        source: out.text('Number of the caller.', '0723456789'),
        phone: out.text('Called number, `05xxxxxxxx` or international digits.', '0501234567'),
        he_message: out.text('Status in Hebrew.', 'הגיע ליעד'),
        en_message: out.text('Status in English.', 'Delivered'),
        date: out.text('Time of the last change of status, `dd/mm/yy hh:mm`.', '24/03/26 09:31'),
      }),
    ),
  }),
  schema: element({
    user,
    shipment_id: optionalText.meta({
      description: 'Filters by shipment; digits.',
      pattern: '^[0-9]+$',
    }),
    ...span,
  }),
  async run(input, call) {
    const { shipment_id } = input;
    if (shipment_id !== undefined && !/^\d{1,16}$/.test(shipment_id)) {
      throw badField('shipment_id', 'must be digits', 'wrong-format');
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
