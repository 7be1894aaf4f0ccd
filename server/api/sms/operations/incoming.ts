import { z } from 'zod';
import { incomingByDate } from '../../../engine/messages/reports.ts';
import { badField } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { formatLocal } from '../../../kit/time-zones.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { exampleSpan, readSpan, span, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

const YEAR = 366 * 86_400_000;

/** Incoming messages from phones (interface, B8): a period of up to one week, up to a year back. */
export const incoming = operation({
  roots: ['incoming'],
  access: programs('read'),
  chapter: 'reports',
  title: 'Get incoming SMS',
  description: 'Streams the messages that phones sent to the numbers of the account, from up to a year ago.',
  example: exampleSpan,
  answer: answerOf({
    transactions: z.array(
      z.object({
        source: out.text('Phone number of the sender.', '0501234567'),
        destination: out.text('Number of the account.', '0559876543'),
        message: out.text('Text, with its parts joined.', 'Yes please'),
        date: out.text('Time of arrival, `dd/mm/yy hh:mm`.', '24/03/26 10:02'),
      }),
    ),
  }),
  schema: element({ user, ...span }),
  async run(input, call) {
    const asked = readSpan(input, call);
    if (asked.from < call.services.clock.now() - YEAR)
      throw badField('from', 'more than one year back', 'too-long-ago');
    const pages = incomingByDate(call.services.sql, call.account.id, asked);
    return accepted({
      transactions: mapPages(pages, (row) => ({
        source: displayNumber(row.source),
        destination: displayNumber(row.destination),
        message: row.text,
        date: formatLocal(row.at, call.zone),
      })),
    });
  },
});
