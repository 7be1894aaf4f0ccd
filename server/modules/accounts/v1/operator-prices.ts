import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { because } from '../../../api/schema-problems.ts';
import {
  amount,
  field,
  idText,
  next,
  notFound,
  oneOf,
  pageLimit,
  pageOf,
  readAmount,
  readPage,
  text,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { type ChannelName, channelNames } from '../../../engine/messages/v1/fields.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { isPrefix, MAX_PRICE } from '../account-rules.ts';
import { CREDIT, formatAmount } from '../money.ts';
import { EVERYONE, type PriceKey, type PriceRow } from '../prices.ts';

const MAX_ROWS = 1_000;
const channelOf = oneOf(channelNames);
const channelMeaning =
  'Channel of the price: `sms` for a part; `chat` for a conversation of 24 hours; `voice` for a call; `mail` for an email, only with the empty prefix.';
const query = z.object({
  after: z
    .string()
    .regex(/^(\d{1,16}-[a-z]{1,20}-\d{0,15})?$/, 'must be what `next` of the page before says')
    .default('')
    .transform((text): PriceKey | undefined => {
      const [accountId, channel, prefix] = text.split('-');
      return channel === undefined ? undefined : { accountId: Number(accountId), channel, prefix: prefix! };
    })
    .describe('`next` of the previous page.'),
  limit: pageLimit(MAX_ROWS),
  account: z
    .string()
    .regex(/^(\d{1,16}|everyone)$/, 'must be the id of an account, or everyone')
    .transform((text) => (text === 'everyone' ? EVERYONE : Number(text)))
    .optional()
    .describe('Filters by account; `everyone`: prices without an account.'),
  channel: channelOf.optional().describe('Filters by channel.'),
});
const key = {
  account_id: field(
    idText('an account').nullable().default(null),
    'Account of the price; null: all accounts.',
    '1774337460000003',
  ),
  channel: field(channelOf.default('sms'), channelMeaning, 'sms'),
  prefix: field(
    text.refine(isPrefix, because('must be up to 15 digits, without +', 'not-a-prefix')),
    'Prefix of the numbers, international digits; empty matches every number.',
    '97252',
  ),
};
const refundMeaning =
  'Whether messages with status 105, for which the carrier never responded, are refunded. Such a message may have arrived.';
const priceToSet = z.object({
  ...key,
  price: field(amount, 'Credits.', '0.25'),
  refund_unanswered: field(
    z.boolean().optional(),
    `${refundMeaning} Default: the present value of an existing price, false for a new one.`,
    false,
  ),
});
const priceToRemove = z.object(key);

const priceAnswer = z.object({
  account_id: out.maybeText('Account of the price; null: all accounts.', null),
  username: out.maybeText('User name of the account.', null),
  channel: out.oneOf(channelNames, channelMeaning, 'sms'),
  prefix: out.text('Prefix of the numbers. Empty matches every number.', '97252'),
  price: out.credits('Credits.', '0.25'),
  refund_unanswered: out.flag(refundMeaning, false),
});

type OperatorPricesDeps = Pick<CoreContext, 'accounts' | 'prices'>;

const route = resource<OperatorPricesDeps>('operator');

/** The price list, for operators. */
export const operatorPriceRoutes = [
  route('GET /v1/operator/prices', {
    access: operatorReads,
    operationId: 'listPrices',
    title: 'List prices',
    description:
      'Lists the prices, those for all accounts first. A price of the account takes precedence over one for all accounts, then the longest prefix decides; other destinations have the default of their channel.',
    query,
    answer: z.object({
      prices: z.array(priceAnswer),
      defaults: answered(z.record(z.string(), z.string()), 'Default prices by channel.', {
        sms: '1',
        chat: '1',
      }),
      next,
    }),
    handler: async ({ query: { after, limit, account: accountId, channel } }, deps) => {
      const { prices } = deps;
      const page = await pageOf(
        'prices',
        (row) => show(deps, row),
        readPage(
          limit,
          (most) => prices.list({ accountId, channel, after, limit: most }),
          (last) => `${last.accountId}-${last.channel}-${last.prefix}`,
        ),
      );
      const defaults = [...prices.defaults].map(([name, price]) => [name, formatAmount(price)]);
      return { ...page, defaults: Object.fromEntries(defaults) };
    },
  }),
  route('POST /v1/operator/prices', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'setPrice',
    title: 'Set a price',
    description: 'Sets a price. It applies within five seconds to newly accepted messages.',
    refusals: ['bad-amount', 'not-found'],
    body: priceToSet,
    answer: priceAnswer,
    handler: async ({ body: given, audit }, deps) => {
      const price = readAmount(given.price, 'price');
      if (price < 0 || price > MAX_PRICE * CREDIT) {
        throw new Refusal('bad-amount', `must be 0 to ${MAX_PRICE}`, 'price');
      }
      const { channel, prefix } = given;
      const id = given.account_id === null ? null : Number(given.account_id);
      if (id !== null && !(await deps.accounts.byId(id))) throw notFound('account');
      const accountId = id ?? EVERYONE;
      const amount = formatAmount(price);
      const refundUnanswered = await deps.prices.set(
        accountId,
        channel,
        prefix,
        amount,
        given.refund_unanswered,
      );
      const after = { account_id: given.account_id, channel, prefix, price: amount };
      audit({ after: { ...after, refund_unanswered: refundUnanswered } });
      return show(deps, { accountId, channel, prefix, price, refundUnanswered });
    },
  }),
  route('POST /v1/operator/prices/remove', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'removePrice',
    title: 'Delete a price',
    description: 'Deletes a price. The next shorter prefix, or the default, applies within five seconds.',
    refusals: ['not-found'],
    body: priceToRemove,
    handler: async ({ body: { account_id: id, channel, prefix }, audit }, { prices }) => {
      const accountId = id === null ? EVERYONE : Number(id);
      if (!(await prices.remove({ accountId, channel, prefix }))) throw notFound('price');
      audit({ before: { account_id: id, channel, prefix } });
    },
  }),
];

const showPrice = serializer(priceAnswer);

async function show({ accounts }: OperatorPricesDeps, row: PriceRow): Promise<z.output<typeof priceAnswer>> {
  const own = row.accountId !== EVERYONE;
  return showPrice({
    ...row,
    refund_unanswered: row.refundUnanswered,
    account_id: own ? String(row.accountId) : null,
    username: own ? ((await accounts.byId(row.accountId))?.username ?? null) : null,
    channel: row.channel as ChannelName,
  });
}
