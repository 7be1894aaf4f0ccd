import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import type { Caller } from '../../../api/v1/caller.ts';
import { field, flag, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { MAX_GIVEN_SOURCE, MAX_MESSAGE, type SendContext } from '../../../engine/messages/send-request.ts';
import { readPhone } from '../../../kit/numbers/read-phone.ts';
import type { CoreContext } from '../../../run/services.ts';
import { formatAmount } from '../../accounts/money.ts';
import { APP, codeRefusals, DEFAULT_MINUTES, readCodeRequest, TRIES } from '../code-request.ts';
import { MAX_MINUTES } from '../codes.ts';

/* One-time codes, by the rules of `send_otp` and `validate_otp` of the SMS API (interface, B4 and B5). */

const phone = field(storable(50), 'Number in any spelling.', '0501234567');
const appId = field(
  whole(0, APP.max).default(APP.default),
  'Id of your application, to separate the codes of several applications.',
  APP.default,
);
const codeBody = z.object({
  phone,
  source: field(storable(MAX_GIVEN_SOURCE), 'Sender, as in `POST /v1/sms`.', 'Shop'),
  text: field(
    storable(MAX_MESSAGE).nullable().default(null),
    'Text, with `[code]` in place of the code; default: a text of the service.',
    'Your code for Shop is [code]',
  ),
  minutes: field(whole(1, MAX_MINUTES).default(DEFAULT_MINUTES), 'Validity in minutes.', DEFAULT_MINUTES),
  tries: field(
    whole(TRIES.min, TRIES.max).default(TRIES.default),
    'Maximum number of attempts to validate the code.',
    TRIES.default,
  ),
  app_id: appId,
  includes_international: field(
    flag.default(false),
    'Whether numbers of other countries are allowed.',
    false,
  ),
});
const estimateAnswer = z.object({
  text: out.text('Text, with 123456 in place of the code.', 'Your code for Shop is 123456'),
  parts: out.count('Number of parts of the text.', 1),
  cost: out.text('Price in credits.', '1'),
  balance: out.text('Balance of the account in credits.', '1200'),
  enough: out.flag('Whether the balance is sufficient.', true),
});
const checkBody = z.object({
  phone,
  code: field(storable(6).regex(/^\d{6}$/, 'must be 6 digits'), 'Code that the person entered.', '482913'),
  app_id: appId,
});
const checkAnswer = z.object({
  verified: out.flag(
    'False for a code that is wrong, used, expired, replaced or blocked after too many attempts.',
    false,
  ),
});

interface CodesDeps extends Pick<CoreContext, 'oneTimeCodes' | 'numbers' | 'wallets'> {
  readonly sending: SendContext['services'];
}

const route = resource<CodesDeps>('codes');

/** Routes that send and verify one-time codes. */
export const codeRoutes = [
  route('POST /v1/otp', {
    access: withoutProof(sends(changes('sender', 'codes'))),
    operationId: 'sendCode',
    title: 'Send a one-time code',
    description:
      'Sends six digits by SMS, before all other messages. A new code for the same account, `app_id` and phone replaces the previous one. The response does not contain the code. Sends are limited for each phone and each account, and refused with `not-now` when they look like traffic pumping.',
    refusals: codeRefusals,
    body: codeBody,
    status: 202,
    handler: async ({ accountId, caller, body, once }, { oneTimeCodes, sending }) => {
      const request = await requestOf(accountId, caller, body, sending);
      return once(async (use) => {
        const done = () => ({ done: true as const });
        await oneTimeCodes.send(request, use?.answering(done));
        return done();
      });
    },
  }),
  route('POST /v1/otp/estimate', {
    access: dailyWork(reads('sender', 'codes')),
    operationId: 'estimateCode',
    title: 'Estimate a one-time code',
    description:
      'Returns the text, its parts and its price. Refused in the same cases as `POST /v1/otp`, limits included. Sends nothing.',
    refusals: codeRefusals.filter((code) => code !== 'no-credit'),
    body: codeBody,
    answer: estimateAnswer,
    handler: async ({ accountId, caller, body }, { oneTimeCodes, sending, wallets }) => {
      const request = await requestOf(accountId, caller, body, sending);
      const [{ text, parts, cost }, balance] = await Promise.all([
        oneTimeCodes.estimate(request),
        wallets.balance(accountId),
      ]);
      return {
        text,
        parts,
        cost: formatAmount(cost),
        balance: formatAmount(balance),
        enough: balance >= cost,
      };
    },
  }),
  route('POST /v1/otp/check', {
    access: dailyWork(changes('sender', 'codes')),
    operationId: 'checkCode',
    title: 'Check a one-time code',
    description: 'Returns `verified` once for the correct code. Each wrong attempt is counted.',
    refusals: ['bad-destination'],
    body: checkBody,
    answer: checkAnswer,
    handler: async ({ accountId, body }, { oneTimeCodes, ...services }) => {
      const { digits } = readPhone(body.phone, 'phone', { services }, true);
      const owner = { accountId, appId: body.app_id, phone: digits };
      return { verified: await oneTimeCodes.verify(owner, body.code) };
    },
  }),
];

function requestOf(
  accountId: number,
  { account, own }: Caller,
  body: z.output<typeof codeBody>,
  services: SendContext['services'],
) {
  const context: SendContext = { services, account: account!, caller: own ?? account! };
  return readCodeRequest(context, {
    accountId,
    appId: body.app_id,
    phone: body.phone,
    source: body.source,
    text: body.text ?? undefined,
    tries: body.tries,
    minutes: body.minutes,
    international: body.includes_international,
  });
}
