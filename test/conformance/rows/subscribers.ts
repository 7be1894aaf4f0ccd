import { chapter, row } from '../row.ts';

/** The interface, B7. */
export const subscribers = chapter({
  key: 'B7',
  title: 'B7: subscribers',
  bothForms: true,
  rows: [
    row(
      'addSub',
      '`addSub`: an account under the caller with name, user name, password, source and `otpPhone`; two ledger rows',
    ),
    row('addSub.name', '`name`: 2 to 50 characters, else 996; missing: 2'),
    row('addSub.username', '`username`: 3 to 50, else 995; taken: 994; missing or other characters: 2'),
    row('addSub.password', '`password`: 8 to 60 and none of the commonest, else 993; missing: 2'),
    row('addSub.source', '`source`: as of a send, else 992; missing: 2'),
    row('addSub.otpPhone', '`otpPhone`: optional; no number: 2'),
    row(
      'addSub.amount',
      "`amount`: whole, else 991; more than the parent has: 990; missing: 2; moved from the parent's wallet",
    ),
    row(
      'addSub.sends',
      "a subscriber sends with its own or its parent's token, pays itself, and has the senders that its parent has",
    ),
    row('addSub.dry run', '`addSub` in a dry run makes nothing'),
    row(
      'updateAmountSub',
      '`updateAmountSub`: adds, or takes back with a negative `amount`; two ledger rows; `amount_int` is kept',
    ),
    row(
      'updateAmountSub.refused',
      'amount not whole: 991; more than there is: 990; missing: 2; no subscriber of the caller: 503',
    ),
    row('getBlanceSubs', '`getBlanceSubs`: `balances` with `amount`, `sms_user_id`, `name`'),
    row('one level', 'a subscriber has no subscribers: 511'),
    row('suspended', "a parent's suspension is its subscribers' too: 5"),
    row('isolation', "no account sees or touches another's data, in every operation"),
  ],
});
