import { type Chapter, inBothForms, row } from '../row.ts';

const subs = inBothForms('sms-api/subscribers');
const fields = subs('lengths, characters and required fields');
const amounts = subs('amounts: none, all there is, one more, not whole, negative, absent');
const update = subs('updateAmountSub gives and takes back, in two ledger rows');

/** The interface, B7. */
export const subscribers: Chapter = {
  title: 'B7: subscribers',
  bothForms: true,
  rows: [
    row(
      'addSub',
      '`addSub`: an account under the caller with name, user name, password, source and `otpPhone`; two ledger rows',
      subs('addSub makes an account under the caller, with all that was asked for'),
      subs('of many at once with one name or one credit, one is made'),
    ),
    row('addSub.name', '`name`: 2 to 50 characters, else 996; missing: 2', fields),
    row(
      'addSub.username',
      '`username`: 3 to 50, else 995; taken: 994; missing or other characters: 2',
      fields,
    ),
    row('addSub.password', '`password`: 10 to 60 and none of the commonest, else 993; missing: 2', fields),
    row('addSub.source', '`source`: as of a send, else 992; missing: 2', fields),
    row('addSub.otpPhone', '`otpPhone`: optional; no number: 2', fields),
    row(
      'addSub.amount',
      "`amount`: whole, else 991; more than the parent has: 990; missing: 2; moved from the parent's wallet",
      amounts,
      subs('what a fraction of a credit is left of cannot be given whole'),
    ),
    row(
      'addSub.sends',
      "a subscriber sends with its own or its parent's token, pays itself, and has the senders that its parent has",
      subs("a subscriber sends at once with its parent's token, and pays itself"),
      subs('a subscriber gets the senders that its parent has, and no others'),
    ),
    row('addSub.dry run', '`addSub` in a dry run makes nothing', subs('a dry run of addSub makes nothing')),
    row(
      'updateAmountSub',
      '`updateAmountSub`: adds, or takes back with a negative `amount`; two ledger rows; `amount_int` is kept',
      update,
      subs('transfers both ways at once neither lose nor make credit'),
    ),
    row(
      'updateAmountSub.refused',
      'amount not whole: 991; more than there is: 990; missing: 2; no subscriber of the caller: 503',
      update,
    ),
    row(
      'getBlanceSubs',
      '`getBlanceSubs`: `balances` with `amount`, `sms_user_id`, `name`',
      subs('getBlanceSubs lists the subscribers with what they have'),
    ),
    row(
      'one level',
      'a subscriber has no subscribers: 511',
      subs('one level: a subscriber has none, called by its parent or by itself'),
    ),
    row(
      'suspended',
      "a parent's suspension is its subscribers' too: 5",
      subs("the suspension of an account is its subscribers' too, and its credit stays where it is"),
    ),
    row(
      'isolation',
      "no account sees or touches another's data, in every operation",
      inBothForms('sms-api/isolation')("every operation leaves what is another's alone"),
    ),
  ],
};
