import { Refusal } from '../../../errors.ts';
import { MOST_MINUTES, PLACEHOLDER } from '../../../otp/codes.ts';
import { readPhone, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { readMessage, readSource } from '../sending.ts';
import { done } from '../status-codes.ts';
import { element, givenText, optionalText, optionalWhole, text } from '../wire/fields.ts';

/** Applications of an account are told apart by a number that the caller chooses. */
export const appId = optionalWhole({ min: 0, max: 2 ** 31 - 1 });
export const DEFAULT_APP = 1;

const DEFAULT_TRIES = 3;
const DEFAULT_MINUTES = 5;

/** Sends a one-time code (interface, B4). */
export const sendOtp = operation({
  roots: ['send_otp'],
  schema: element({
    user,
    phone: text,
    source: givenText,
    app_id: appId,
    max_tries: optionalWhole({ min: 3, max: 5 }),
    valid_time: optionalWhole({ min: 1, max: MOST_MINUTES }),
    text: optionalText,
    includes_international: optionalWhole(),
  }),
  async run(input, call) {
    if (call.account.suspended || call.caller.suspended) {
      throw new Refusal('not-now', 'the account is suspended');
    }
    const { oneTimeCodes } = call.services;
    const phone = readPhone(input.phone, 'phone', call, input.includes_international === 1);
    const source = await readSource(input.source, 'source', call);
    const words = input.text === undefined ? undefined : readMessage(input.text, 'text');
    if (words?.includes(PLACEHOLDER) === false) {
      throw new Refusal('bad-field', `text: must contain ${PLACEHOLDER}`);
    }
    const request = {
      accountId: call.account.id,
      appId: input.app_id ?? DEFAULT_APP,
      phone: phone.digits,
      source,
      text: words,
      tries: input.max_tries ?? DEFAULT_TRIES,
      minutes: input.valid_time ?? DEFAULT_MINUTES,
    };
    if (call.dryRun) await oneTimeCodes.check(request);
    else await oneTimeCodes.send(request);
    return { status: done.accepted, message: 'code will be sent' };
  },
});
