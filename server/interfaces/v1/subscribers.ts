import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readAccountName } from '../../accounts/account-rules.ts';
import type { Account, AccountRow, Accounts } from '../../accounts/accounts.ts';
import { formatAmount } from '../../accounts/money.ts';
import { checkAccountPassword } from '../../accounts/password-rules.ts';
import {
  checkMayHaveSubscribers,
  checkMayMoveCredit,
  isUsername,
  isWithin,
  type Subscribers,
  subscriberName,
  subscriberPassword,
  subscriberUsername,
} from '../../accounts/subscribers.ts';
import type { Sources } from '../../audience/sources.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import { readSource } from '../../messages/send-request.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import { type SendKeyUse, storeSendKey } from '../../send-keys/send-keys.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { amount, cut, iso, isoTime, next, readAmount } from './fields.ts';
import { withBody } from './json-body.ts';

const ROWS_MOST = 500;

const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .transform(Number)
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  search: z
    .string()
    .max(100, 'over 100 characters')
    .default('')
    .describe('Those whose user name or name has this in it.'),
});

const subscriberAnswer = z.object({
  id: answered(z.string(), 'The id of its account.', '1774337460000003'),
  username: answered(z.string(), 'Its user name, which `?username=` names.', 'haifa'),
  name: answered(z.string(), 'Its name.', 'Haifa branch'),
  balance: answered(z.string(), 'Credits.', '150'),
  suspended: answered(z.boolean(), 'Whether the account has stopped it.', false),
  suspended_by_operator: answered(z.boolean(), 'Whether the operator has stopped it, or the account.', false),
  created_at: isoTime('When it was made'),
});
const given = (description: string, example: string) =>
  z.string('must be a text').meta({ description, examples: [example] });
const newSubscriber = z.object({
  name: given('What people call it.', 'Haifa branch'),
  username: given('English letters, digits and `.` `_` `@` `-`; nobody else may have it.', 'haifa'),
  password: given('Its password.', 'correct horse'),
  source: given('Its sender.', 'Shop'),
  amount: amount
    .default('0')
    .meta({ description: "Credits of the account's that it begins with.", examples: ['100'] }),
  otp_phone: z
    .string('must be a text')
    .optional()
    .meta({ description: 'A phone for codes at sign-in.', examples: ['0501234567'] }),
});

const pathOfSubscriber = 'The id of the subscriber.';
type WithId = { Params: { id: string } };

/** Does what is refused with fields of the SMS family's `userDetails`, with the fields of this door. */
export async function inOwnWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.at(error.path?.replace(/^userDetails\./, ''));
  }
}

export interface SubscribersPartParts {
  readonly accounts: Accounts;
  readonly subscribers: Subscribers;
  readonly sources: Sources;
  readonly numbers: NumberReader;
}

/**
 * Subscribers under /v1, a part of the door:
 * - `GET /subscribers?after=&limit=&search=`: the subscribers of the account with their balances
 * - `GET /subscribers/:id`: one of them
 * - `POST /subscribers`: makes one
 * - `POST /subscribers/:id/suspend`, `/lift`: stops one from sending, and lets it again
 */
export function subscribersPart({ accounts, subscribers, sources, numbers }: SubscribersPartParts): V1Part {
  async function find(account: Account, text: string): Promise<Account> {
    const found = await accounts.byId(pathId(text, 'subscriber'));
    if (!found || found.parentId !== account.id) throw new NotFound('no such subscriber');
    return found;
  }

  /** The subscriber with this id, who is there, as it stands in the database. */
  async function row(
    parentId: number,
    id: number,
    sql?: Queryable,
  ): Promise<z.output<typeof subscriberAnswer>> {
    const [found] = await accounts.search({ search: '', after: id - 1, limit: 1, parentId }, sql);
    return show(found!);
  }

  return (app, accountOf, _callerOf, once) => {
    app.get(
      '/subscribers',
      described({
        chapter: 'subscribers',
        id: 'listSubscribers',
        title: 'Subscribers with their balances',
        description: 'The subscribers of the account in the order in which they were made.',
        query: page,
        answer: z.object({ subscribers: z.array(subscriberAnswer), next }),
      }),
      async (request) => {
        const { after, limit, search } = read(page, request.query);
        const account = accountOf(request);
        checkMayHaveSubscribers(account);
        const found = await accounts.search({ search, after, limit: limit + 1, parentId: account.id });
        const shown = cut(found, limit);
        return { subscribers: shown.rows.map(show), next: shown.next };
      },
    );

    app.get<WithId>(
      '/subscribers/:id',
      described({
        chapter: 'subscribers',
        id: 'showSubscriber',
        title: 'A subscriber with its balance',
        description: 'One of the account.',
        pathId: pathOfSubscriber,
        answer: subscriberAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const account = accountOf(request);
        return row(account.id, (await find(account, request.params.id)).id);
      },
    );

    app.post(
      '/subscribers',
      withBody(
        described({
          chapter: 'subscribers',
          id: 'createSubscriber',
          title: 'Add a subscriber',
          description:
            'Makes an account under this one and moves credit to it. It may send from `source` when this account may.',
          answer: subscriberAnswer,
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
        }),
        newSubscriber,
      ),
      async (request, reply) => {
        const body = read(newSubscriber, request.body);
        const account = accountOf(request);
        return once(request, reply, { accountId: account.id, content: body }, (use) =>
          add(account, body, use),
        );
      },
    );

    async function add(account: Account, body: z.output<typeof newSubscriber>, use: SendKeyUse | undefined) {
      checkMayMoveCredit(account);
      const wanted = {
        name: readAccountName('name', readLength('name', body.name, subscriberName, 'bad-name')),
        username: readUsername(body.username),
        password: readPassword(body.password, body.username),
        source: await readSource(body.source, 'source', {
          services: { sources, numbers, verifySources: false },
          account,
        }),
        amount: readAmount(body.amount, 'amount'),
        otpPhone: readOtpPhone(body.otp_phone),
      };
      if (wanted.amount < 0) throw new Refusal('bad-amount', 'must not be negative', 'amount');
      const handOn = await sources.handOn(account.id, wanted.source);
      let answer: z.output<typeof subscriberAnswer> | undefined;
      await inOwnWords(() =>
        subscribers.add(account, wanted, handOn, async (tx, id) => {
          const made = await row(account.id, id, tx);
          answer = made;
          await storeSendKey(
            tx,
            account.id,
            use?.answering(() => made),
            undefined,
          );
        }),
      );
      return answer!;
    }

    const suspending = (suspended: boolean) => async (request: FastifyRequest<WithId>) => {
      const account = accountOf(request);
      const { id } = await find(account, request.params.id);
      await accounts.suspendSubscriber(id, suspended);
      return row(account.id, id);
    };
    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      bodiless.post<WithId>(
        '/subscribers/:id/suspend',
        described({
          chapter: 'subscribers',
          id: 'suspendSubscriber',
          title: 'Stop a subscriber from sending',
          description: 'Its messages are refused from now on; what was accepted goes out.',
          pathId: pathOfSubscriber,
          answer: subscriberAnswer,
          refusals: ['not-found'],
        }),
        suspending(true),
      );
      bodiless.post<WithId>(
        '/subscribers/:id/lift',
        described({
          chapter: 'subscribers',
          id: 'liftSubscriber',
          title: 'Let a subscriber send again',
          description: 'As far as it was this account that stopped it, and not the operator.',
          pathId: pathOfSubscriber,
          answer: subscriberAnswer,
          refusals: ['not-found'],
        }),
        suspending(false),
      );
    });
  };

  function readOtpPhone(value: string | undefined): string | undefined {
    if (value === undefined || value === '') return undefined;
    const number = numbers.parse(value);
    if (!number) throw new Refusal('bad-field', 'not a phone number', 'otp_phone');
    return number.digits;
  }
}

function readUsername(value: string): string {
  const username = readLength('username', value, subscriberUsername, 'bad-username');
  if (!isUsername(username)) {
    throw new Refusal('bad-username', 'only English letters, digits and . _ @ -', 'username');
  }
  return username;
}

function readPassword(password: string, username: string): string {
  checkAccountPassword(password, username, { most: subscriberPassword.most });
  return password;
}

function readLength(
  field: string,
  value: string,
  bounds: { readonly least: number; readonly most: number },
  code: RefusalCode,
): string {
  if (isWithin(value, bounds)) return value;
  throw new Refusal(code, `must have ${bounds.least} to ${bounds.most} characters`, field);
}

function show(row: AccountRow): z.output<typeof subscriberAnswer> {
  return {
    id: String(row.id),
    username: row.username,
    name: row.name,
    balance: formatAmount(row.balance),
    suspended: row.suspendedByParent,
    suspended_by_operator: row.suspended,
    created_at: iso(row.createdAt),
  };
}
