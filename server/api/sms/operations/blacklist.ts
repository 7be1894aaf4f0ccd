import { z } from 'zod';
import { badField, Refusal } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { formatLocal } from '../../../kit/time-zones.ts';
import { readEntries } from '../../../modules/audience/blacklist.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf, errorsField } from '../about.ts';
import { shownNumber } from '../contact-entries.ts';
import { exampleSpan, readSpan, span, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, list, optionalText, textInput } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

/** Numbers put on the blacklist within a period of any length (interface, B10). */
export const blacklist = operation({
  roots: ['blacklist'],
  access: programs('contacts'),
  chapter: 'blacklist',
  title: 'Get the blacklist',
  description:
    'Streams the numbers that were added to the blacklist within the span, by request or because they unsubscribed. The span may have any length.',
  example: exampleSpan,
  answer: answerOf({
    transactions: z.array(
      z.object({
        phone: out.text('Number.', '0501234567'),
        date: out.text('Time of the entry, `dd/mm/yy hh:mm`.', '24/03/26 09:31'),
      }),
    ),
  }),
  schema: element({
    user,
    ...span,
    to: span.from.describe('End of the span, as `from`, including this minute.'),
  }),
  async run(input, call) {
    const { from, to } = readSpan(input, call, null);
    const pages = call.services.blacklist.between(call.account.id, from, to);
    return accepted({
      transactions: mapPages(pages, (entry) => ({
        phone: displayNumber(entry.phone),
        date: formatLocal(entry.at, call.zone),
      })),
    });
  },
});

// An empty entry is a problem of its row, not of the whole request.
const phones = element({
  phone: list(optionalText, { min: 1 }).describe('Numbers; invalid ones are listed in `errors`.'),
});
/** Error lines about an entry contain the number in addition to its position (decisions, section 8). */
const nameOfEntry = (index: number, value = '') => `phones.phone[${index}]${shownNumber(value)}`;

const errors = errorsField('phones.phone[1] (12): too short, too long or not a phone number').optional();

/** Puts numbers on the blacklist (interface, B10). */
export const addNumBL = operation({
  roots: ['addNumBL'],
  access: programs('contacts'),
  chapter: 'blacklist',
  title: 'Block numbers',
  description:
    'Adds numbers to the blacklist. Messages to them are not sent and not charged; their status is 201.',
  example: { phones: { phone: ['0501234567', '12'] } },
  answer: answerOf(
    { errors },
    { status: done.addedToBlacklist, message: '1 numbers added, 0 present already' },
  ),
  refusals: ['bad-blacklist-entry'],
  schema: element({ user, phones }),
  async run(input, call) {
    const { blacklist: list, numbers } = call.services;
    const { digits, errors } = await readEntries(input.phones.phone, numbers, nameOfEntry);
    const added = call.dryRun
      ? digits.length - (await list.has(call.account.id, digits)).size
      : (await list.add(call.account.id, digits)).length;
    return {
      status: done.addedToBlacklist,
      message: `${added} numbers added, ${digits.length - added} present already`,
      ...(errors.length > 0 && { errors }),
    };
  },
});

/** Removes numbers from the blacklist (interface, B10) and stores the reason. */
export const rmNumBL = operation({
  roots: ['rmNumBL'],
  access: programs('contacts'),
  chapter: 'blacklist',
  title: 'Unblock numbers',
  description: 'Removes numbers from the blacklist and stores the reason.',
  example: { phones: { phone: ['0501234567', '12'] }, reason: 'asked by telephone' },
  answer: answerOf(
    { errors },
    { status: done.removedFromBlacklist, message: '1 numbers removed, 0 not present' },
  ),
  refusals: ['bad-blacklist-entry'],
  schema: element({ user, phones, reason: textInput.describe('Reason, stored with the entry.') }),
  async run(input, call) {
    if (input.reason === undefined) throw badField('reason', 'missing', 'missing');
    if (input.reason === '') throw new Refusal('bad-blacklist-entry', 'empty', 'reason');
    const { blacklist: list, numbers } = call.services;
    const { digits, errors } = await readEntries(input.phones.phone, numbers, nameOfEntry);
    const removed = call.dryRun
      ? (await list.has(call.account.id, digits)).size
      : (await list.remove(call.account.id, digits, input.reason)).length;
    return {
      status: done.removedFromBlacklist,
      message: `${removed} numbers removed, ${digits.length - removed} not present`,
      ...(errors.length > 0 && { errors }),
    };
  },
});
