import { z } from 'zod';
import { isPrefix, PRICE_MOST } from '../../accounts/account-rules.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { CREDIT, formatAmount } from '../../accounts/money.ts';
import { EVERYONE, type PriceKey, type PriceRow, type Prices } from '../../accounts/prices.ts';
import { Refusal } from '../../errors.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { amount, done, doneAnswer, idText, next, readAmount } from './fields.ts';
import { withBody } from './json-body.ts';
import { type ChannelName, channelNames } from './message-fields.ts';

const ROWS_MOST = 1_000;
const channelOf = z.enum(channelNames, `must be one of ${channelNames.join(', ')}`);
const channelMeaning =
  '`sms`: of a part; `chat`: of a conversation of 24 hours; `voice`: of a call; `mail`: of a mail, with the empty prefix alone.';
const query = z.object({
  after: z
    .string()
    .regex(/^(\d{1,16}-[a-z]{1,20}-\d{0,15})?$/, 'must be what `next` of the page before says')
    .default('')
    .transform((text): PriceKey | undefined => {
      const [accountId, channel, prefix] = text.split('-');
      return channel === undefined ? undefined : { accountId: Number(accountId), channel, prefix: prefix! };
    })
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  account: z
    .string()
    .regex(/^(\d{1,16}|everyone)$/, 'must be the id of an account, or everyone')
    .transform((text) => (text === 'everyone' ? EVERYONE : Number(text)))
    .optional()
    .describe('Prices of this account alone; `everyone`: those that are nobody’s own.'),
  channel: channelOf.optional().describe('Prices of this channel alone.'),
});
const key = {
  account_id: idText('an account')
    .nullable()
    .default(null)
    .meta({ description: 'Whose price it is; null: everyone’s.', examples: ['1774337460000003'] }),
  channel: channelOf.default('sms').meta({ description: channelMeaning, examples: ['sms'] }),
  prefix: z
    .string('must be a text')
    .refine(isPrefix, 'must be up to 15 digits, without +')
    .meta({
      description: 'What numbers begin with, international digits; empty: every number.',
      examples: ['97252'],
    }),
};
const priceToSet = z.object({
  ...key,
  price: amount.meta({ description: 'Credits.', examples: ['0.25'] }),
});
const priceToRemove = z.object(key);

const priceAnswer = z.object({
  account_id: answered(z.string().nullable(), 'Whose it is; null: everyone’s.', null),
  username: answered(z.string().nullable(), 'The user name of that account.', null),
  channel: answered(z.enum(channelNames), channelMeaning, 'sms'),
  prefix: answered(z.string(), 'What numbers begin with; empty: every number.', '97252'),
  price: answered(z.string(), 'Credits.', '0.25'),
});

/**
 * The price list under /v1, for operators, a part of the door:
 * - `GET /operator/prices?after=&limit=&account=&channel=`
 * - `POST /operator/prices`, `POST /operator/prices/remove`
 */
export function operatorPricesPart(parts: { readonly accounts: Accounts; readonly prices: Prices }): V1Part {
  const { accounts, prices } = parts;

  async function show(row: PriceRow): Promise<z.output<typeof priceAnswer>> {
    const own = row.accountId !== EVERYONE;
    return {
      account_id: own ? String(row.accountId) : null,
      username: own ? ((await accounts.byId(row.accountId))?.username ?? null) : null,
      channel: row.channel as ChannelName,
      prefix: row.prefix,
      price: formatAmount(row.price),
    };
  }

  return (app) => {
    app.get(
      '/operator/prices',
      described({
        chapter: 'operator',
        id: 'listPrices',
        title: 'Price list',
        description:
          "Everyone's prices first, then those of accounts. An account's own come before everyone's, then the longest prefix wins; what no row names has the default of its channel.",
        query,
        answer: z.object({
          prices: z.array(priceAnswer),
          defaults: answered(z.record(z.string(), z.string()), 'By channel.', { sms: '1', chat: '1' }),
          next,
        }),
      }),
      async (request) => {
        const { after, limit, account, channel } = read(query, request.query);
        const found = await prices.list({ accountId: account, channel, after, limit: limit + 1 });
        const rows = found.slice(0, limit);
        const last = found.length > limit ? rows.at(-1)! : undefined;
        return {
          prices: await Promise.all(rows.map(show)),
          defaults: Object.fromEntries(
            [...prices.defaults].map(([name, price]) => [name, formatAmount(price)]),
          ),
          next: last ? `${last.accountId}-${last.channel}-${last.prefix}` : null,
        };
      },
    );

    app.post(
      '/operator/prices',
      withBody(
        described({
          chapter: 'operator',
          id: 'setPrice',
          title: 'Set a price',
          description: 'In force within five seconds, for what is accepted from then on.',
          answer: priceAnswer,
          refusals: ['bad-amount', 'not-found'],
        }),
        priceToSet,
      ),
      async (request) => {
        const given = read(priceToSet, request.body);
        const price = readAmount(given.price, 'price');
        if (price < 0 || price > PRICE_MOST * CREDIT) {
          throw new Refusal('bad-amount', `must be 0 to ${PRICE_MOST}`, 'price');
        }
        const { channel, prefix } = given;
        const id = given.account_id === null ? null : Number(given.account_id);
        if (id !== null && !(await accounts.byId(id))) throw new NotFound('no such account');
        const accountId = id ?? EVERYONE;
        await prices.set(accountId, channel, prefix, formatAmount(price));
        addDetails(request, {
          after: { account_id: given.account_id, channel, prefix, price: formatAmount(price) },
        });
        return show({ accountId, channel, prefix, price });
      },
    );

    app.post(
      '/operator/prices/remove',
      withBody(
        described({
          chapter: 'operator',
          id: 'removePrice',
          title: 'Take a price off the list',
          description: 'The next shorter prefix, or the default, is in force within five seconds.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        priceToRemove,
      ),
      async (request) => {
        const { account_id: id, channel, prefix } = read(priceToRemove, request.body);
        const accountId = id === null ? EVERYONE : Number(id);
        if (!(await prices.remove({ accountId, channel, prefix }))) {
          throw new NotFound('no such price');
        }
        addDetails(request, { before: { account_id: id, channel, prefix } });
        return done;
      },
    );
  };
}
