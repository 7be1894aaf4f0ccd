import { price, setting } from '../../kit/setting.ts';

/** The settings of SMS. */
export const smsSettings = {
  DEFAULT_PART_PRICE: setting(
    price,
    '1',
    'Price of one part of an SMS in credits, for destinations without a price in the price list.',
  ),
} as const;
