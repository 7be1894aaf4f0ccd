import { z } from 'zod';
import { formatAmount } from '../../accounts/money.ts';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import type { Caller } from '../../interfaces/v1/caller.ts';
import { field, flag, whole } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { storable } from '../../interfaces/v1/kit/text-fields.ts';
import { MAX_GIVEN_SOURCE, MAX_MESSAGE, type SendContext } from '../../messages/send-request.ts';
import { readPhone } from '../../numbers/read-phone.ts';
import { APP, codeRefusals, DEFAULT_MINUTES, readCodeRequest, TRIES } from '../../otp/code-request.ts';
import { MAX_MINUTES } from '../../otp/codes.ts';

/* One-time codes, by the rules of `send_otp` and `validate_otp` of the SMS family (interface, B4 and B5). */

const phone = field(storable(50), 'A number in any spelling.', '0501234567');
const appId = field(
  whole(0, APP.max).default(APP.default),
  'Keeps the codes of your applications apart.',
  APP.default,
);
const codeBody = z.object({
  phone,
  source: field(storable(MAX_GIVEN_SOURCE), 'The sender, as in `POST /v1/sms`.', 'Shop'),
  text: field(
    storable(MAX_MESSAGE).nullable().default(null),
    'The text, with `[code]` where the code goes; a text of the service without it.',
    'Your code for Shop is [code]',
  ),
  minutes: field(whole(1, MAX_MINUTES).default(DEFAULT_MINUTES), 'How long it is valid.', DEFAULT_MINUTES),
  tries: field(
    whole(TRIES.min, TRIES.max).default(TRIES.default),
    'How often it may be guessed at.',
    TRIES.default,
  ),
  app_id: appId,
  includes_international: field(flag.default(false), 'Whether the number may be of another country.', false),
});
const estimateAnswer = z.object({
  text: out.text('The text, with 123456 for the code.', 'Your code for Shop is 123456'),
  parts: out.count('Parts of its text.', 1),
  cost: out.text('Credits that it costs.', '1'),
  balance: out.text('Credits of the account.', '1200'),
  enough: out.flag('Whether these are enough.', true),
});
const checkBody = z.object({
  phone,
  code: field(storable(6).regex(/^\d{6}$/, 'must be 6 digits'), 'What the person typed.', '482913'),
  app_id: appId,
});
const checkAnswer = z.object({
  verified: out.flag(
    'False for a code that is wrong, used, expired, replaced or guessed at too often.',
    false,
  ),
});

interface CodesDeps extends Pick<CoreContext, 'oneTimeCodes' | 'numbers' | 'wallets'> {
  readonly sending: SendContext['services'];
}

const route = resource<CodesDeps>('codes');

/** Sends and checks one-time codes. */
export const codeRoutes = [
  route('POST /v1/otp', {
    operationId: 'sendCode',
    title: 'Send a one-time code',
    description:
      'Sends six digits by SMS, ahead of everything else. A new code for the same account, `app_id` and phone replaces the one before. The code is in no answer. Sends are limited for each phone and each account, and stopped when they look like traffic pumping: `not-now`.',
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
    operationId: 'estimateCode',
    title: 'Estimate a one-time code',
    description:
      'The text, its parts, and what it would cost. It is refused as `POST /v1/otp` would be, limits included. Nothing is sent.',
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
    operationId: 'checkCode',
    title: 'Check a one-time code',
    description: 'Answers `verified` once for the right code. Each wrong one is counted.',
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
