import { MAX_MESSAGE } from '../../../engine/messages/send-request.ts';
import {
  APP,
  codeRefusals,
  DEFAULT_MINUTES,
  readCodeRequest,
  TRIES,
} from '../../../modules/otp/code-request.ts';
import { MAX_MINUTES } from '../../../modules/otp/codes.ts';
import { programs, sends } from '../../access/rules.ts';
import { accepted, answerOf } from '../about.ts';
import { includesInternational, sendKey, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { message } from '../sending.ts';
import { element, optionalText, optionalWhole, text } from '../wire/fields.ts';

export const appId = optionalWhole({ min: 0, max: APP.max }).meta({
  description: 'Id of your application, to separate the codes of several applications.',
  default: APP.default,
});

/** Sends a one-time code (interface, B4). */
export const sendOtp = operation({
  roots: ['send_otp'],
  access: sends(programs('codes')),
  chapter: 'codes',
  title: 'Send a one-time code',
  description:
    'Sends six digits by SMS, before all other messages. A new code for the same account, `app_id` and phone replaces the previous one. The response does not contain the code. Sends are limited for each phone and each account, and stopped with status 5 when they look like traffic pumping.',
  example: { phone: '0501234567', source: 'Shop', valid_time: 10, text: 'Your code for Shop is [code]' },
  answer: answerOf({}, { message: 'code will be sent' }),
  refusals: codeRefusals,
  schema: element({
    user,
    send_key: sendKey,
    phone: text.describe('Recipient: `05xxxxxxxx`, `5xxxxxxxx` or international.'),
    source: message.source,
    app_id: appId,
    max_tries: optionalWhole({ min: TRIES.min, max: TRIES.max }).meta({
      description: 'Maximum number of attempts to validate the code.',
      default: TRIES.default,
    }),
    valid_time: optionalWhole({ min: 1, max: MAX_MINUTES }).meta({
      description: 'Validity of the code in minutes.',
      default: DEFAULT_MINUTES,
    }),
    text: optionalText.meta({
      description: 'Text, with `[code]` in place of the code; default: a text of the service.',
      maxLength: MAX_MESSAGE,
    }),
    includes_international: includesInternational,
  }),
  async run(input, call) {
    const { oneTimeCodes } = call.services;
    const request = await readCodeRequest(call, {
      accountId: call.account.id,
      appId: input.app_id ?? APP.default,
      phone: input.phone,
      source: input.source,
      text: input.text,
      tries: input.max_tries ?? TRIES.default,
      minutes: input.valid_time ?? DEFAULT_MINUTES,
      international: input.includes_international === 1,
    });
    const answer = accepted({}, 'code will be sent');
    if (call.dryRun) await oneTimeCodes.check(request);
    else
      await oneTimeCodes.send(
        request,
        call.sendKey?.answering(() => answer),
      );
    return answer;
  },
});
