import { z } from 'zod';
import {
  ACCOUNT_USERNAME_RULE,
  CREDITS_MOST,
  isAccountUsername,
  isAddressBlock,
  isTimeZone,
} from '../../accounts/account-rules.ts';
import { type Account, type AccountRow, type Accounts, UsernameTaken } from '../../accounts/accounts.ts';
import { CREDIT, formatAmount } from '../../accounts/money.ts';
import { checkAccountPassword } from '../../accounts/password-rules.ts';
import { hashPassword } from '../../accounts/passwords.ts';
import { NotEnoughCredit, type Wallets } from '../../accounts/wallets.ts';
import type { Sources } from '../../audience/sources.ts';
import type { VerifiedPhones } from '../../audience/verified-phones.ts';
import { readSender, SENDER_RULE } from '../../channels/mail/senders.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { displayNumber, type NumberReader } from '../../numbers/numbers.ts';
import { storeSendKey } from '../../send-keys/send-keys.ts';
import { nameProblem } from '../../text/harmless-name.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { amount, cut, done, doneAnswer, idText, iso, isoTime, next, readAmount } from './fields.ts';
import { withBody } from './json-body.ts';

const ROWS_MOST = 500;
const NAME_MOST = 100;
const NOTE_MOST = 200;
const BLOCKS_MOST = 100;

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
const accountAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000003'),
  username: answered(z.string(), 'Its user name.', 'shop'),
  name: answered(z.string(), 'What people call it.', 'The shop'),
  parent: answered(z.string().nullable(), 'The user name of the account that it is a subscriber of.', null),
  balance: answered(z.string(), 'Credits.', '1234.5'),
  suspended: answered(
    z.boolean(),
    'Whether the operator has stopped it, or the account that it is under.',
    false,
  ),
  suspended_by_parent: answered(z.boolean(), 'Whether the account that it is under has stopped it.', false),
  time_zone: answered(
    z.string().nullable(),
    'Its time zone; null: the one of the settings.',
    'Asia/Jerusalem',
  ),
  addresses: answered(z.array(z.string()), 'Where calls may come from; empty: anywhere.', ['192.0.2.0/24']),
  password_weak: answered(
    z.boolean(),
    'Whether it signs in with a password that would be refused as a new one; known after a sign-in with it.',
    false,
  ),
  password_sign_in: answered(
    z.boolean(),
    'Whether `user.password` is taken in requests in the place of a token.',
    false,
  ),
  created_at: isoTime('When it was made'),
});

const name = z
  .string('must be a text')
  .trim()
  .min(1, 'missing')
  .max(NAME_MOST, `over ${NAME_MOST} characters`)
  .refine(
    (text) => nameProblem(text) === undefined,
    'must not have a link, a phone number or control characters',
  )
  .meta({ description: 'What people call it.', examples: ['The shop'] });
const timeZone = z
  .string('must be a text')
  .refine(isTimeZone, 'must be a time zone like Asia/Jerusalem')
  .nullable()
  .optional()
  .meta({ description: 'Its time zone; the one of the settings without it.', examples: ['Asia/Jerusalem'] });
const addresses = z
  .array(
    z.string('must be a text').refine(isAddressBlock, 'must be an address or a block like 192.0.2.0/24'),
    'must be a list',
  )
  .max(BLOCKS_MOST, `more than ${BLOCKS_MOST} entries`)
  .optional()
  .meta({ description: 'Where calls may come from.', examples: [['192.0.2.0/24']] });
const passwordSignIn = z
  .boolean('must be true or false')
  .optional()
  .meta({ description: 'Takes `user.password` in requests.', examples: [false] });
const newAccount = z.object({
  username: z
    .string('must be a text')
    .refine(isAccountUsername, ACCOUNT_USERNAME_RULE)
    .meta({ description: 'Its user name; nobody else may have it.', examples: ['shop'] }),
  name: name.optional(),
  parent: z
    .string('must be a text')
    .optional()
    .meta({ description: 'Makes it a subscriber of the account with this user name.', examples: ['demo'] }),
  password: z
    .string('must be a text')
    .optional()
    .meta({
      description:
        'For `user.password` in requests and mail tokens: 10 to 200 characters, and none of the commonest.',
      examples: ['correct horse'],
    }),
  time_zone: timeZone,
  addresses,
  password_sign_in: passwordSignIn,
});
const changes = z.object({
  name: name.optional(),
  time_zone: timeZone,
  addresses,
  password_sign_in: passwordSignIn,
});
const topUp = z.object({
  amount: amount.meta({ description: 'Credits to add; a negative amount takes them.', examples: ['1000'] }),
  note: z
    .string('must be a text')
    .max(NOTE_MOST, `over ${NOTE_MOST} characters`)
    .default('operator')
    .meta({ description: 'For the ledger.', examples: ['invoice 17'] }),
});
const approval = z.object({
  source: z
    .string('must be a text')
    .refine((text) => readSender(text) !== undefined, SENDER_RULE)
    .meta({
      description: 'A number, a name, or of mails an address or `@` and a domain.',
      examples: ['Shop'],
    }),
  incoming: z
    .boolean('must be true or false')
    .default(false)
    .meta({ description: "Messages to the number are this account's, too.", examples: [false] }),
});
const confirmation = z.object({
  account_id: idText('an account').meta({ description: 'Whose request.', examples: ['1774337460000003'] }),
  phone: z
    .string('must be a text')
    .min(1, 'missing')
    .meta({ description: 'The number.', examples: ['035551234'] }),
});
const waitingAnswer = z.object({
  account_id: answered(z.string(), 'Who asked.', '1774337460000003'),
  username: answered(z.string(), 'Its user name.', 'shop'),
  phone: answered(z.string(), 'The number.', '035551234'),
  landline: answered(z.boolean(), 'Whether no SMS reaches it: a call from it confirms it.', true),
  expires_at: isoTime('Until when'),
});

const pathOfAccount = 'The id of the account.';
type WithId = { Params: { id: string } };

export interface OperatorParts {
  readonly accounts: Accounts;
  readonly wallets: Wallets;
  readonly sources: Sources;
  readonly verifiedPhones: VerifiedPhones;
  readonly numbers: NumberReader;
}

/**
 * Accounts under /v1, for operators, a part of the door (the network is in operator-network.ts, prices in
 * operator-prices.ts):
 * - `GET /operator/accounts?after=&limit=&search=`, `GET /operator/accounts/:id`, `POST /operator/accounts`,
 *   `PATCH /operator/accounts/:id`
 * - `POST /operator/accounts/:id/suspend`, `/lift`, `/top-up`, `/sources`
 * - `GET /operator/verifications`, `POST /operator/verifications/confirm`: numbers whose owners call
 */
export function operatorPart(parts: OperatorParts): V1Part {
  const { accounts, wallets, sources, verifiedPhones, numbers } = parts;

  async function find(text: string): Promise<Account> {
    const found = await accounts.byId(pathId(text, 'account'));
    if (!found) throw new NotFound('no such account');
    return found;
  }

  /** An account, which is there, as it stands in the database. */
  async function row(id: number): Promise<z.output<typeof accountAnswer>> {
    const [found] = await accounts.search({ search: '', after: id - 1, limit: 1 });
    return show(found!);
  }

  async function parentOf(username: string): Promise<Account> {
    const parent = await accounts.byUsername(username);
    if (!parent) throw new Refusal('unknown-user', 'there is no such user name', 'parent');
    if (parent.parentId !== null) throw new Refusal('bad-field', 'is a subscriber itself', 'parent');
    return parent;
  }

  return (app, _accountOf, _callerOf, once) => {
    app.get(
      '/operator/accounts',
      described({
        chapter: 'operator',
        id: 'listAccounts',
        title: 'Accounts',
        description: 'All of them with their balances, in the order in which they were made.',
        query: page,
        answer: z.object({ accounts: z.array(accountAnswer), next }),
      }),
      async (request) => {
        const { after, limit, search } = read(page, request.query);
        const shown = cut(await accounts.search({ search, after, limit: limit + 1 }), limit);
        return { accounts: shown.rows.map(show), next: shown.next };
      },
    );

    app.get<WithId>(
      '/operator/accounts/:id',
      described({
        chapter: 'operator',
        id: 'showAccount',
        title: 'An account',
        description: 'One of them.',
        pathId: pathOfAccount,
        answer: accountAnswer,
        refusals: ['not-found'],
      }),
      async (request) => row((await find(request.params.id)).id),
    );

    app.post(
      '/operator/accounts',
      withBody(
        described({
          chapter: 'operator',
          id: 'createAccount',
          title: 'Make an account',
          description: 'With an empty wallet and without a token.',
          answer: accountAnswer,
          refusals: ['username-taken', 'unknown-user', 'bad-password'],
        }),
        newAccount,
      ),
      async (request) => {
        const given = read(newAccount, request.body);
        const parent = given.parent === undefined ? undefined : await parentOf(given.parent);
        if (given.password !== undefined) checkAccountPassword(given.password, given.username);
        try {
          const { id } = await accounts.create({
            username: given.username,
            name: given.name ?? given.username,
            ...(parent && { parentId: parent.id }),
            ...(given.password !== undefined && { passwordHash: await hashPassword(given.password) }),
            ...(given.time_zone != null && { timeZone: given.time_zone }),
            ...(given.addresses && { addresses: given.addresses }),
            ...(given.password_sign_in !== undefined && { passwordSignIn: given.password_sign_in }),
          });
          addDetails(request, { kind: 'accounts', id: String(id) });
          return await row(id);
        } catch (error) {
          if (error instanceof UsernameTaken) throw new Refusal('username-taken', 'taken', 'username');
          throw error;
        }
      },
    );

    app.patch<WithId>(
      '/operator/accounts/:id',
      withBody(
        described({
          chapter: 'operator',
          id: 'changeAccount',
          title: 'Change an account',
          description: 'What is not given stays.',
          pathId: pathOfAccount,
          answer: accountAnswer,
          refusals: ['not-found'],
        }),
        changes,
      ),
      async (request) => {
        const { id } = await find(request.params.id);
        const given = read(changes, request.body);
        const before = await row(id);
        await accounts.change(id, {
          name: given.name,
          timeZone: given.time_zone,
          addresses: given.addresses,
          passwordSignIn: given.password_sign_in,
        });
        const after = await row(id);
        addDetails(request, { before, after });
        return after;
      },
    );

    app.post<WithId>(
      '/operator/accounts/:id/top-up',
      withBody(
        described({
          chapter: 'operator',
          id: 'topUp',
          title: 'Add credit to a wallet, or take it',
          description: 'A row of the ledger tells of it.',
          pathId: pathOfAccount,
          answer: z.object({ balance: answered(z.string(), 'What the account has now.', '2234.5') }),
          refusals: ['not-found', 'bad-amount', 'over-credit'],
        }),
        topUp,
      ),
      async (request, reply) => {
        const { id } = await find(request.params.id);
        const given = read(topUp, request.body);
        const units = readAmount(given.amount, 'amount');
        if (units === 0) throw new Refusal('bad-amount', 'nothing would change', 'amount');
        if (Math.abs(units) > CREDITS_MOST * CREDIT) {
          throw new Refusal('bad-amount', `at most ${CREDITS_MOST} credits at a time`, 'amount');
        }
        return once(request, reply, { accountId: id, content: given }, async (use) => {
          let answer = { balance: '' };
          const also = async (tx: Queryable) => {
            answer = { balance: formatAmount(await wallets.balance(id, tx)) };
            await storeSendKey(
              tx,
              id,
              use?.answering(() => answer),
              undefined,
            );
          };
          try {
            await wallets.topUp(id, units, given.note, also);
          } catch (error) {
            if (!(error instanceof NotEnoughCredit)) throw error;
            throw new Refusal('over-credit', 'takes more than the account has', 'amount');
          }
          addDetails(request, { after: { amount: formatAmount(units), note: given.note } });
          return answer;
        });
      },
    );

    app.post<WithId>(
      '/operator/accounts/:id/sources',
      withBody(
        described({
          chapter: 'operator',
          id: 'approveSource',
          title: 'Approve a sender',
          description: 'The account may send from it from now on.',
          pathId: pathOfAccount,
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        approval,
      ),
      async (request) => {
        const { id } = await find(request.params.id);
        const { source: given, incoming } = read(approval, request.body);
        const source = readSender(given)!;
        await sources.approve(id, source, { incoming });
        addDetails(request, { after: { source: sources.keyOf(source), incoming } });
        return done;
      },
    );

    app.get(
      '/operator/verifications',
      described({
        chapter: 'operator',
        id: 'listVerifications',
        title: 'Numbers that wait for their verification',
        description: 'Of all accounts, the oldest first.',
        answer: z.object({ verifications: z.array(waitingAnswer) }),
      }),
      async () => ({
        verifications: (await verifiedPhones.waiting()).map((one) => ({
          account_id: String(one.accountId),
          username: one.username,
          phone: displayNumber(one.phone),
          landline: one.landline,
          expires_at: iso(one.expiresAt),
        })),
      }),
    );

    app.post(
      '/operator/verifications/confirm',
      withBody(
        described({
          chapter: 'operator',
          id: 'confirmNumber',
          title: 'Confirm a number',
          description: 'For an account that asked for it, on the word of its owner, whom you called at it.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        confirmation,
      ),
      async (request) => {
        const given = read(confirmation, request.body);
        const phone = numbers.parse(given.phone)?.digits;
        if (phone === undefined) throw new Refusal('bad-field', 'not a phone number', 'phone');
        if (!(await verifiedPhones.confirmPhone(Number(given.account_id), phone))) {
          throw new NotFound('no verification of this number waits');
        }
        addDetails(request, { kind: 'accounts', id: given.account_id, after: { phone } });
        return done;
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      for (const suspended of [true, false]) {
        bodiless.post<WithId>(
          `/operator/accounts/:id/${suspended ? 'suspend' : 'lift'}`,
          described({
            chapter: 'operator',
            id: suspended ? 'suspendAccount' : 'liftAccount',
            title: suspended ? 'Stop an account from sending' : 'Let an account send again',
            description: suspended
              ? 'And its subscribers. What was accepted goes out.'
              : 'And its subscribers, those apart that were stopped themselves.',
            pathId: pathOfAccount,
            answer: accountAnswer,
            refusals: ['not-found'],
          }),
          async (request) => {
            const { id } = await find(request.params.id);
            await accounts.suspend(id, suspended);
            return row(id);
          },
        );
      }
    });
  };
}

function show(row: AccountRow): z.output<typeof accountAnswer> {
  return {
    id: String(row.id),
    username: row.username,
    name: row.name,
    parent: row.parentUsername,
    balance: formatAmount(row.balance),
    suspended: row.suspended,
    suspended_by_parent: row.suspendedByParent,
    time_zone: row.timeZone,
    addresses: [...row.addresses],
    password_sign_in: row.passwordSignIn,
    password_weak: row.passwordWeak,
    created_at: iso(row.createdAt),
  };
}
