import { z } from 'zod';
import { MAX_VERIFY_PHONES, readPhonesToVerify } from '../../../engine/messages/verification-request.ts';
import { accountSuspended, Refusal } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { formatLocal } from '../../../kit/time-zones.ts';
import { programs, sends } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { askedFor } from '../../openapi/shown.ts';
import { accepted, answerOf, statusField } from '../about.ts';
import { includesInternational, sendKey, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, list, optionalText, optionalWhole } from '../wire/fields.ts';

/** Requests the verification of numbers that the account wants to send from (interface, B9). */
export const verifyPhone = operation({
  roots: ['verify_phone'],
  access: sends(programs('send')),
  chapter: 'sources',
  title: 'Verify numbers to send from',
  description:
    'Starts the verification of numbers. A mobile phone receives an SMS with a link that is valid for 24 hours; its owner presses a button on that page. For a landline, `verify_message` has the number to call and a page: the service calls the landline back and says a code, which the owner enters there.',
  example: { phone: ['0501234567', '035551234'] },
  answer: z.object({
    status: statusField(),
    verify_message: out.text(
      'Next steps of the verification. A refusal has `message` instead.',
      'A verification link, good for 24 hours, will be sent to 0501234567. To verify 035551234, call 036001234 from it within 24 hours: it is called back and hears a code. Enter the code at https://go.example.com/v/oXJ1zCEsMuEtTXkdGkP4BQ.',
    ),
  }),
  refusals: ['no-credit', 'not-now', 'bad-destination', 'no-phones', 'not-allowed', 'all-blocked'],
  schema: element({
    user,
    send_key: sendKey,
    phone: askedFor(list(optionalText, { max: MAX_VERIFY_PHONES })).describe('Mobile or landline numbers.'),
    includes_international: includesInternational,
  }),
  async run(input, call) {
    if (call.account.suspended) throw accountSuspended();
    if (input.phone.length === 0) throw new Refusal('no-phones', 'missing', 'phone');
    const { phoneVerifier } = call.services;
    const phones = readPhonesToVerify(input.phone, 'phone', call, input.includes_international === 1);
    const answer = (next: string) => ({ status: done.accepted, verify_message: next });
    return answer(
      call.dryRun
        ? await phoneVerifier.check(call.account, phones)
        : await phoneVerifier.request(call.account, phones, call.sendKey?.answering(answer)),
    );
  },
});

/** The numbers that the account may send from (interface, B9); with `is_subs` 1 also those of its subscribers. */
export const getVerifiedPhones = operation({
  roots: ['getVerifiedPhones'],
  access: programs('read', 'send'),
  chapter: 'sources',
  title: 'List verified numbers',
  description: 'Lists the numbers from which the account may send.',
  example: { is_subs: 1 },
  answer: answerOf({
    verified_phones: z.array(
      z.object({
        PHONE: out.text('Number.', '0501234567'),
        USER_ID: out.text('Id of the account that owns the number.', '1774337460000003'),
        ASSIGNMENT_DATE: out.text('Time of the verification, `dd/mm/yy hh:mm`.', '24/03/26 09:31'),
        LAST_UPDATE: out.text('Time of the last change.', '24/03/26 09:31'),
      }),
    ),
  }),
  schema: element({ user, is_subs: optionalWhole().describe('`1` includes the numbers of subscribers.') }),
  async run(input, call) {
    const phones = await call.services.sources.verifiedPhones(call.account.id, input.is_subs === 1);
    return accepted({
      verified_phones: phones.map(({ phone, accountId, assignedAt, updatedAt }) => ({
        PHONE: displayNumber(phone),
        USER_ID: String(accountId),
        ASSIGNMENT_DATE: formatLocal(assignedAt, call.zone),
        LAST_UPDATE: formatLocal(updatedAt, call.zone),
      })),
    });
  },
});
