import { z } from 'zod';
import { changes, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { storeAnswer } from '../../../api/send-keys.ts';
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
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Queryable } from '../../../database/connection.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Account, Accounts } from '../accounts.ts';
import { formatAmount, ledgerKinds } from '../money.ts';
import { checkMayMoveCredit } from '../subscribers.ts';
import type { LedgerRow } from '../wallets.ts';

const MAX_ROWS = 500;
const MAX_NOTE = 200;

const ledgerQuery = z.object({
  ...page(MAX_ROWS),
  ...timeSpan,
  kind: oneOf(ledgerKinds).optional().describe('Filters by kind.'),
});
const balance = (meaning: string) => out.credits(meaning, '1234.5');
const walletAnswer = z.object({ balance: balance('Credits that can be spent.') });
const ledgerAnswer = z.object({
  id: out.id('Id of the entry.', '1774337460000002'),
  at: out.time('Time of the entry'),
  kind: out.oneOf(
    ledgerKinds,
    'Kind of the entry. `hold` and `release` are the start and end of the time that a scheduled message waits; `transfer` is between an account and its subscriber.',
    'charge',
  ),
  amount: out.credits('Amount in credits; negative amounts leave the wallet.', '-1.5'),
  shipment_id: out.maybeId('Id of the shipment.', '1774337460000001'),
  campaign_name: out.maybeText('Name of the campaign, if the shipment has one.', 'Spring'),
  peer: out.maybeText('User name of the other account of a transfer.', null),
  note: out.text('Note of the entry.', ''),
});
const transfer = z.object({
  username: field(text.min(1, 'missing'), 'User name of the subscriber.', 'haifa'),
  amount: field(amount, 'Credits to move to the subscriber; a negative amount moves them back.', '50'),
  note: field(textUpTo(MAX_NOTE).default(''), 'Note for the ledger of both accounts.', 'March'),
});
const transferAnswer = z.object({
  balance: balance('Balance of the account.'),
  subscriber_balance: balance('Balance of the subscriber.'),
});

type WalletsDeps = Pick<CoreContext, 'accounts' | 'wallets' | 'subscribers'>;

const route = resource<WalletsDeps>('account');

/** Wallets: balance, ledger, and movements of credit to a subscriber or back. */
export const walletRoutes = [
  route('GET /v1/wallet', {
    access: reads('viewer', 'billing', 'send', 'read'),
    operationId: 'showWallet',
    title: 'Show the balance',
    description: 'Returns the credits that the account can spend.',
    answer: walletAnswer,
    handler: async ({ account }, deps) => ({ balance: await balanceOf(deps, account) }),
  }),
  route('GET /v1/wallet/ledger', {
    access: reads('viewer', 'billing'),
    operationId: 'listLedger',
    title: 'List ledger entries',
    description: 'Lists all entries of the ledger, newest first; their sum is the balance.',
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
    access: withoutProof(
      sends(changes('owner', 'billing')),
      'moves credit between an account and its own subscribers, and can be reversed',
    ),
    operationId: 'transferCredit',
    title: 'Transfer credit',
    description: 'Moves credit between the wallets of the account and the subscriber, in one transaction.',
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
