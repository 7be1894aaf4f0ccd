import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../api/access/rules.ts';
import { longArray } from '../../api/bodies/long-list.ts';
import { iso, out } from '../../api/openapi/out.ts';
import type { SendKeyUse } from '../../api/send-keys/send-keys.ts';
import { sendRefusals } from '../../api/sms/sending.ts';
import type { Caller } from '../../api/v1/caller.ts';
import { dltId, dltMeanings } from '../../api/v1/kit/dlt-fields.ts';
import { field, whole } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { sendingFields, sendingRuleOf, withoutConsentMeaning } from '../../api/v1/kit/sending-fields.ts';
import { speechFields } from '../../api/v1/kit/speech-fields.ts';
import { futureTime, storable, timeOf } from '../../api/v1/kit/text-fields.ts';
import type { DltIds } from '../../engine/carriers/dlt.ts';
import { callChecks, callInput, MAX_REPEAT, REPEAT } from '../../engine/messages/call-request.ts';
import { callTypes } from '../../engine/messages/calls.ts';
import { textsForContacts } from '../../engine/messages/contact-texts.ts';
import type { SendEstimate } from '../../engine/messages/estimate.ts';
import { type EstimatorDeps, estimateSend } from '../../engine/messages/estimate.ts';
import {
  checkMaySend,
  MAX_CAMPAIGN_NAME,
  MAX_EXTERNAL_ID,
  MAX_GIVEN_SOURCE,
  MAX_LISTS,
  MAX_MESSAGE,
  MAX_PHONES,
  MAX_TAG,
  readCampaignName,
  readDestinations,
  readLists,
  readRecentDays,
  readSend,
  readSource,
  readWords,
  type SendContext,
} from '../../engine/messages/send-request.ts';
import { measureText } from '../../engine/messages/text-measure.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { formatAmount } from '../../modules/accounts/money.ts';
import type { CoreContext } from '../../run/services.ts';
import {
  type FallbackDeps,
  fallbackEstimate,
  fallbackField,
  fallbackNames,
  readFallback,
  showFallbackEstimate,
} from './fallback-fields.ts';

/** As in the SMS API (decisions, "Size"). */
const MAX_BODY = 10 * 1024 * 1024;

const phone = z.union([
  storable(50),
  z.object({ phone: storable(50), id: storable(MAX_EXTERNAL_ID).optional() }),
]);

const { kosher, both, callOnly } = callTypes;
const tts = field(
  z
    .object({
      type: field(
        z.literal([kosher, both, callOnly], `must be ${kosher}, ${both} or ${callOnly}`),
        '`2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone.',
        both,
      ),
      ...speechFields,
      repeat: field(whole(1, MAX_REPEAT).default(REPEAT), 'Number of times that the text is spoken.', REPEAT),
    })
    .nullable()
    .default(null),
  'Reads the text aloud in a call: each call is a message of its own, with its own price and status. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit.',
  null,
);

const textFields = {
  message: field(storable(MAX_MESSAGE), 'Text of the message.', 'Spring is here: [link-1]'),
  links: field(
    z
      .array(
        z.object({
          id: field(storable(50), 'Id of the link, as in `[link-<id>]` of the message.', '1'),
          url: field(storable(2_000), 'Address of the link.', 'https://example.com/spring'),
        }),
      )
      .max(20)
      .default([]),
    'Links to shorten; their clicks are counted.',
    [{ id: '1', url: 'https://example.com/spring' }],
  ),
  tag: storable(MAX_TAG).optional().meta({
    description: 'Prefix for programs that read codes: `#` adds `<#>` and a space.',
    examples: [],
  }),
  dynamic: field(
    z.boolean().default(false),
    'Whether the fields of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones.',
    false,
  ),
  removal: field(
    z.enum(['link', 'reply']).nullable().default(null),
    'Removal text that is appended: a link, or the word to reply.',
    'link',
  ),
  tts,
};

const recipientFields = {
  phones: field(
    longArray(z.array(phone).max(MAX_PHONES, `over ${MAX_PHONES} numbers, use several requests`)).default([]),
    'Numbers in any spelling, each receives the message once; or objects with `phone` and your own `id` of the message.',
    ['0501234567', { phone: '0521234567', id: 'order-17' }],
  ),
  lists: field(
    z.array(storable(20)).max(MAX_LISTS, `over ${MAX_LISTS} contact lists`).default([]),
    'Ids of contact lists.',
    [],
  ),
  includes_international: field(
    z.boolean().default(false),
    'Whether numbers of other countries are allowed.',
    false,
  ),
  recent_days: field(
    z.int().nullable().default(null),
    'Days, 1 to 14: skips recipients who received a message of the account within them.',
    null,
  ),
  at: futureTime('Time of sending', '; immediately if absent or in the past'),
  ...sendingFields,
};

const body = z.object({
  source: field(
    storable(MAX_GIVEN_SOURCE),
    'Sender: a verified number of the account in any spelling, or an approved name of up to 11 characters.',
    'Shop',
  ),
  ...textFields,
  ...recipientFields,
  campaign_name: field(
    storable(MAX_CAMPAIGN_NAME).optional(),
    'Name of the campaign, shown and searchable in reports.',
    'Spring',
  ),
  dlt: field(
    z
      .object({
        template_id: field(dltId.nullable().default(null), dltMeanings.template, '1107987654321098765'),
        entity_id: field(dltId.nullable().default(null), dltMeanings.entity, null),
      })
      .nullable()
      .default(null),
    "Ids on India's DLT platforms, for messages to Indian numbers. Ids that are null or absent are those of `/v1/dlt-ids`.",
    null,
  ),
  fallback: fallbackField,
});

const estimateBody = z.object({
  source: field(
    storable(MAX_GIVEN_SOURCE).optional(),
    'Sender. If given, the sender and the account are checked as for a send.',
    'Shop',
  ),
  ...textFields,
  ...recipientFields,
  fallback: fallbackField,
});

const previewBody = z.object({
  ...textFields,
  list: field(storable(20), 'Id of a contact list.', '1774337460000005'),
  after: field(storable(20).default(''), '`next` of the previous preview; empty for the first contact.', ''),
});

const previewAnswer = z.object({
  phone: out.maybeText('Number of the contact; null: the list has no further one.', '0501234567'),
  text: out.maybeText(
    'Text with the fields of the contact.',
    'Spring is here: https://example.com/l/xxxxxxx',
  ),
  parts: out.count('Parts of the text.', 1),
  units: out.count('Length of the text in units of the alphabet; some characters count twice.', 45),
  cost: out.text('Price of the message to the contact, in credits.', '0.25'),
  next: out.maybeText('`after` of the next contact; null for the last one.', null),
});

const sentAnswer = z.object({
  shipment_id: out.text('Id of the shipment.', '1774337460000001'),
});

const estimateAnswer = z.object({
  text: out.text(
    'Text to a recipient without dynamic fields, with links of the final length.',
    'Spring is here: https://example.com/l/xxxxxxx',
  ),
  preview: out.maybeText(
    'Text with the fields of the first contact of the first list; null without a list.',
    null,
  ),
  encoding: out.oneOf(['gsm7', 'ucs2'], 'Alphabet: `ucs2` for all but Latin letters.', 'gsm7'),
  parts: out.count('Parts of the text.', 1),
  units: out.count('Length of the text in units of the alphabet; some characters count twice.', 45),
  units_left: out.count('Units left before the text needs another part.', 115),
  part_price: out.text('Price of one part to the first phone, in credits.', '0.25'),
  recipients: out.count('Number of recipients, as far as known for contact lists.', 2),
  blocked: out.count('Phones on the blacklist.', 0),
  recent: out.count('Phones skipped by `recent_days`.', 0),
  without_consent: out.maybeCount(withoutConsentMeaning, null),
  cost: out.text(
    'Price in credits; for lists of over 500 contacts, estimated from their first contacts.',
    '0.5',
  ),
  balance: out.text('Balance of the account in credits.', '1200'),
  enough: out.flag('Whether the balance is sufficient.', true),
  voice: z
    .object({
      text: out.text('Spoken text; empty if nothing of it can be read aloud.', 'Spring is here:'),
      calls: out.maybeCount('Number of calls; null for lists of which only kosher phones are called.', 2),
      call_price: out.text('Price of a call to the first phone, in credits.', '0.5'),
      problem: out.maybeText(
        'Reason why this service cannot make calls now; a send would be refused. null if it can.',
        null,
      ),
      speech_problem: out.maybeText(
        'Reason why `/v1/speech/preview` has no speech now; null if it has.',
        null,
      ),
    })
    .nullable()
    .describe('Spoken text and price of the calls, with `tts`.'),
  fallback: fallbackEstimate,
  starts_at: out.time('Estimated time of submission of the first message, by `at` and by the sending policy'),
  finishes_at: out.time(
    'Estimated time of submission of the last message, by the queue and the rates of the carrier connections',
  ),
});

/** Names of the fields of a send in this API. */
const fieldNames = { campaignName: 'campaign_name', recentDays: 'recent_days' };

interface SmsDeps extends Pick<CoreContext, 'acceptor' | 'wallets' | 'calls' | 'sendingGate'>, FallbackDeps {
  readonly estimator: EstimatorDeps;
  readonly sending: SendContext['services'];
}

const route = resource<SmsDeps>('sending');

/** Sends of SMS, by the same rules as `sms` of the SMS API (engine/messages/send-request.ts). */
export const smsRoutes = [
  route('POST /v1/sms', {
    access: withoutProof(sends(changes('sender', 'send'), 'plain')),
    operationId: 'sendText',
    title: 'Send a text by SMS or call',
    description:
      'Sends one text to phones and contact lists, now or at a scheduled time. Each number receives it once. Recipients on the blacklist are skipped and not charged. With `tts` the text is also, or only, read aloud in a call.',
    refusals: [
      ...sendRefusals,
      'bad-dynamic-fields',
      'unknown-source',
      'unknown-template',
      'template-not-usable',
      'bad-variables',
      'bad-variable-text',
      'too-long',
      'bad-header',
      'bad-header-type',
      'bad-coupon',
      'bad-otp',
      'bad-website-variable',
    ],
    body,
    fieldNames: { ...fieldNames, ...fallbackNames },
    bodyLimit: MAX_BODY,
    answer: sentAnswer,
    status: 202,
    handler: async ({ accountId, caller, body: given, once }, deps) => {
      const act = async (use: SendKeyUse | undefined) => {
        const shipment = await readText(deps, given, accountId, contextOf(deps, caller));
        const made = (id: number) => ({ shipment_id: String(id) });
        return made(
          await deps.acceptor.accept(use ? { ...shipment, sendKey: use.answering(made) } : shipment),
        );
      };
      // A single message is stored with one statement. A look-up before it would add half of its cost.
      return once(act, { looksFirst: given.phones.length !== 1 });
    },
  }),
  route('POST /v1/sms/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateText',
    title: 'Estimate a send',
    description:
      'Returns parts, price, recipients and the estimated time of submission of the last message. Sends nothing. Recipients are optional.',
    refusals: [
      'not-now',
      'bad-destination',
      'source-not-verified',
      'bad-recent-days',
      'bad-links',
      'unknown-list',
      'bad-message',
      'bad-source',
    ],
    body: estimateBody,
    fieldNames,
    bodyLimit: MAX_BODY,
    answer: estimateAnswer,
    handler: async ({ accountId, caller, body: given }, deps) => {
      const context = contextOf(deps, caller);
      if (given.source !== undefined) {
        await readSource(given.source, 'source', context);
        checkMaySend(context);
      }
      const { text, phones, international } = sendOf(given);
      const lists = await readLists(given.lists, context);
      const words = readWords(text, context);
      const own = { source: null, text: null, ...(words.template && { template: words.template }) };
      const items =
        phones.length === 0 ? [] : await readDestinations(phones, context, international, own, lists);
      const call = given.tts ? callInput(given.tts, given.message) : undefined;
      const [estimate, balance, problem, speechProblem] = await Promise.all([
        estimateSend(deps.estimator, {
          accountId,
          words,
          items,
          lists,
          international,
          recentDays: recentDaysOf(given.recent_days),
          dueAt: timeOf(given.at),
          rule: await sendingRuleOf(deps, accountId, given),
          call,
        }),
        deps.wallets.balance(accountId),
        call && deps.calls.problem(items.map(({ phone }) => phone)),
        call && deps.calls.speechProblem(),
      ]);
      const { recipients } = estimate;
      const fallback = await showFallbackEstimate(deps, accountId, given, {
        recipients,
        phone: items[0]?.phone ?? '',
      });
      return { ...showEstimate(estimate, balance, { problem, speechProblem }), fallback };
    },
  }),
  route('POST /v1/sms/preview', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'previewText',
    title: 'Preview a text for a contact',
    description:
      'Returns the text as a contact of a list would receive it, with its length and price. Sends nothing.',
    refusals: ['bad-links', 'unknown-list', 'bad-message'],
    body: previewBody,
    answer: previewAnswer,
    handler: async ({ accountId, caller, body: given }, deps) => {
      const { estimator } = deps;
      const context = contextOf(deps, caller);
      const words = readWords(wordsOf(given), context);
      const [list] = await readLists([given.list], context);
      const asked = { accountId, words, listId: list!.id, after: given.after, limit: 2 };
      const [[contact, following], priceOf] = await Promise.all([
        textsForContacts(estimator, asked),
        estimator.prices.of(accountId, 'sms'),
      ]);
      if (!contact) return { phone: null, text: null, parts: 0, units: 0, cost: '0', next: null };
      const { phone, text } = contact;
      const { parts, units } = measureText(text);
      const cost = formatAmount(parts * priceOf(phone));
      return { phone: displayNumber(phone), text, parts, units, cost, next: following ? phone : null };
    },
  }),
];

const contextOf = ({ sending }: SmsDeps, { account, own }: Caller): SendContext => ({
  services: sending,
  account: account!,
  caller: own ?? account!,
});

async function readText(
  deps: SmsDeps,
  given: z.output<typeof body>,
  accountId: number,
  context: SendContext,
) {
  const { calls, sendingGate } = deps;
  const source = await readSource(given.source, 'source', context);
  checkMaySend(context);
  const terms = {
    accountId,
    source,
    campaignName: readCampaignName(given.campaign_name),
    dueAt: timeOf(given.at),
    recentDays: recentDaysOf(given.recent_days),
    rule: await sendingRuleOf({ sendingGate }, accountId, given),
  };
  const { tts: asked, message } = given;
  const shipment = await readSend(
    { ...sendOf(given), ...(asked && { calls: callChecks(asked, message, calls) }) },
    terms,
    context,
  );
  const dlt = dltIdsOf(given.dlt);
  const beside = given.fallback ? await readFallback(deps, given.fallback, given, terms) : undefined;
  return { ...shipment, ...(dlt && { carrierOptions: { dlt } }), ...(beside && { beside }) };
}

function dltIdsOf(given: z.output<typeof body>['dlt']): DltIds | undefined {
  const { template_id: template = null, entity_id: entity = null } = given ?? {};
  if (template === null && entity === null) return undefined;
  return { ...(template !== null && { template }), ...(entity !== null && { entity }) };
}

const recentDaysOf = (days: number | null) => readRecentDays(days === null ? undefined : String(days));

const wordsOf = ({
  message,
  tag,
  links,
  dynamic,
  removal,
}: z.output<typeof previewBody | typeof estimateBody>) => ({
  message,
  tag,
  links: links.map(({ id, url }) => ({ id, text: url })),
  dynamic,
  removal,
});

function sendOf(given: z.output<typeof estimateBody>) {
  return {
    text: wordsOf(given),
    phones: given.phones.map((one) =>
      typeof one === 'string' ? { text: one, id: undefined } : { text: one.phone, id: one.id },
    ),
    lists: given.lists,
    international: given.includes_international,
  };
}

function showEstimate(
  estimate: SendEstimate,
  balance: number,
  problems: { readonly problem: string | undefined; readonly speechProblem: string | undefined },
): Omit<z.output<typeof estimateAnswer>, 'fallback'> {
  const { measure, cost } = estimate;
  return {
    text: estimate.text,
    preview: estimate.preview,
    encoding: measure.encoding,
    parts: measure.parts,
    units: measure.units,
    units_left: measure.unitsLeft,
    part_price: formatAmount(estimate.partPrice),
    recipients: estimate.recipients,
    blocked: estimate.blocked,
    recent: estimate.recent,
    without_consent: estimate.withoutConsent,
    cost: formatAmount(cost),
    balance: formatAmount(balance),
    enough: balance >= cost,
    voice: estimate.voice
      ? {
          text: estimate.voice.text,
          calls: estimate.voice.calls,
          call_price: formatAmount(estimate.voice.callPrice),
          problem: problems.problem ?? null,
          speech_problem: problems.speechProblem ?? null,
        }
      : null,
    starts_at: iso(estimate.startsAt),
    finishes_at: iso(estimate.finishesAt),
  };
}
