import { z } from 'zod';
import {
  dailyWork,
  operatorChanges,
  operatorReads,
  proven,
  sends,
  sendsNothing,
  withoutProof,
} from '../../../api/access/rules.ts';
import { maybeIso, out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import { storeAnswer } from '../../../api/send-keys.ts';
import {
  accountSearch,
  amount,
  field,
  flag,
  found,
  idOf,
  idText,
  page,
  pageAnswer,
  pageOf,
  readAmount,
  readPage,
  requiredText,
  rowsAnswer,
  text,
  textUpTo,
  timeZone,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { readSender, SENDER_RULE } from '../../../channels/mail/senders.ts';
import type { Queryable } from '../../../database/connection.ts';
import type { Held } from '../../../engine/suspension/held-work.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { nameProblem } from '../../../kit/text/harmless-name.ts';
import type { CoreContext } from '../../../run/services.ts';
import { hashPassword } from '../../passwords/hashes.ts';
import { checkAccountPassword } from '../../passwords/rules.ts';
import { ACCOUNT_USERNAME_RULE, isAccountUsername, isAddressBlock, MAX_CREDITS } from '../account-rules.ts';
import type { Account, AccountRow } from '../accounts.ts';
import { CREDIT, formatAmount } from '../money.ts';
import { NotEnoughCredit } from '../wallets.ts';

const MAX_ROWS = 500;
const MAX_NAME = 100;
const MAX_NOTE = 200;
const MAX_BLOCKS = 100;

const accountsPage = z.object({
  ...page(MAX_ROWS),
  search: accountSearch,
});
const accountAnswer = z.object({
  id: out.id('Id of the account.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  name: out.text('Display name.', 'The shop'),
  parent: out.maybeText('User name of the parent account, for a subscriber.', null),
  balance: out.credits('Credits.', '1234.5'),
  suspended: out.flag('Whether it is suspended, by the operator or the parent account.', false),
  suspended_by_parent: out.flag('Whether the parent account has suspended it.', false),
  time_zone: out.maybeText('Time zone; null: the default of the settings.', 'Asia/Jerusalem'),
  addresses: out.texts('Networks from which requests may come; empty: any.', ['192.0.2.0/24']),
  password_weak: out.flag(
    'Whether its password is too weak for a new one, as detected at the last sign-in with it.',
    false,
  ),
  password_sign_in: out.flag('Whether `user.password` in requests is accepted instead of a token.', false),
  created_at: out.time('Time of creation'),
});

const heldAnswer = z.object({
  since: out.maybeTime('Time of the suspension; null for an account that is not suspended'),
  messages: out.count(
    'Held messages. A batch counts as a whole until all its messages have a result.',
    1_200,
  ),
  campaigns: out.count('Campaigns that are held before all their messages were created.', 1),
  cancelling_since: out.maybeTime(
    'Time of the request to cancel them, while the cancellation is in progress',
  ),
  cancelled_at: out.maybeTime('Time of completion of the last cancellation'),
});

const show = serializer(accountAnswer, (row: AccountRow) => ({ parent: row.parentUsername }));

const name = field(
  requiredText(MAX_NAME).refine(
    (text) => nameProblem(text) === undefined,
    because('must not have a link, a phone number or control characters', 'name-with-link'),
  ),
  'Display name.',
  'The shop',
);
const ownZone = timeZone('Time zone; default: that of the settings').nullable().optional();
const addresses = field(
  z
    .array(
      text.refine(
        isAddressBlock,
        because('must be an address or a block like 192.0.2.0/24', 'not-a-network'),
      ),
      'must be a list',
    )
    .max(MAX_BLOCKS, `more than ${MAX_BLOCKS} entries`)
    .optional(),
  'Networks from which requests may come.',
  ['192.0.2.0/24'],
);
const passwordSignIn = field(flag.optional(), 'Accepts `user.password` in requests.', false);
const newAccount = z.object({
  username: field(
    text.refine(isAccountUsername, because(ACCOUNT_USERNAME_RULE, 'not-a-user-name')),
    'User name, unique.',
    'shop',
  ),
  name: name.optional(),
  parent: field(text.optional(), 'User name of the parent account, which makes it a subscriber.', 'demo'),
  password: field(
    text.optional(),
    'Password for `user.password` in requests and mail tokens: 10 to 200 characters, not a common one.',
    'correct horse',
  ),
  time_zone: ownZone,
  addresses,
  password_sign_in: passwordSignIn,
});
const changes = z.object({
  name: name.optional(),
  time_zone: ownZone,
  addresses,
  password_sign_in: passwordSignIn,
});
const topUp = z.object({
  amount: field(amount, 'Credits to add; a negative amount subtracts them.', '1000'),
  note: field(textUpTo(MAX_NOTE).default('operator'), 'Note for the ledger.', 'invoice 17'),
});
const approval = z.object({
  source: field(
    text.refine((text) => readSender(text) !== undefined, because(SENDER_RULE, 'not-a-sender')),
    'Number, name, or for email an address or `@` and a domain.',
    'Shop',
  ),
  incoming: field(
    flag.default(false),
    'Whether incoming messages to the number belong to this account.',
    false,
  ),
});
const confirmation = z.object({
  account_id: field(idText('an account'), 'Id of the account that made the request.', '1774337460000003'),
  phone: field(text.min(1, 'missing'), 'Phone number.', '035551234'),
});
const waitingAnswer = z.object({
  account_id: out.id('Id of the account that made the request.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  phone: out.phone('Number.', '035551234'),
  landline: out.flag('Whether it cannot receive SMS and is confirmed by a call from it.', true),
  expires_at: out.time('Time of expiry'),
});

const showWaiting = serializer(waitingAnswer);

type OperatorAccountsDeps = Pick<
  CoreContext,
  'accounts' | 'wallets' | 'sources' | 'verifiedPhones' | 'numbers' | 'heldWork'
>;

const route = resource<OperatorAccountsDeps>('operator');

/** Accounts, for operators. The network is in network.ts, prices in prices.ts. */
export const operatorAccountRoutes = [
  route('GET /v1/operator/accounts', {
    access: operatorReads,
    operationId: 'listAccounts',
    title: 'List accounts',
    description: 'Lists all accounts with their balances, in the order of creation.',
    query: accountsPage,
    answer: pageAnswer('accounts', accountAnswer),
    handler: async ({ query: { after = 0, limit, search } }, { accounts }) =>
      pageOf(
        'accounts',
        show,
        readPage(limit, (most) => accounts.search({ search, after, limit: most })),
      ),
  }),
  route('GET /v1/operator/accounts/:id', {
    access: operatorReads,
    operationId: 'showAccount',
    title: 'Show an account',
    description: 'Returns one account.',
    id: idOf('account'),
    answer: accountAnswer,
    handler: async ({ id }, deps) => row(deps, id),
  }),
  route('POST /v1/operator/accounts', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'createAccount',
    title: 'Create an account',
    description: 'Creates an account with an empty wallet and without a token.',
    refusals: ['username-taken', 'unknown-user', 'bad-password'],
    body: newAccount,
    answer: accountAnswer,
    handler: async ({ body: given, audit }, deps) => {
      const parent = given.parent === undefined ? undefined : await parentOf(deps, given.parent);
      if (given.password !== undefined) checkAccountPassword(given.password, given.username);
      const { id } = await deps.accounts.create({
        username: given.username,
        name: given.name ?? given.username,
        ...(parent && { parentId: parent.id }),
        ...(given.password !== undefined && { passwordHash: await hashPassword(given.password) }),
        ...(given.time_zone != null && { timeZone: given.time_zone }),
        ...(given.addresses && { addresses: given.addresses }),
        ...(given.password_sign_in !== undefined && { passwordSignIn: given.password_sign_in }),
      });
      audit({ kind: 'accounts', id: String(id) });
      return row(deps, id);
    },
  }),
  route('PATCH /v1/operator/accounts/:id', {
    access: proven(operatorChanges),
    operationId: 'changeAccount',
    title: 'Change an account',
    description: 'Updates the given fields.',
    id: idOf('account'),
    body: changes,
    answer: accountAnswer,
    handler: async ({ id, body: given, audit }, deps) => {
      const before = await row(deps, id);
      await deps.accounts.change(id, {
        name: given.name,
        timeZone: given.time_zone,
        addresses: given.addresses,
        passwordSignIn: given.password_sign_in,
      });
      const after = await row(deps, id);
      audit({ before, after });
      return after;
    },
  }),
  route('POST /v1/operator/accounts/:id/top-up', {
    access: proven(sends(operatorChanges)),
    operationId: 'topUp',
    title: 'Change the balance of an account',
    description: 'Adds an entry to the ledger of the account.',
    refusals: ['bad-amount', 'over-credit'],
    id: idOf('account'),
    body: topUp,
    answer: z.object({ balance: out.text('Balance of the account.', '2234.5') }),
    handler: async ({ id, body: given, once, audit }, deps) => {
      await check(deps, id);
      const units = readAmount(given.amount, 'amount');
      if (units === 0) throw new Refusal('bad-amount', 'nothing would change', 'amount');
      if (Math.abs(units) > MAX_CREDITS * CREDIT) {
        throw new Refusal('bad-amount', `at most ${MAX_CREDITS} credits at a time`, 'amount');
      }
      const act = async (use: SendKeyUse | undefined) => {
        let answer = { balance: '' };
        const also = async (tx: Queryable) => {
          answer = { balance: formatAmount(await deps.wallets.balance(id, tx)) };
          await storeAnswer(tx, id, use, answer);
        };
        try {
          await deps.wallets.topUp(id, units, given.note, also);
        } catch (error) {
          if (!(error instanceof NotEnoughCredit)) throw error;
          throw new Refusal('over-credit', 'more than the balance of the account', 'amount');
        }
        audit({ after: { amount: formatAmount(units), note: given.note } });
        return answer;
      };
      return once(act, { accountId: id });
    },
  }),
  route('POST /v1/operator/accounts/:id/sources', {
    access: sendsNothing(withoutProof(operatorChanges, 'approves a sender, which gives no access')),
    operationId: 'approveSource',
    title: 'Approve a sender',
    description: 'Permits the account to send from this sender.',
    id: idOf('account'),
    body: approval,
    handler: async ({ id, body: { source: given, incoming }, audit }, deps) => {
      await check(deps, id);
      const source = readSender(given)!;
      await deps.sources.approve(id, source, { incoming });
      audit({ after: { source: deps.sources.keyOf(source), incoming } });
    },
  }),
  route('GET /v1/operator/verifications', {
    access: operatorReads,
    operationId: 'listVerifications',
    title: 'List pending phone verifications',
    description: 'Lists the verifications of all accounts, oldest first.',
    answer: rowsAnswer('verifications', waitingAnswer),
    handler: async (_call, { verifiedPhones }) => ({
      verifications: (await verifiedPhones.waiting()).map(showWaiting),
    }),
  }),
  route('POST /v1/operator/verifications/confirm', {
    access: dailyWork(operatorChanges),
    operationId: 'confirmNumber',
    title: 'Confirm a phone number',
    description:
      'Confirms a number for an account that requested it. Call the number first and let its owner confirm.',
    refusals: ['not-found'],
    body: confirmation,
    handler: async ({ body: given, audit }, { verifiedPhones, numbers }) => {
      const phone = numbers.parse(given.phone)?.digits;
      if (phone === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
      if (!(await verifiedPhones.confirmPhone(Number(given.account_id), phone))) {
        throw new Refusal('not-found', 'no verification of this number waits');
      }
      audit({ kind: 'accounts', id: given.account_id, after: { phone } });
    },
  }),
  route('POST /v1/operator/accounts/:id/suspend', {
    access: sendsNothing(withoutProof(operatorChanges, 'takes power away: suspension must not wait')),
    operationId: 'suspendAccount',
    title: 'Suspend an account',
    description:
      'Suspends the account and its subscribers. All APIs refuse their sends, and everything that was accepted before is held: messages, campaigns and scheduled sends. `lift` resumes it, `held/cancel` cancels and refunds it.',
    id: idOf('account'),
    answer: accountAnswer,
    handler: ({ id }, deps) => suspend(deps, id, true),
  }),
  route('POST /v1/operator/accounts/:id/lift', {
    access: sendsNothing(withoutProof(operatorChanges, 'restores the rights that the account had')),
    operationId: 'liftAccount',
    title: 'Reactivate an account',
    description:
      'Lifts the suspension of the account and its subscribers, except for subscribers that were suspended separately. Held messages and campaigns resume; messages whose validity period is over expire and are refunded.',
    id: idOf('account'),
    answer: accountAnswer,
    handler: ({ id }, deps) => suspend(deps, id, false),
  }),
  route('GET /v1/operator/accounts/:id/held', {
    access: operatorReads,
    operationId: 'showHeldWork',
    title: 'Show the held messages of an account',
    description:
      'Returns the numbers of messages and campaigns that are held because the account is suspended.',
    id: idOf('account'),
    answer: heldAnswer,
    handler: async ({ id }, deps) => {
      await check(deps, id);
      return showHeld(await deps.heldWork.of(id));
    },
  }),
  route('POST /v1/operator/accounts/:id/held/cancel', {
    access: sendsNothing(
      withoutProof(
        operatorChanges,
        'takes power away: cancels and refunds what a suspended account had waiting',
      ),
    ),
    operationId: 'cancelHeldWork',
    title: 'Cancel the held messages of an account',
    description:
      'Cancels and refunds all waiting messages of a suspended account: single messages and scheduled, running and paused campaigns. The cancellation continues in the background until nothing waits; reactivating the account ends it.',
    refusals: ['not-now'],
    id: idOf('account'),
    answer: heldAnswer,
    status: 202,
    handler: async ({ id }, deps) => {
      await check(deps, id);
      await deps.heldWork.cancelAll(id);
      return showHeld(await deps.heldWork.of(id));
    },
  }),
];

const showHeld = serializer(heldAnswer, (held: Held) => ({
  cancelling_since: maybeIso(held.cancellingSince),
  cancelled_at: maybeIso(held.cancelledAt),
}));

/** Throws Refusal `not-found` for an unknown account. */
async function check({ accounts }: OperatorAccountsDeps, id: number): Promise<void> {
  found(await accounts.byId(id), 'account');
}

/** Reads an account from the database. Throws Refusal `not-found`. */
async function row({ accounts }: OperatorAccountsDeps, id: number): Promise<z.output<typeof accountAnswer>> {
  return show(found(await accounts.row(id), 'account'));
}

async function suspend(deps: OperatorAccountsDeps, id: number, suspended: boolean) {
  await check(deps, id);
  await deps.accounts.suspend(id, suspended);
  await deps.heldWork.run();
  return row(deps, id);
}

async function parentOf({ accounts }: OperatorAccountsDeps, username: string): Promise<Account> {
  const parent = await accounts.byUsername(username);
  if (!parent) throw new Refusal('unknown-user', 'there is no such user name', 'parent');
  if (parent.parentId !== null) throw badField('parent', 'is a subscriber itself', 'is-subscriber');
  return parent;
}
