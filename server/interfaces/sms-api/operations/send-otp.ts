import { Refusal } from '../../../errors.ts';
import { MAX_MESSAGE, readMessage, readSource } from '../../../messages/send-request.ts';
import { readPhone } from '../../../numbers/read-phone.ts';
import { MAX_MINUTES, PLACEHOLDER } from '../../../otp/codes.ts';
import { accepted, answerOf } from '../about.ts';
import { includesInternational, sendKey, user } from '../fields.ts';
import { operation } from '../operation.ts';
import { message } from '../sending.ts';
import { element, optionalText, optionalWhole, text } from '../wire/fields.ts';

/** Applications of an account are told apart by a number that the caller chooses. */
export const DEFAULT_APP = 1;
export const appId = optionalWhole({ min: 0, max: 2 ** 31 - 1 }).meta({
  description: 'Keeps the codes of your applications apart.',
  default: DEFAULT_APP,
});

const DEFAULT_TRIES = 3;
const DEFAULT_MINUTES = 5;

/** Sends a one-time code (interface, B4). */
export const sendOtp = operation({
  roots: ['send_otp'],
  chapter: 'codes',
  title: 'Send a one-time code',
  description:
    'Sends six digits by SMS, ahead of everything else. A new code for the same account, `app_id` and phone replaces the one before. The code is in no answer. Sends are limited for each phone and each account, and stopped when they look like traffic pumping: 5.',
  example: { phone: '0501234567', source: 'Shop', valid_time: 10, text: 'Your code for Shop is [code]' },
  answer: answerOf({}, { message: 'code will be sent' }),
  refusals: [
    'no-credit',
    'not-now',
    'all-blocked',
    'bad-destination',
    'source-not-verified',
    'bad-message',
    'bad-source',
  ],
  schema: element({
    user,
    send_key: sendKey,
    phone: text.describe('Where to: `05xxxxxxxx`, `5xxxxxxxx` or international.'),
    source: message.source,
    app_id: appId,
    max_tries: optionalWhole({ min: 3, max: 5 }).meta({
      description: 'How often it may be guessed at.',
      default: DEFAULT_TRIES,
    }),
    valid_time: optionalWhole({ min: 1, max: MAX_MINUTES }).meta({
      description: 'Minutes that it is good for.',
      default: DEFAULT_MINUTES,
    }),
    text: optionalText.meta({
      description: 'The text, with `[code]` where the code goes; a text of the service without it.',
      maxLength: MAX_MESSAGE,
    }),
    includes_international: includesInternational,
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
      throw new Refusal('bad-field', `must contain ${PLACEHOLDER}`, 'text');
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
