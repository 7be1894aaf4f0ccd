import { readSource } from '../engine/messages/send-request.ts';
import { badField, Refusal, type RefusalCode } from '../kit/errors.ts';
import { readAccountName } from '../modules/accounts/account-rules.ts';
import type { Account } from '../modules/accounts/accounts.ts';
import { isUsername, isWithin, subscriberName, subscriberUsername } from '../modules/accounts/subscribers.ts';
import { checkAccountPassword, SUBSCRIBER_PASSWORD_LENGTH } from '../modules/passwords/rules.ts';
import type { CoreContext } from '../run/services.ts';

/** Input of a new subscriber; undefined means missing. */
interface SubscriberInput {
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly source: string | undefined;
  readonly otpPhone: string | undefined;
  /** Returns ten-thousandths of a credit. Throws Refusal. */
  readonly readAmount: () => number;
  /** The code for a user name with characters that are not permitted. */
  readonly badCharacters: RefusalCode;
}

/**
 * Checks the input of a new subscriber, for every API that adds one. Throws Refusal with the path of the first invalid
 * field, in the order of `SubscriberInput`.
 */
export async function readSubscriber(
  input: SubscriberInput,
  account: Account,
  { sources, numbers }: Pick<CoreContext, 'sources' | 'numbers'>,
) {
  const subscriber = {
    name: readAccountName('name', readLength('name', input.name, subscriberName, 'bad-name')),
    username: readUsername(input),
    password: readPassword(input),
    source: await readSource(input.source, 'source', {
      services: { sources, numbers, verifySources: false },
      account,
    }),
    amount: input.readAmount(),
    otpPhone: input.otpPhone === undefined ? undefined : numbers.parse(input.otpPhone)?.digits,
  };
  if (input.otpPhone !== undefined && subscriber.otpPhone === undefined) {
    throw badField('otpPhone', 'not a phone number', 'not-a-phone');
  }
  if (subscriber.amount < 0) throw new Refusal('bad-amount', 'must not be negative', 'amount');
  return subscriber;
}

function readUsername({ username: given, badCharacters }: SubscriberInput): string {
  const username = readLength('username', given, subscriberUsername, 'bad-username');
  if (isUsername(username)) return username;
  throw new Refusal(badCharacters, 'only English letters, digits and . _ @ -', 'username', {
    reason: 'not-a-user-name',
  });
}

function readPassword({ password, username = '' }: SubscriberInput): string {
  if (password === undefined) throw badField('password', 'missing', 'missing');
  checkAccountPassword(password, username, { bounds: SUBSCRIBER_PASSWORD_LENGTH });
  return password;
}

function readLength(
  field: string,
  value: string | undefined,
  bounds: { readonly least: number; readonly most: number },
  code: RefusalCode,
): string {
  if (value === undefined) throw badField(field, 'missing', 'missing');
  if (isWithin(value, bounds)) return value;
  throw new Refusal(code, `must have ${bounds.least} to ${bounds.most} characters`, field, {
    reason: 'wrong-length',
    params: { min: bounds.least, max: bounds.most },
  });
}
