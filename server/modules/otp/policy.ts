import type { Config } from '../../kit/config.ts';
import { parseAmount } from '../accounts/money.ts';
import type { Policy } from './reservations.ts';

/** Returns the limits and, if enabled, the fraud guard of the settings. */
export function policyOf(config: Config, fraudGuard: boolean): Policy {
  return {
    limits: { perPhoneHour: config.OTP_PER_PHONE_HOUR, perAccountMinute: config.OTP_PER_ACCOUNT_MINUTE },
    fraudGuard: fraudGuard
      ? {
          maxSpend: parseAmount(config.OTP_DAY_SPENDING),
          neighbours: config.OTP_NEIGHBOURS,
          judged: config.OTP_PREFIX_CODES,
          leastPercent: config.OTP_PREFIX_USED,
        }
      : undefined,
  };
}
