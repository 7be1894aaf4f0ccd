import { Refusal } from '../../../errors.ts';
import { incomingByDate } from '../../../messages/reports.ts';
import { displayNumber } from '../../../numbers/numbers.ts';
import { formatLocal } from '../../../time-zones.ts';
import { readSpan, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, text } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

const YEAR = 366 * 86_400_000;

/** Messages from phones (interface, B8): a span of one week at most, from up to a year back. */
export const incoming = operation({
  roots: ['incoming'],
  schema: element({ user, from: text, to: text }),
  async run(input, call) {
    const span = readSpan(input, call);
    if (span.from < call.services.clock.now() - YEAR)
      throw new Refusal('bad-field', 'from: more than one year back');
    const pages = incomingByDate(call.services.sql, call.account.id, span);
    return {
      status: done.accepted,
      message: 'OK',
      transactions: mapPages(pages, (row) => ({
        source: displayNumber(row.source),
        destination: displayNumber(row.destination),
        message: row.text,
        date: formatLocal(row.at, call.zone),
      })),
    };
  },
});
