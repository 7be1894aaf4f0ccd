import { z } from 'zod';
import type { Queryable } from '../../../database/connection.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { CREDIT, formatAmount } from '../../../modules/accounts/money.ts';
import {
  checkMayHaveSubscribers,
  checkMayMoveCredit,
  subscriberName,
  subscriberUsername,
} from '../../../modules/accounts/subscribers.ts';
import { SUBSCRIBER_PASSWORD_LENGTH } from '../../../modules/passwords/rules.ts';
import { programs, sends } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { storeAnswer } from '../../send-keys.ts';
import { readSubscriber } from '../../subscriber-input.ts';
import { accepted, answerOf } from '../about.ts';
import { sendKey, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { message } from '../sending.ts';
import { element, optionalText, text, textInput } from '../wire/fields.ts';

/* Subscribers of an account (interface, B7). */

// More than any wallet holds; keeps amounts within the range of exact numbers.
const AMOUNT_DIGITS = 11;

const lengthOf = ({ least, most }: { least: number; most: number }) => ({
  minLength: least,
  maxLength: most,
});
// A text for the schema, because an invalid number has its own status.
const amountText = textInput.meta({ type: 'integer', minLength: undefined });
const optionalAmount = optionalText.meta({ type: 'integer' });

/** Creates a subscriber and moves its first credit to it. */
export const addSub = operation({
  roots: ['addSub'],
  access: sends(programs('billing')),
  chapter: 'subscribers',
  title: 'Add a subscriber',
  description:
    'Creates a subscriber account under this account and moves credit to it. The token of the parent acts for it by `user.username`.',
  example: {
    userDetails: {
      name: 'Haifa branch',
      username: 'haifa',
      password: 'correct horse',
      source: 'Shop',
      amount: 100,
      otpPhone: '0501234567',
    },
  },
  answer: answerOf({}, { message: 'subscriber added' }),
  refusals: [
    'not-now',
    'not-allowed',
    'over-credit',
    'bad-amount',
    'bad-source',
    'bad-password',
    'username-taken',
    'bad-username',
    'bad-name',
  ],
  schema: element({
    user,
    send_key: sendKey,
    userDetails: element({
      name: textInput.meta({ description: 'Display name.', ...lengthOf(subscriberName) }),
      username: textInput.meta({
        description: 'User name: English letters, digits and `.` `_` `@` `-`; must be unique.',
        ...lengthOf(subscriberUsername),
      }),
      password: textInput.meta({
        description: 'Password of the subscriber.',
        ...lengthOf(SUBSCRIBER_PASSWORD_LENGTH),
      }),
      source: message.source.describe('Sender of the subscriber.'),
      amount: amountText.describe(
        'Credits to move from the wallet of the account to the subscriber; not negative.',
      ),
      otpPhone: optionalText.describe('Phone for sign-in codes.'),
    }),
  }),
  run: ({ userDetails: details }, call) =>
    inDetails(async () => {
      checkMayMoveCredit(call.account);
      const input = {
        ...details,
        readAmount: () => readAmount('amount', details.amount),
        badCharacters: 'bad-field' as const,
      };
      const wanted = await readSubscriber(input, call.account, call.services);
      const { subscribers, sources } = call.services;
      const answer = accepted({}, 'subscriber added');
      if (call.dryRun) await subscribers.checkAdd(call.account, wanted);
      else {
        const handOn = await sources.handOn(call.account.id, wanted.source);
        const also = (tx: Queryable) => storeAnswer(tx, call.account.id, call.sendKey, answer);
        await subscribers.add(call.account, wanted, handOn, also);
      }
      return answer;
    }),
});

/** Runs a call; refusals get the names of the subscriber's fields in `userDetails`. */
function inDetails<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw error instanceof Refusal && error.path !== undefined
      ? error.at(`userDetails.${error.path}`)
      : error;
  });
}

/** Moves credit from the parent to a subscriber, or back if the amount is negative. */
export const updateAmountSub = operation({
  roots: ['updateAmountSub'],
  access: sends(programs('billing')),
  chapter: 'subscribers',
  title: "Change a subscriber's credit",
  description: 'Moves credit between the wallets of the account and the subscriber.',
  example: { userDetails: { username: 'carmel', amount: 50, amount_int: 20 } },
  answer: answerOf({}, { message: 'wallet updated' }),
  refusals: ['not-now', 'unknown-user', 'not-allowed', 'over-credit', 'bad-amount'],
  schema: element({
    user,
    send_key: sendKey,
    userDetails: element({
      username: text.describe('User name of the subscriber.'),
      amount: amountText.describe('Credits to add; a negative amount moves them back.'),
      amount_int: optionalAmount.describe('Money paid for the credits, stored with the entry.'),
    }),
  }),
  run: ({ userDetails: details }, call) =>
    inDetails(async () => {
      checkMayMoveCredit(call.account);
      const amount = readAmount('amount', details.amount);
      const money = details.amount_int === undefined ? null : readAmount('amount_int', details.amount_int);
      const { subscribers } = call.services;
      const { id } = await subscribers.find(call.account, details.username);
      // Money is paid outside the service. Its amount is stored with the movement of credit that it paid for.
      const note = money === null ? 'updateAmountSub' : `updateAmountSub, amount_int ${formatAmount(money)}`;
      const answer = accepted({}, 'wallet updated');
      const also = (tx: Queryable) => storeAnswer(tx, call.account.id, call.sendKey, answer);
      const moved = call.dryRun
        ? subscribers.checkGive(call.account, id, amount)
        : subscribers.give(call.account, id, amount, note, also);
      await moved;
      return answer;
    }),
});

/** The balance of each subscriber's wallet. */
export const getBlanceSubs = operation({
  roots: ['getBlanceSubs'],
  access: programs('billing'),
  chapter: 'subscribers',
  title: 'List balances of subscribers',
  description: 'Returns the balance of each subscriber.',
  example: {},
  answer: answerOf({
    balances: z.array(
      z.object({
        amount: out.number('Balance in credits, with four decimal places.', 150),
        sms_user_id: out.text('Id of the subscriber account.', '1774337460000003'),
        name: out.text('Name of the subscriber.', 'Haifa branch'),
      }),
    ),
  }),
  refusals: ['not-allowed'],
  schema: element({ user }),
  async run(_input, call) {
    checkMayHaveSubscribers(call.account);
    const subscribers = await call.services.subscribers.balances(call.account.id);
    return accepted({
      balances: subscribers.map(({ id, name, amount }) => ({
        amount: Number(formatAmount(amount)),
        sms_user_id: String(id),
        name,
      })),
    });
  },
});

/**
 * Reads a whole number of credits, as ten-thousandths. Throws Refusal `bad-field` (absent) or `bad-amount`.
 */
function readAmount(field: 'amount' | 'amount_int', value: string | undefined): number {
  if (value === undefined) throw badField(field, 'missing', 'missing');
  if (!/^[+-]?\d+$/.test(value)) throw new Refusal('bad-amount', 'must be a whole number', field);
  if (value.replace(/^[+-]?0*/, '').length > AMOUNT_DIGITS) {
    throw new Refusal('over-credit', 'more than anyone has', field);
  }
  return Number(value) * CREDIT;
}
