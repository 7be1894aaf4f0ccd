import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { longArray } from '../../../api/bodies/long-list.ts';
import { out } from '../../../api/openapi/out.ts';
import { chatView, showChat } from '../../../api/v1/chat-view.ts';
import { field } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { sendingFields, sendingRuleOf, withoutConsentMeaning } from '../../../api/v1/kit/sending-fields.ts';
import { futureTime, storable, timeOf } from '../../../api/v1/kit/text-fields.ts';
import { lanes } from '../../../engine/messages/lanes.ts';
import { MAX_CAMPAIGN_NAME, MAX_LISTS, MAX_PHONES } from '../../../engine/messages/send-request.ts';
import type { ChatProblem } from '../../../kit/errors.ts';
import type { TemplateFields } from '../../../modules/conversations/reply-channel.ts';
import type { SendingGate } from '../../../modules/sending-policy/gate.ts';
import type { CampaignRequest } from '../campaign-request.ts';
import type { AcceptedCampaign, Campaigns } from '../campaigns.ts';
import {
  addressProblems,
  type ChatMessageDeps,
  money,
  moneyOf,
  sentAnswer,
  showSent,
  source,
  to,
} from './answers.ts';

const MAX_BODY = 10 * 1024 * 1024;
const VARIABLES = ['1', '2', '3', '4', '5'] as const;

const optionalText = (meaning: string, most: number, example?: string) =>
  storable(most)
    .optional()
    .meta({ description: meaning, examples: example === undefined ? [] : [example] });

const templateId = field(
  storable(600),
  '`template_id` of an approved template of the number.',
  '1_972550000001_two',
);
const headerLink = optionalText(
  'Link to the media file, for a template with a media header. For a text header with a variable: the value of the variable.',
  2_000,
);

/** Fields of a template message, without its addresses. */
export const templateContent = {
  template_id: templateId,
  variables: field(
    z.partialRecord(z.enum(VARIABLES), storable(1_024)).default({}),
    'Variables of the body, by number.',
    { 1: 'Dana', 2: '1234' },
  ),
  header_link: headerLink,
  coupon_code: optionalText('Coupon code, digits, for a template with a coupon.', 15),
  coupon_expires_at: futureTime('Expiry of the offer, for a template with a limited-time offer'),
  website_variable: optionalText(
    'Value that completes the address of a website button with a variable.',
    2_000,
  ),
  website_variable2: optionalText(
    'Number of the dynamic field that completes the address of a second website button.',
    2_000,
  ),
  otp: optionalText('One-time code, for an authentication template.', 15),
};
const messageBody = z.object({ source, to, ...templateContent });

const fieldNumber = (meaning: string) =>
  z
    .int()
    .min(1)
    .max(6)
    .optional()
    .meta({
      description: `${meaning}: number of the dynamic field with the value, 1 to 6.`,
      examples: [],
    });

const campaignBody = z.object({
  source,
  template_id: templateId.meta({ examples: ['1_972550000001_plain'] }),
  phones: field(
    longArray(z.array(storable(50)).max(MAX_PHONES, `over ${MAX_PHONES} numbers`)).default([]),
    'Numbers in any spelling; each receives one message.',
    ['972501234567', '972521234567'],
  ),
  lists: field(
    z.array(storable(20)).max(MAX_LISTS, `over ${MAX_LISTS} contact lists`).default([]),
    'Ids of contact lists.',
    [],
  ),
  name: optionalText('Name of the campaign, shown and searchable in reports.', MAX_CAMPAIGN_NAME, 'Spring'),
  fields: field(
    z.partialRecord(z.enum(VARIABLES), storable(100)).default({}),
    'Dynamic fields for the variables of the body, by number: column name or `df1` to `df6`.',
    {},
  ),
  header_link: headerLink,
  coupon_code: optionalText('Coupon code for all recipients, for a template with a coupon.', 15),
  coupon_field: fieldNumber('Coupon with a code for each contact'),
  coupon_expires_at: futureTime('Expiry of the offer, for a template with a limited-time offer'),
  website_field: fieldNumber('Website button with a variable'),
  website_field2: fieldNumber('Second website button with a variable'),
  at: futureTime('Start time', '; immediately if absent or in the past'),
  ...sendingFields,
});

const body = sentAnswer.shape.body;
const messageEstimate = z.object({
  body,
  opens_conversation: out.flag('Whether the message would open a conversation, which is charged.', true),
  ...money,
});
const campaignSent = z.object({
  id: out.text('Id of the campaign.', '1774337460000007'),
  recipients: out.count('Number of distinct recipients.', 2),
});
const campaignEstimate = z.object({
  body: out.text('Body, with 1 in place of each field.', 'Hello 1'),
  preview: chatView.describe(
    'Message to the first contact of the first list; without a list, with 1 in place of each field.',
  ),
  recipients: out.count('Number of distinct recipients.', 2),
  without_consent: out.maybeCount(withoutConsentMeaning, null),
  ...money,
});

const templateProblems: readonly ChatProblem[] = [
  ...addressProblems,
  'unknown-template',
  'template-not-usable',
  'bad-variables',
  'bad-variable-text',
  'bad-header',
  'bad-header-type',
  'bad-website-variable',
  'too-long',
  'bad-coupon',
];
const messageProblems: readonly ChatProblem[] = [
  ...templateProblems,
  'two-unanswered',
  'blacklisted',
  'bad-otp',
];

/** Names of the domain's fields in this API. */
const commonFields = {
  templateId: 'template_id',
  couponCode: 'coupon_code',
  couponExpiration: 'coupon_expires_at',
  headerLink: 'header_link',
};
/** Names of a template message's fields in this API. */
export const messageFields = {
  ...commonFields,
  destination: 'to',
  websiteVariable: 'website_variable',
  websiteVariable2: 'website_variable2',
};
const campaignFields = {
  ...commonFields,
  variables: 'fields',
  start: 'at',
  websiteVariable: 'website_field',
  websiteVariable2: 'website_field2',
};

interface ChatSendingDeps extends ChatMessageDeps {
  readonly campaigns: Campaigns;
  readonly sendingGate: Pick<SendingGate, 'ruleOf'>;
}

const route = resource<ChatSendingDeps>('chat');

/** Sends of chat, by the rules of the chat API: a template to one client, or to numbers and contact lists. */
export const chatSendingRoutes = [
  route('POST /v1/chat/messages', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'sendChatTemplate',
    title: 'Send a template to one recipient',
    description:
      'Sends a template to one recipient at any time. After two templates without a reply, the client has to write first. Opens and charges a conversation of 24 hours if none is open.',
    refusals: [...messageProblems, 'tier-reached', 'no-credit', 'not-now'],
    body: messageBody,
    fieldNames: messageFields,
    answer: sentAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, { sender }) =>
      once(
        async (use) => showSent(await sender.template(templateOf(accountId, body), use?.answering(showSent))),
        { looksFirst: false },
      ),
  }),
  route('POST /v1/chat/messages/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateChatTemplate',
    title: 'Estimate a template message',
    description: 'Returns the rendered body and its price now. Sends nothing.',
    refusals: messageProblems,
    body: messageBody,
    fieldNames: messageFields,
    answer: messageEstimate,
    handler: async ({ accountId: id, body }, deps) => {
      const checked = await deps.sender.checkTemplate(templateOf(id, body));
      return {
        body: checked.body,
        opens_conversation: checked.opensConversation,
        ...(await moneyOf(deps, id, checked.price, 1, deps.clock.now(), checked.number, lanes.single)),
      };
    },
  }),
  route('POST /v1/chat/campaigns', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'startChatCampaign',
    title: 'Create a chat campaign',
    description:
      'Sends a template to numbers and contact lists, now or at a scheduled time. Returns immediately and continues in the background. Numbers that cannot receive it are listed among the failed recipients.',
    refusals: [...templateProblems, 'no-credit', 'not-now', 'not-allowed'],
    body: campaignBody,
    fieldNames: campaignFields,
    bodyLimit: MAX_BODY,
    answer: campaignSent,
    status: 202,
    handler: async ({ accountId, body, once }, { campaigns, sendingGate }) => {
      const show = ({ id, sum }: AcceptedCampaign) => ({ id: String(id), recipients: sum });
      return once(async (use) => {
        const rule = await sendingRuleOf({ sendingGate }, accountId, body);
        return show(await campaigns.create({ ...campaignOf(accountId, body), rule }, use?.answering(show)));
      });
    },
  }),
  route('POST /v1/chat/campaigns/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateChatCampaign',
    title: 'Estimate a chat campaign',
    description:
      'Returns the number of recipients, the maximum price and the estimated time of completion. Sends nothing.',
    refusals: [...templateProblems, 'not-now', 'not-allowed'],
    body: campaignBody,
    fieldNames: campaignFields,
    bodyLimit: MAX_BODY,
    answer: campaignEstimate,
    handler: async ({ accountId: id, body }, deps) => {
      const checked = await deps.campaigns.check({
        ...campaignOf(id, body),
        rule: await sendingRuleOf(deps, id, body),
      });
      const { sum, withoutConsent, cost, dueAt, number } = checked;
      return {
        body: checked.body,
        preview: showChat(checked.preview),
        recipients: sum,
        without_consent: withoutConsent,
        ...(await moneyOf(deps, id, cost, sum, dueAt, number, lanes.bulk)),
      };
    },
  }),
];

const templateShape = z.object(templateContent);

/** Converts the values of a template message for the domain. */
export function templateFieldsOf(given: z.output<typeof templateShape>): TemplateFields {
  return {
    variables: given.variables as Record<string, string>,
    couponCode: given.coupon_code,
    couponExpiration: timeOf(given.coupon_expires_at) ?? undefined,
    headerLink: given.header_link,
    websiteVariable: given.website_variable,
    websiteVariable2: given.website_variable2,
    otp: given.otp,
  };
}

function templateOf(accountId: number, given: z.output<typeof messageBody>) {
  const fields = templateFieldsOf(given);
  return { accountId, source: given.source, destination: given.to, templateId: given.template_id, fields };
}

function campaignOf(accountId: number, given: z.output<typeof campaignBody>): CampaignRequest {
  const { coupon_field: couponField, coupon_code: couponCode = '' } = given;
  const ofAll = couponCode === '' ? null : { code: couponCode };
  const coupon = couponField === undefined ? ofAll : { field: String(couponField) };
  const [at, couponExpiration] = [timeOf(given.at), timeOf(given.coupon_expires_at)];
  const text = (value: string | number | undefined) => (value === undefined ? '' : String(value));
  return {
    accountId,
    source: given.source,
    phones: given.phones.map((phone) => phone.trim()),
    lists: given.lists,
    templateId: given.template_id,
    name: text(given.name),
    variables: given.fields as Record<string, string>,
    headerLink: text(given.header_link),
    readStart: () => at,
    readCoupon: () => coupon,
    ...(couponExpiration !== null && { couponExpiration }),
    websiteVariable: text(given.website_field),
    websiteVariable2: text(given.website_field2),
  };
}
