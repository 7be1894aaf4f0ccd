import { z } from 'zod';
import { field, listOf, text } from '../../../api/v1/kit/fields.ts';
import { isUserId } from '../../../channels/chat/clients.ts';
import { readMailAddress } from '../../../channels/mail/addresses.ts';
import { badField } from '../../../kit/errors.ts';
import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import { type DataSubject, identifiersOf } from '../../personal-data/subject.ts';

/** Maximum number of identifiers of a person, of each kind. */
const MAX_IDENTIFIERS = 20;

/** Body fields that identify a person. */
export const subjectFields = {
  phones: field(listOf(text, MAX_IDENTIFIERS).default([]), 'Phone numbers of the person, in any spelling.', [
    '0501234567',
  ]),
  emails: field(listOf(text, MAX_IDENTIFIERS).default([]), 'Email addresses of the person.', [
    'dana@example.com',
  ]),
  chat_ids: field(
    listOf(text, MAX_IDENTIFIERS).default([]),
    'Ids of the chat platform, for clients who hide their number.',
    ['IL.13491208655302741918'],
  ),
};

const body = z.object(subjectFields);

/** Returns the person that a body identifies. Throws Refusal `bad-field` for invalid identifiers, or none. */
export function readSubject(
  { phones, emails, chat_ids: chatIds }: z.output<typeof body>,
  numbers: Pick<NumberReader, 'parse'>,
): DataSubject {
  if (phones.length + emails.length + chatIds.length === 0) {
    throw badField('phones', 'missing: a number, an address or a chat id', 'no-identifier');
  }
  return {
    phones: phones.map((phone, index) => {
      const number = numbers.parse(phone);
      if (number) return number.digits;
      throw badField(`phones[${index}]`, 'must be a phone number', 'not-a-phone');
    }),
    addresses: emails.map((email, index) => {
      const address = readMailAddress(email);
      if (address) return address.key;
      throw badField(`emails[${index}]`, 'must be an e-mail address', 'not-an-address');
    }),
    chatIds: chatIds.map((id, index) => {
      if (isUserId(id)) return id;
      throw badField(`chat_ids[${index}]`, 'must be an id of the chat platform', 'not-a-chat-id');
    }),
  };
}

/** Throws Refusal `bad-field` unless the text is the first number, address or id of the person, in any spelling. */
export function checkConfirmation(
  confirmation: string,
  subject: DataSubject,
  numbers: Pick<NumberReader, 'parse'>,
): void {
  const [first] = identifiersOf(subject);
  const spellings = [
    confirmation.trim(),
    numbers.parse(confirmation)?.digits,
    readMailAddress(confirmation)?.key,
  ];
  if (spellings.includes(first)) return;
  throw badField('confirm', 'must be the first number, address or id of the person', 'not-confirmed');
}
