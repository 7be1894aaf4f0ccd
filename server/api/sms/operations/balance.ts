import { formatAmount } from '../../../modules/accounts/money.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element } from '../wire/fields.ts';

/** The balance of the wallet (decisions, "Extra operations"). */
export const balance = operation({
  roots: ['balance'],
  access: programs('billing', 'send', 'read'),
  chapter: 'account',
  title: 'Get the balance',
  description: 'Returns the balance of the account.',
  example: {},
  answer: answerOf({ balance: out.number('Balance in credits, with four decimal places.', 99_982.5) }),
  schema: element({ user }),
  async run(_input, call) {
    const amount = await call.services.wallets.balance(call.account.id);
    return accepted({ balance: Number(formatAmount(amount)) });
  },
});
