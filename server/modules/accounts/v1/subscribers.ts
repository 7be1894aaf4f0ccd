import { z } from 'zod';
import { changes, proven, reads, sends, sendsNothing, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import { storeAnswer } from '../../../api/send-keys.ts';
import { readSubscriber } from '../../../api/subscriber-input.ts';
import {
  accountSearch,
  amount,
  field,
  idOf,
  notFound,
  page,
  pageAnswer,
  pageOf,
  readAmount,
  readPage,
  text,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Queryable } from '../../../database/connection.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Account, AccountRow } from '../accounts.ts';
import { checkMayHaveSubscribers, checkMayMoveCredit } from '../subscribers.ts';

const MAX_ROWS = 500;

const subscribersPage = z.object({
  ...page(MAX_ROWS),
  search: accountSearch,
});

const subscriberAnswer = z.object({
  id: out.id('Id of the account of the subscriber.', '1774337460000003'),
  username: out.text('User name of the subscriber, for `?username=`.', 'haifa'),
  name: out.text('Name of the subscriber.', 'Haifa branch'),
  balance: out.credits('Credits.', '150'),
  suspended: out.flag('Whether the parent account has suspended it.', false),
  suspended_by_operator: out.flag('Whether it is suspended, by the operator or the parent account.', false),
  created_at: out.time('Time of creation'),
});
/** Formats a subscriber for responses. */
const show = serializer(subscriberAnswer, (row: AccountRow) => ({
  suspended: row.suspendedByParent,
  suspended_by_operator: row.suspended,
}));
const given = (description: string, example: string) => field(text, description, example);
const newSubscriber = z.object({
  name: given('Display name.', 'Haifa branch'),
  username: given('User name: English letters, digits and `.` `_` `@` `-`; must be unique.', 'haifa'),
  password: given('Password of the subscriber.', 'correct horse'),
  source: given('Sender of the subscriber.', 'Shop'),
  amount: field(amount.default('0'), 'Credits to move from the account to the subscriber.', '100'),
  otp_phone: field(text.optional(), 'Phone for sign-in codes.', '0501234567'),
});

type SubscribersDeps = Pick<CoreContext, 'accounts' | 'subscribers' | 'sources' | 'numbers' | 'heldWork'>;

const route = resource<SubscribersDeps>('subscribers');

/** Subscribers of an account. */
export const subscriberRoutes = [
  route('GET /v1/subscribers', {
    access: reads('viewer', 'billing'),
    operationId: 'listSubscribers',
    title: 'List subscribers',
    description: 'Lists the subscribers of the account in the order of creation.',
    query: subscribersPage,
    answer: pageAnswer('subscribers', subscriberAnswer),
    handler: async ({ account, query: { after = 0, limit, search } }, { accounts }) => {
      checkMayHaveSubscribers(account);
      return pageOf(
        'subscribers',
        show,
        readPage(limit, (most) => accounts.search({ search, after, limit: most, parentId: account.id })),
      );
    },
  }),
  route('GET /v1/subscribers/:id', {
    access: reads('viewer', 'billing'),
    operationId: 'showSubscriber',
    title: 'Show a subscriber',
    description: 'Returns a subscriber of the account.',
    id: idOf('subscriber'),
    answer: subscriberAnswer,
    handler: async ({ accountId, id }, deps) => {
      await check(deps, accountId, id);
      return row(deps, id);
    },
  }),
  route('POST /v1/subscribers', {
    access: proven(sends(changes('owner', 'billing'))),
    operationId: 'createSubscriber',
    title: 'Add a subscriber',
    description:
      'Creates a subscriber account under this account and moves credit to it. It may send from `source` if this account may.',
    refusals: [
      'not-now',
      'over-credit',
      'bad-amount',
      'bad-source',
      'bad-password',
      'username-taken',
      'bad-username',
      'bad-name',
    ],
    body: newSubscriber,
    fieldNames: { otpPhone: 'otp_phone' },
    answer: subscriberAnswer,
    handler: async ({ account, body, once }, deps) => once((use) => add(deps, account, body, use)),
  }),
  route('POST /v1/subscribers/:id/suspend', {
    access: sendsNothing(withoutProof(changes('owner'), 'takes power away: suspension must not wait')),
    operationId: 'suspendSubscriber',
    title: 'Suspend a subscriber',
    description:
      'Suspends the subscriber: its messages are refused, and what was accepted before is held until it is reactivated.',
    id: idOf('subscriber'),
    answer: subscriberAnswer,
    handler: ({ accountId, id }, deps) => suspend(deps, accountId, id, true),
  }),
  route('POST /v1/subscribers/:id/lift', {
    access: sendsNothing(withoutProof(changes('owner'), 'restores the rights that the subscriber had')),
    operationId: 'liftSubscriber',
    title: 'Reactivate a subscriber',
    description: 'Reactivates the subscriber, unless the operator has also suspended it.',
    id: idOf('subscriber'),
    answer: subscriberAnswer,
    handler: ({ accountId, id }, deps) => suspend(deps, accountId, id, false),
  }),
];

type Shown = z.output<typeof subscriberAnswer>;

/** Throws Refusal `not-found` if the id is not that of a subscriber of the account. */
async function check({ accounts }: SubscribersDeps, accountId: number, id: number): Promise<void> {
  if ((await accounts.byId(id))?.parentId !== accountId) throw notFound('subscriber');
}

/** Reads an existing subscriber from the database. */
async function row({ accounts }: SubscribersDeps, id: number, sql?: Queryable): Promise<Shown> {
  return show((await accounts.row(id, sql))!);
}

async function suspend(
  deps: SubscribersDeps,
  accountId: number,
  id: number,
  suspended: boolean,
): Promise<Shown> {
  await check(deps, accountId, id);
  await deps.accounts.suspendSubscriber(id, suspended);
  await deps.heldWork.run();
  return row(deps, id);
}

async function add(
  deps: SubscribersDeps,
  account: Account,
  body: z.output<typeof newSubscriber>,
  use: SendKeyUse | undefined,
): Promise<Shown> {
  const { sources, subscribers } = deps;
  checkMayMoveCredit(account);
  const input = {
    ...body,
    otpPhone: body.otp_phone || undefined,
    readAmount: () => readAmount(body.amount, 'amount'),
    badCharacters: 'bad-username' as const,
  };
  const wanted = await readSubscriber(input, account, deps);
  const handOn = await sources.handOn(account.id, wanted.source);
  let answer: Shown | undefined;
  await subscribers.add(account, wanted, handOn, async (tx, id) => {
    answer = await row(deps, id, tx);
    await storeAnswer(tx, account.id, use, answer);
  });
  return answer!;
}
