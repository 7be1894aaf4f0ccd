import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { show } from '../../../api/openapi/shown.ts';
import { type MailAddress, readMailAddress } from '../addresses.ts';
import { statusEmail } from '../statuses.ts';
import type { UserInput } from '../user-changes.ts';
import { MAX_FIELDS, MAX_KEY, MAX_NAME, MAX_PHONE, MAX_VALUE } from '../user-input.ts';
import type { MailField, MailMember } from '../users.ts';
import { arrayOf, flag, name, object, optionalText, userId } from './fields.ts';

const address = show(
  z.transform<unknown, MailAddress | undefined>((value, context) => {
    if (value === undefined || value === null || value === '') return undefined;
    const read = typeof value === 'string' ? readMailAddress(value) : undefined;
    if (read) return read;
    const message = typeof value === 'string' ? 'not an e-mail address' : 'must be a text';
    context.issues.push({ code: 'custom', message, input: undefined, path: [] });
    return { address: '', key: '' };
  }),
  { as: () => ({ type: 'string', format: 'email' }), required: false },
);

const field = object({
  Key: name(MAX_KEY).describe('Name of the field.'),
  Value: optionalText(MAX_VALUE).describe('Value of the field for the user.'),
});
const fields = arrayOf(field, { min: 0, max: MAX_FIELDS });

/** A user in `AddUsersToLists`. */
export const userInput = object({
  EmailAddress: address.describe('Email address, which identifies the user.'),
  UserID: userId.describe(
    'Id of an existing user, instead of the address; ignored together with an address.',
  ),
  FirstName: optionalText(MAX_NAME).describe('First name.'),
  LastName: optionalText(MAX_NAME).describe('Last name.'),
  Cellphone: optionalText(MAX_PHONE).describe('Phone number, as text.'),
  UserSendFields: fields.describe('Values for the fields of emails; omitted fields keep their values.'),
  UserSystemFields: fields.describe('Additional fields for the programs of the account.'),
  DeleteUser: flag.describe('Deletes the user.'),
  IsUserSelfRemoved: flag.describe('The user has unsubscribed elsewhere.'),
  UndeleteUserIfExists: flag.describe(
    'Restores a user who was deleted or unsubscribed, or whose address bounced.',
  ),
}).refine(({ EmailAddress, UserID }) => EmailAddress !== undefined || UserID !== undefined, {
  message: 'missing',
  path: ['EmailAddress'],
});

/**
 * Converts a user of the API for the domain. If settings contradict each other, the one that sends fewer emails wins.
 */
export function toInput(user: z.output<typeof userInput>, address: MailAddress): UserInput {
  return {
    address,
    firstName: user.FirstName,
    lastName: user.LastName,
    cellphone: user.Cellphone,
    sendFields: pairs(user.UserSendFields),
    systemFields: pairs(user.UserSystemFields),
    status: user.IsUserSelfRemoved
      ? 'removed'
      : user.DeleteUser
        ? 'deleted'
        : user.UndeleteUserIfExists
          ? 'active'
          : undefined,
  };
}

const pairs = (given: readonly z.output<typeof field>[]): MailField[] =>
  given.map(({ Key, Value }) => [Key, Value ?? '']);

const fieldAnswer = z.object({
  Key: out.text('Name of the field.', 'city'),
  Value: out.text('Value of the field for the user.', 'Haifa'),
});

/** A user in responses. */
export const userAnswer = z.object({
  Cellphone: out.text('Phone number; may be empty.', '0501234567'),
  DeleteUser: out.flag('Whether the account deleted the user.', false),
  EmailAddress: out.text('Email address, as it was added first.', 'dana@example.com'),
  FirstName: out.text('First name; may be empty.', 'Dana'),
  IsUserSelfRemoved: out.flag('Whether the user unsubscribed or complained.', false),
  LastName: out.text('Last name; may be empty.', 'Cohen'),
  StatusEmail: out.maybeText(
    '`Active`, `Inactive` (deleted or not confirmed), `AskedRemoval`, `BadEmail`; null until the first delivery to the user or their first choice.',
    'Active',
  ),
  UndeleteUserIfExists: out.flag('Always false.', false),
  UserID: out.count('Id of the user.', 1_001),
  UserSendFields: z.array(fieldAnswer).describe('Values for the fields of emails.'),
  UserSystemFields: z.array(fieldAnswer).describe('Additional fields.'),
});

/** Formats a member of a list for responses. */
export function showUser(user: MailMember): z.output<typeof userAnswer> {
  return {
    Cellphone: user.cellphone,
    DeleteUser: user.status === 'deleted',
    EmailAddress: user.address,
    FirstName: user.firstName,
    IsUserSelfRemoved: user.status === 'removed' || user.status === 'complained',
    LastName: user.lastName,
    StatusEmail: statusEmail(user.status, user.heard, user.pending),
    UndeleteUserIfExists: false,
    UserID: user.id,
    UserSendFields: user.sendFields.map(toField),
    UserSystemFields: user.systemFields.map(toField),
  };
}

const toField = ([Key, Value]: MailField) => ({ Key, Value });
