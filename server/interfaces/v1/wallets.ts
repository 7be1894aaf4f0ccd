import { z } from 'zod';
import type { Account, Accounts } from '../../accounts/accounts.ts';
import { formatAmount } from '../../accounts/money.ts';
import { checkMayMoveCredit, type Subscribers } from '../../accounts/subscribers.ts';
import { type LedgerRow, ledgerKinds, type Wallets } from '../../accounts/wallets.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { storeSendKey } from '../../send-keys/send-keys.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { afterId, amount, cut, iso, isoTime, next, readAmount, timeSpan } from './fields.ts';
import { withBody } from './json-body.ts';
import { inOwnWords } from './subscribers.ts';

const ROWS_MOST = 500;
const NOTE_MOST = 200;

const ledgerQuery = z.object({
  after: afterId,
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  ...timeSpan,
  kind: z
    .enum(ledgerKinds, `must be one of ${ledgerKinds.join(', ')}`)
    .optional()
    .describe('Movements of this kind alone.'),
});
const balance = (meaning: string) => answered(z.string(), meaning, '1234.5');
const walletAnswer = z.object({ balance: balance('Credits that can be spent.') });
const ledgerAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000002'),
  at: isoTime('When'),
  kind: answered(
    z.enum(ledgerKinds),
    '`hold` and `release` frame the time that something scheduled waits; `transfer` is between an account and its subscriber.',
    'charge',
  ),
  amount: answered(z.string(), 'Credits; negative was taken from the wallet.', '-1.5'),
  shipment_id: answered(z.string().nullable(), 'The shipment that it was for.', '1774337460000001'),
  peer: answered(z.string().nullable(), 'The user name of the other side of a transfer.', null),
  note: answered(z.string(), 'What was noted.', ''),
});
const transfer = z.object({
  username: z
    .string('must be a text')
    .min(1, 'missing')
    .meta({ description: 'The subscriber.', examples: ['haifa'] }),
  amount: amount.meta({
    description: 'Credits that move to the subscriber; a negative amount takes them back.',
    examples: ['50'],
  }),
  note: z
    .string('must be a text')
    .max(NOTE_MOST, `over ${NOTE_MOST} characters`)
    .default('')
    .meta({ description: 'For the ledger of both.', examples: ['March'] }),
});
const transferAnswer = z.object({
  balance: balance('What the account has now.'),
  subscriber_balance: balance('What the subscriber has now.'),
});

export interface WalletsPartParts {
  readonly accounts: Accounts;
  readonly wallets: Wallets;
  readonly subscribers: Subscribers;
}

/**
 * Wallets under /v1, a part of the door:
 * - `GET /wallet`: the balance
 * - `GET /wallet/ledger?after=&limit=&kind=&from=&to=`: every movement, the newest first
 * - `POST /wallet/transfer`: moves credit to a subscriber, or back
 */
export function walletsPart({ accounts, wallets, subscribers }: WalletsPartParts): V1Part {
  async function show(row: LedgerRow): Promise<z.output<typeof ledgerAnswer>> {
    const peer = row.peerId === null ? undefined : await accounts.byId(row.peerId);
    return {
      id: String(row.id),
      at: iso(row.at),
      kind: row.kind,
      amount: formatAmount(row.amount),
      shipment_id: row.shipmentId === null ? null : String(row.shipmentId),
      peer: peer?.username ?? null,
      note: row.note,
    };
  }
  const balanceOf = async ({ id }: Pick<Account, 'id'>, sql?: Queryable) =>
    formatAmount(await wallets.balance(id, sql));

  return (app, accountOf, _callerOf, once) => {
    app.get(
      '/wallet',
      described({
        chapter: 'account',
        id: 'showWallet',
        title: 'Balance',
        description: 'What the account can spend.',
        answer: walletAnswer,
      }),
      async (request) => ({ balance: await balanceOf(accountOf(request)) }),
    );

    app.get(
      '/wallet/ledger',
      described({
        chapter: 'account',
        id: 'listLedger',
        title: 'Movements of the wallet',
        description: 'Every movement, the newest first; their sum is the balance.',
        query: ledgerQuery,
        answer: z.object({ rows: z.array(ledgerAnswer), next }),
      }),
      async (request) => {
        const { after, limit, from, to, kind } = read(ledgerQuery, request.query);
        const accountId = accountOf(request).id;
        const found = await wallets.ledger({ accountId, before: after, limit: limit + 1, from, to, kind });
        const page = cut(found, limit);
        return { rows: await Promise.all(page.rows.map(show)), next: page.next };
      },
    );

    app.post(
      '/wallet/transfer',
      withBody(
        described({
          chapter: 'subscribers',
          id: 'transferCredit',
          title: 'Move credit to a subscriber, or back',
          description: "Between the account's wallet and the subscriber's, in one transaction.",
          answer: transferAnswer,
          refusals: ['unknown-user', 'over-credit', 'bad-amount', 'not-now'],
        }),
        transfer,
      ),
      async (request, reply) => {
        const given = read(transfer, request.body);
        const account = accountOf(request);
        const call = { accountId: account.id, content: given };
        return once(request, reply, call, async (use) => {
          checkMayMoveCredit(account);
          const units = readAmount(given.amount, 'amount');
          if (units === 0) throw new Refusal('bad-amount', 'nothing would move', 'amount');
          return inOwnWords(async () => {
            const subscriber = await subscribers.find(account, given.username);
            let answer: z.output<typeof transferAnswer> | undefined;
            await subscribers.give(account, subscriber.id, units, given.note, async (tx) => {
              const moved = {
                balance: await balanceOf(account, tx),
                subscriber_balance: await balanceOf(subscriber, tx),
              };
              answer = moved;
              await storeSendKey(
                tx,
                account.id,
                use?.answering(() => moved),
                undefined,
              );
            });
            return answer!;
          });
        });
      },
    );
  };
}
