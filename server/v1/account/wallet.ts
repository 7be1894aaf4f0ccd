import { z } from 'zod';
import type { Account, Accounts } from '../../accounts/accounts.ts';
import { formatAmount, ledgerKinds } from '../../accounts/money.ts';
import { checkMayMoveCredit } from '../../accounts/subscribers.ts';
import type { LedgerRow } from '../../accounts/wallets.ts';
import type { CoreContext } from '../../core.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { storeAnswer } from '../../interfaces/send-keys.ts';
import {
  amount,
  field,
  oneOf,
  page,
  pageAnswer,
  pageOf,
  readAmount,
  readPage,
  text,
  textUpTo,
  timeSpan,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';

const MAX_ROWS = 500;
const MAX_NOTE = 200;

const ledgerQuery = z.object({
  ...page(MAX_ROWS),
  ...timeSpan,
  kind: oneOf(ledgerKinds).optional().describe('Only entries of this kind.'),
});
const balance = (meaning: string) => out.credits(meaning, '1234.5');
const walletAnswer = z.object({ balance: balance('Credits that can be spent.') });
const ledgerAnswer = z.object({
  id: out.id('Its id.', '1774337460000002'),
  at: out.time('When'),
  kind: out.oneOf(
    ledgerKinds,
    '`hold` and `release` frame the time that something scheduled waits; `transfer` is between an account and its subscriber.',
    'charge',
  ),
  amount: out.credits('Credits; negative was taken from the wallet.', '-1.5'),
  shipment_id: out.maybeId('The shipment that it was for.', '1774337460000001'),
  peer: out.maybeText('The user name of the other side of a transfer.', null),
  note: out.text('What was noted.', ''),
});
const transfer = z.object({
  username: field(text.min(1, 'missing'), 'The subscriber.', 'haifa'),
  amount: field(amount, 'Credits that move to the subscriber; a negative amount takes them back.', '50'),
  note: field(textUpTo(MAX_NOTE).default(''), 'For the ledger of both.', 'March'),
});
const transferAnswer = z.object({
  balance: balance('What the account has now.'),
  subscriber_balance: balance('What the subscriber has now.'),
});

type WalletsDeps = Pick<CoreContext, 'accounts' | 'wallets' | 'subscribers'>;

const route = resource<WalletsDeps>('account');

/** Wallets: the balance, every movement, and credit that moves to a subscriber or back. */
export const walletRoutes = [
  route('GET /v1/wallet', {
    operationId: 'showWallet',
    title: 'Show the balance',
    description: 'What the account can spend.',
    answer: walletAnswer,
    handler: async ({ account }, deps) => ({ balance: await balanceOf(deps, account) }),
  }),
  route('GET /v1/wallet/ledger', {
    operationId: 'listLedger',
    title: 'List ledger entries',
    description: 'Every movement, the newest first; their sum is the balance.',
    query: ledgerQuery,
    answer: pageAnswer('rows', ledgerAnswer),
    handler: async ({ accountId, query: { after, limit, from, to, kind } }, { accounts, wallets }) =>
      pageOf(
        'rows',
        (row) => show(row, accounts),
        readPage(limit, (most) => wallets.ledger({ accountId, before: after, limit: most, from, to, kind })),
      ),
  }),
  route('POST /v1/wallet/transfer', {
    operationId: 'transferCredit',
    title: 'Transfer credit',
    description: "Between the account's wallet and the subscriber's, in one transaction.",
    refusals: ['unknown-user', 'over-credit', 'bad-amount', 'not-now'],
    body: transfer,
    answer: transferAnswer,
    handler: async ({ account, body: given, once }, deps) =>
      once(async (use) => {
        checkMayMoveCredit(account);
        const units = readAmount(given.amount, 'amount');
        if (units === 0) throw new Refusal('bad-amount', 'nothing would move', 'amount');
        const subscriber = await deps.subscribers.find(account, given.username);
        let answer: z.output<typeof transferAnswer> | undefined;
        await deps.subscribers.give(account, subscriber.id, units, given.note, async (tx) => {
          answer = {
            balance: await balanceOf(deps, account, tx),
            subscriber_balance: await balanceOf(deps, subscriber, tx),
          };
          await storeAnswer(tx, account.id, use, answer);
        });
        return answer!;
      }),
  }),
];

const showEntry = serializer(ledgerAnswer, ({ peerName: peer }: { peerName: string | null }) => ({ peer }));

async function show(row: LedgerRow, accounts: Accounts) {
  const peer = row.peerId === null ? undefined : await accounts.byId(row.peerId);
  return showEntry({ ...row, peerName: peer?.username ?? null });
}
const balanceOf = async ({ wallets }: WalletsDeps, { id }: Pick<Account, 'id'>, sql?: Queryable) =>
  formatAmount(await wallets.balance(id, sql));
