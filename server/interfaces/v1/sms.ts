import { z } from 'zod';
import { formatAmount } from '../../accounts/money.ts';
import type { Wallets } from '../../accounts/wallets.ts';
import type { VoiceRoom } from '../../channels/voice/room.ts';
import type { RefusalCode } from '../../errors.ts';
import type { Acceptor } from '../../messages/accept.ts';
import { callWish, REPEAT, REPEAT_MOST, readCall } from '../../messages/call-request.ts';
import { callTypes } from '../../messages/calls.ts';
import { type EstimatorParts, estimateSend } from '../../messages/estimate.ts';
import {
  CAMPAIGN_NAME_MOST,
  checkMaySend,
  EXTERNAL_ID_MOST,
  GIVEN_SOURCE_MOST,
  LISTS_MOST,
  MESSAGE_MOST,
  PHONES_MOST,
  readCampaignName,
  readDestinations,
  readLists,
  readRecentDays,
  readSend,
  readSource,
  readWords,
  type SendContext,
  type SendNames,
  TAG_MOST,
} from '../../messages/send-request.ts';
import { longArray } from '../bodies/long-list.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import type { Caller } from './caller.ts';
import { readLong, type V1Part } from './door.ts';
import { iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';
import { futureTime, storable, timeOf } from './sending-fields.ts';
import { speechFields } from './speech.ts';

/** As in the SMS family (decisions, "Size"). */
const BODY_MOST = 10 * 1024 * 1024;

const phone = z.union([
  storable(50),
  z.object({ phone: storable(50), id: storable(EXTERNAL_ID_MOST).optional() }),
]);

const { kosher, both, callOnly } = callTypes;
const tts = z
  .object({
    type: z.literal([kosher, both, callOnly], `must be ${kosher}, ${both} or ${callOnly}`).meta({
      description:
        '`2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone.',
      examples: [both],
    }),
    ...speechFields,
    repeat: z
      .int('must be a whole number')
      .min(1, 'must be 1 or more')
      .max(REPEAT_MOST, `must be ${REPEAT_MOST} or less`)
      .default(REPEAT)
      .meta({ description: 'How often it is said.', examples: [REPEAT] }),
  })
  .nullable()
  .default(null)
  .meta({
    description:
      'Reads the text aloud on the telephone: each call is a message of its own, with its own price and status. Links, the tag and how to be removed are not read; codes, phone numbers and dates are said digit by digit.',
    examples: [null],
  });

const textFields = {
  message: storable(MESSAGE_MOST).meta({ description: 'The text.', examples: ['Spring is here: [link-1]'] }),
  links: z
    .array(
      z.object({
        id: storable(50).meta({ description: 'What the message has in `[link-<id>]`.', examples: ['1'] }),
        url: storable(2_000).meta({
          description: 'Where it leads.',
          examples: ['https://example.com/spring'],
        }),
      }),
    )
    .max(20)
    .default([])
    .meta({
      description: 'Links that are shortened, and whose clicks are counted.',
      examples: [[{ id: '1', url: 'https://example.com/spring' }]],
    }),
  tag: storable(TAG_MOST).optional().meta({
    description: 'Goes in front for programs that read codes: `#` makes `<#>` and a space.',
    examples: [],
  }),
  dynamic: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]` become the fields of the contact. Takes one contact list and no phones.',
      examples: [false],
    }),
  removal: z
    .enum(['link', 'reply'])
    .nullable()
    .default(null)
    .meta({
      description: 'What is added to be removed by: a link, or the words to reply.',
      examples: ['link'],
    }),
  tts,
};

const recipientFields = {
  phones: longArray(z.array(phone).max(PHONES_MOST, `over ${PHONES_MOST} numbers, use several requests`))
    .default([])
    .meta({
      description:
        'Numbers in any spelling, each sent to once; or objects with `phone` and your own `id`, to find the message by.',
      examples: [['0501234567', { phone: '0521234567', id: 'order-17' }]],
    }),
  lists: z
    .array(storable(20))
    .max(LISTS_MOST, `over ${LISTS_MOST} contact lists`)
    .default([])
    .meta({
      description: 'Contact lists, by their ids.',
      examples: [[]],
    }),
  includes_international: z
    .boolean()
    .default(false)
    .meta({
      description: 'Whether numbers of other countries may be among them.',
      examples: [false],
    }),
  recent_days: z
    .int()
    .nullable()
    .default(null)
    .meta({
      description: '1 to 14: leaves out who got a message of the account in the last that many days.',
      examples: [null],
    }),
  at: futureTime('When to send; now when it is absent or past'),
};

const body = z.object({
  source: storable(GIVEN_SOURCE_MOST).meta({
    description:
      'The sender: a verified number of the account in any spelling, or an approved name of at most 11 characters.',
    examples: ['Shop'],
  }),
  ...textFields,
  ...recipientFields,
  campaign_name: storable(CAMPAIGN_NAME_MOST)
    .optional()
    .meta({ description: 'Stands in reports and is searched for.', examples: ['Spring'] }),
});

const estimateBody = z.object({ ...textFields, ...recipientFields });

const sentAnswer = z.object({
  shipment_id: answered(z.string(), 'The shipment.', '1774337460000001'),
});

const estimateAnswer = z.object({
  text: answered(
    z.string(),
    'As a recipient without dynamic fields gets it, with links as long as they will be.',
    'Spring is here: https://example.com/l/xxxxxxx',
  ),
  encoding: answered(z.enum(['gsm7', 'ucs2']), 'The alphabet: `ucs2` for all but Latin letters.', 'gsm7'),
  parts: answered(z.int(), 'Parts of that text.', 1),
  units: answered(z.int(), 'How much of the alphabet it takes: letters, some count twice.', 45),
  units_left: answered(z.int(), 'How many more there is room for in as many parts.', 115),
  part_price: answered(z.string(), 'Credits of one part to the first of the phones.', '0.25'),
  recipients: answered(z.int(), 'Who gets it, contacts of lists as far as known.', 2),
  blocked: answered(z.int(), 'Phones that are on the blacklist.', 0),
  recent: answered(z.int(), 'Phones that are left out by `recent_days`.', 0),
  cost: answered(z.string(), 'Credits; for lists of over 500 contacts by their first.', '0.5'),
  balance: answered(z.string(), 'Credits of the account.', '1200'),
  enough: answered(z.boolean(), 'Whether these are enough.', true),
  voice: z
    .object({
      text: answered(
        z.string(),
        'What is said, in the words that are said; empty when nothing of it can be read aloud.',
        'Spring is here:',
      ),
      calls: answered(
        z.int().nullable(),
        'Calls that would be made; null for lists of which only the kosher phones are called.',
        2,
      ),
      call_price: answered(z.string(), 'Credits of a call to the first of the phones.', '0.5'),
      problem: answered(
        z.string().nullable(),
        'Why this service can make no calls now, in words; it would be refused then.',
        null,
      ),
      speech_problem: answered(
        z.string().nullable(),
        'Why `/v1/speech/preview` can say nothing now, in words.',
        null,
      ),
    })
    .nullable()
    .describe('With `tts`: what would be said, and what calls cost.'),
  finishes_at: isoTime('When all of it would be handed over, by what waits and by the rates of the links'),
});

/** Why it may be refused, beside what every request may be refused for. */
const refusals: readonly RefusalCode[] = [
  'no-credit',
  'not-now',
  'all-blocked',
  'bad-destination',
  'source-not-verified',
  'bad-recent-days',
  'all-filtered',
  'bad-links',
  'unknown-list',
  'bad-message',
  'bad-source',
  'bad-dynamic-fields',
];

const names: SendNames = {
  message: 'message',
  links: 'links',
  phones: 'phones',
  lists: 'lists',
  dynamic: 'dynamic',
};

export interface SmsPartParts {
  readonly acceptor: Acceptor;
  readonly wallets: Wallets;
  readonly estimator: EstimatorParts;
  readonly sending: SendContext['services'];
  readonly voice: Pick<VoiceRoom, 'problem' | 'speechProblem'>;
}

/**
 * Sends of SMS under /v1, a part of the door, by the same rules as `sms` of the SMS family (messages/send-request.ts):
 * - `POST /sms`: one text to phones and contact lists, now or at a time
 * - `POST /sms/estimate`: what it would cost and when it would be done; also of a text alone
 */
export function smsPart({ acceptor, wallets, estimator, sending, voice }: SmsPartParts): V1Part {
  const contextOf = ({ account, own }: Caller): SendContext => ({
    services: sending,
    account: account!,
    caller: own ?? account!,
  });

  async function read(given: z.output<typeof body>, accountId: number, context: SendContext) {
    const source = await readSource(given.source, 'source', context);
    checkMaySend(context);
    const terms = {
      accountId,
      source,
      campaignName: readCampaignName(given.campaign_name),
      dueAt: timeOf(given.at),
      recentDays: recentDaysOf(given.recent_days),
    };
    const { tts: asked, message } = given;
    return readSend(
      { ...sendOf(given), ...(asked && { readCall: () => readCall(asked, message, voice) }) },
      terms,
      names,
      context,
    );
  }

  return (app, accountOf, callerOf, once) => {
    app.post(
      '/sms',
      {
        bodyLimit: BODY_MOST,
        ...withBody(
          described({
            chapter: 'sending',
            id: 'sendText',
            title: 'Send a text',
            description:
              'Sends one text to phones and contact lists, now or at a time. Each number gets it once. Who is on the blacklist is left out and not charged. With `tts` it is also, or only, read aloud on the telephone.',
            answer: sentAnswer,
            status: 202,
            refusals: [...refusals, 'too-large'],
          }),
          body,
        ),
      },
      async (request, reply) => {
        const { id: accountId } = accountOf(request);
        const given = await readLong(body, request.body);
        // A single message is stored in one statement, which a look before it would cost half as much again.
        const call = { accountId, content: given, looksFirst: given.phones.length !== 1 };
        const answer = await once(request, reply, call, async (use) => {
          const shipment = await read(given, accountId, contextOf(callerOf(request)));
          const made = (id: number) => ({ shipment_id: String(id) });
          return made(await acceptor.accept(use ? { ...shipment, sendKey: use.answering(made) } : shipment));
        });
        return reply.code(202).send(answer);
      },
    );

    app.post(
      '/sms/estimate',
      {
        bodyLimit: BODY_MOST,
        ...withBody(
          described({
            chapter: 'sending',
            id: 'estimateText',
            title: 'What a text would cost',
            description:
              'Parts, price, recipients and the time when all of it would be handed over. Nothing is sent. The text may come alone.',
            answer: estimateAnswer,
            refusals: [
              'bad-destination',
              'bad-recent-days',
              'bad-links',
              'unknown-list',
              'bad-message',
              'too-large',
            ],
          }),
          estimateBody,
        ),
      },
      async (request): Promise<z.output<typeof estimateAnswer>> => {
        const { id: accountId } = accountOf(request);
        const given = await readLong(estimateBody, request.body);
        const context = contextOf(callerOf(request));
        const { text, phones, international } = sendOf(given);
        const lists = await readLists(given.lists, names.lists, context);
        const words = readWords(text, names, context);
        const own = { source: null, text: null, ...(words.wording && { wording: words.wording }) };
        const items =
          phones.length === 0
            ? []
            : await readDestinations(phones, names, context, international, own, lists);
        const call = given.tts ? callWish(given.tts, given.message) : undefined;
        const [estimate, balance, problem, speechProblem] = await Promise.all([
          estimateSend(estimator, {
            accountId,
            words,
            items,
            lists,
            international,
            recentDays: recentDaysOf(given.recent_days),
            dueAt: timeOf(given.at),
            call,
          }),
          wallets.balance(accountId),
          call && voice.problem(),
          call && voice.speechProblem(),
        ]);
        const { measure, cost } = estimate;
        return {
          text: estimate.text,
          encoding: measure.encoding,
          parts: measure.parts,
          units: measure.units,
          units_left: measure.unitsLeft,
          part_price: formatAmount(estimate.partPrice),
          recipients: estimate.recipients,
          blocked: estimate.blocked,
          recent: estimate.recent,
          cost: formatAmount(cost),
          balance: formatAmount(balance),
          enough: balance >= cost,
          voice: estimate.voice
            ? {
                text: estimate.voice.text,
                calls: estimate.voice.calls,
                call_price: formatAmount(estimate.voice.callPrice),
                problem: problem ?? null,
                speech_problem: speechProblem ?? null,
              }
            : null,
          finishes_at: iso(estimate.finishesAt),
        };
      },
    );
  };
}

const recentDaysOf = (days: number | null) =>
  readRecentDays(days === null ? undefined : String(days), 'recent_days');

function sendOf(given: z.output<typeof estimateBody>) {
  const { message, tag, links, dynamic, removal } = given;
  return {
    text: {
      message,
      tag,
      links: links.map(({ id, url }) => ({ id, text: url })),
      dynamic,
      removal,
    },
    phones: given.phones.map((one) =>
      typeof one === 'string' ? { text: one, id: undefined } : { text: one.phone, id: one.id },
    ),
    lists: given.lists,
    international: given.includes_international,
  };
}
