import { z } from 'zod';
import { reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { queryText } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { formatAmount } from '../money.ts';

const MAX_PHONE = 50;

const pricesQuery = z.object({
  phone: queryText(MAX_PHONE)
    .optional()
    .describe(
      'Phone number whose prices are returned, in any spelling. Default: any number of the home country.',
    ),
});
const pricesAnswer = z.object({
  sms: out.credits('Price of each part of an SMS or of a one-time code.', '1'),
  chat: out.credits('Price of a conversation of 24 hours.', '0.4'),
  voice: out.credits('Price of an answered call.', '2'),
  mail: out.credits('Price of an email. It does not depend on the phone number.', '0.1'),
});

type PricesDeps = Pick<CoreContext, 'prices' | 'numbers'>;

const route = resource<PricesDeps>('account');

/** The prices that the account pays. */
export const priceRoutes = [
  route('GET /v1/prices', {
    access: reads('viewer', 'billing', 'send', 'read'),
    operationId: 'showPrices',
    title: 'Show prices',
    description: 'Returns what the account pays for a message of each channel.',
    query: pricesQuery,
    answer: pricesAnswer,
    handler: async ({ accountId, query: { phone } }, { prices, numbers }) => {
      const digits = phone === undefined ? numbers.homeCode : numbers.parse(phone)?.digits;
      if (digits === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
      const priceTo = async (channel: string, to: string) =>
        formatAmount((await prices.of(accountId, channel))(to));
      const [sms, chat, voice, mail] = await Promise.all([
        priceTo('sms', digits),
        priceTo('chat', digits),
        priceTo('voice', digits),
        priceTo('mail', ''),
      ]);
      return { sms, chat, voice, mail };
    },
  }),
];
