import { formatAmount } from '../../../accounts/money.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element } from '../wire/fields.ts';

/** The credits in the wallet (decisions, "Extra operations"). */
export const balance = operation({
  roots: ['balance'],
  schema: element({ user }),
  async run(_input, call) {
    const amount = await call.services.wallets.balance(call.account.id);
    return { status: done.accepted, message: 'OK', balance: Number(formatAmount(amount)) };
  },
});
