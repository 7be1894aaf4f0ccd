import { defineTables } from '../../database/define-tables.ts';

/** Tables of login throttle. */
export const loginThrottleTables = defineTables({
  sign_in_attempts: {
    placement: 'coordinator',
    personalData: { none: 'signs people of the console in, and forgets within a day' },
  },
  known_sign_ins: {
    placement: 'coordinator',
    personalData: { none: 'signs people of the console in, and forgets within a day' },
  },
});
