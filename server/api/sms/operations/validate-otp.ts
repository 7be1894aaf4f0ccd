import { badField, Refusal } from '../../../kit/errors.ts';
import { readPhone } from '../../../kit/numbers/read-phone.ts';
import { APP } from '../../../modules/otp/code-request.ts';
import { programs } from '../../access/rules.ts';
import { accepted, answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, text } from '../wire/fields.ts';
import { appId } from './send-otp.ts';

/**
 * Verifies a one-time code (interface, B5). A dry run never checks the code: it must not change the number of attempts,
 * and an uncounted response would be a free guess. It answers 12, so that a program that calls `/api/test` by mistake
 * does not let everybody in.
 */
export const validateOtp = operation({
  roots: ['validate_otp'],
  access: programs('codes'),
  chapter: 'codes',
  title: 'Check a one-time code',
  description:
    'Returns 0 once for the correct code, and 12 for a code that is wrong, used, expired, replaced or blocked after too many attempts. `/api/test` checks no code and returns 12.',
  example: { phone: '0501234567', code: '482913' },
  answer: answerOf({}, { message: 'the code is verified' }),
  refusals: ['bad-destination', 'not-verified'],
  schema: element({
    user,
    phone: text.describe('Phone number from the request of `send_otp`, in any spelling.'),
    app_id: appId,
    code: text.meta({ description: 'Code that the person entered.', pattern: '^\\d{6}$' }),
  }),
  async run(input, call) {
    const phone = readPhone(input.phone, 'phone', call, true);
    if (!/^\d{6}$/.test(input.code)) throw badField('code', 'must be 6 digits', 'wrong-format');
    const owner = {
      accountId: call.account.id,
      appId: input.app_id ?? APP.default,
      phone: phone.digits,
    };
    if (call.dryRun || !(await call.services.oneTimeCodes.verify(owner, input.code))) {
      throw new Refusal('not-verified', 'the code is not verified');
    }
    return accepted({}, 'the code is verified');
  },
});
