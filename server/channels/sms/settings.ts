import { price, setting } from '../../setting.ts';

/** The settings of SMS. */
export const smsSettings = {
  DEFAULT_PART_PRICE: setting(
    price,
    '1',
    'Credits for one part of an SMS to a destination that no row of the price list names.',
  ),
} as const;
