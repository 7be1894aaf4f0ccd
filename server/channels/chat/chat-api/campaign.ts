import { z } from 'zod';
import { inFieldNames } from '../../../api/field-names.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { list, optionalElement } from '../../../api/sms/wire/fields.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { mapInSlices } from '../../../kit/time-slices.ts';
import type { AcceptedCampaign } from '../campaigns.ts';
import { aboutPost, repeated } from './about.ts';
import { fieldReader, looseText, numberedHeaders, optionalText, readLongField, text } from './fields.ts';
import { accountFor, type ChatOperation, source } from './operation.ts';

// As in the SMS API: more in one request would delay other requests.
const MAX_PHONES = 100_000;
const MAX_LISTS = 1_000;
const MAX_NAME = 50;

const schema = z.object({
  source,
  destinations: optionalElement({
    phones: list(optionalText, { max: MAX_PHONES }).describe('Numbers.'),
    cl: list(optionalText, { max: MAX_LISTS }).describe('Ids of contact lists.'),
  }).describe('Recipients: numbers, contact lists, or both. Each number receives one message.'),
  campaign_message: text.describe('Id of an approved template of the business number.'),
  campaign_name: optionalText.meta({
    description: 'Name of the campaign, shown in reports.',
    maxLength: MAX_NAME,
  }),
  dynamicHeaders: numberedHeaders.describe(
    'Variables of the template, by their numbers `1` to `5`. Each value names the dynamic field of the contact: its column name or `df1` to `df6` (also `שדה דינמי 1` to `6`). Variables that the template does not have are ignored.',
  ),
  header_link: optionalText.describe(
    'Link to the media file, for a template with a media header, as `headerLink` of a single message.',
  ),
  future_campaign: text.meta({
    description: '`instant` starts the campaign now, `future` at `from_date`.',
    enum: ['instant', 'future'],
  }),
  from_date: optionalText.describe(
    'Start time with `future`, `dd/mm/yyyy hh:mm` in the time zone of the account. A time in the past starts the campaign immediately.',
  ),
  couponCode: optionalText.describe(
    'Coupon code, up to 15 digits, for a template with a coupon. With `couponType` 2: number of the dynamic field that holds the code.',
  ),
  couponExpiration: optionalText.describe(
    'Expiry of the coupon, `dd/mm/yyyy hh:mm`, for a template whose coupon expires.',
  ),
  couponType: optionalText.meta({
    description: '`1` (default) uses one code for all recipients, `2` a code for each contact.',
    enum: ['1', '2'],
  }),
  websiteVariable: optionalText.describe(
    'Number of the dynamic field that completes the address of a website button with a variable.',
  ),
  websiteVariable2: optionalText.describe(
    'Number of the dynamic field that completes the address of a second website button.',
  ),
});

const answer = (success: boolean, sum: number, message?: string) => ({
  data: { success, sum, ...(message !== undefined && { message }) },
});

/** Sends a template to phones and contact lists, now or at a given time (interface, A3). */
export const campaign: ChatOperation = {
  paths: ['create-campaign-wa'],
  about: aboutPost({
    id: 'createChatCampaign',
    title: 'Send a template campaign',
    description:
      'Sends a template to numbers and contact lists. Returns immediately and continues in the background. The report of the campaign lists numbers that cannot receive it, with the reason.',
    aliases: [],
    schema,
    example: {
      source: '972550000001',
      destinations: { phones: ['972501234567', '972521234567'] },
      campaign_message: '1_972550000001_plain',
      campaign_name: 'Spring',
      future_campaign: 'instant',
    },
    answer: z.object({
      repeated,
      data: z.object({
        success: out.flag('Whether the campaign was accepted.', true),
        sum: out.count('Number of distinct recipients in the request; also an estimate of the credits.', 2),
        message: answered(z.string().optional(), 'Reasons for the refusal.', 'OK'),
      }),
    }),
    outcomes: [],
  }),

  async run(content, call) {
    const read = fieldReader(schema, content);
    const word = (field: WordField) => read(field)?.trim() ?? '';
    const { phones = [], cl = [] } =
      (await readLongField(schema.shape.destinations, content, 'destinations')) ?? {};
    const variables = read('dynamicHeaders');
    const source = looseText(content.source);
    const request = {
      accountId: await accountFor(source, call),
      source,
      phones: await mapInSlices(phones, (phone) => phone?.trim() ?? ''),
      lists: cl.map((id) => id?.trim() ?? '').filter((id) => id !== ''),
      templateId: word('campaign_message'),
      name: word('campaign_name'),
      ...(variables && { variables }),
      headerLink: word('header_link'),
      readStart: startOf(word('future_campaign'), word('from_date')),
      readCoupon: couponOf(word('couponCode'), word('couponType')),
      couponExpiration: word('couponExpiration'),
      websiteVariable: word('websiteVariable'),
      websiteVariable2: word('websiteVariable2'),
    };
    const accepted = ({ sum }: AcceptedCampaign) => answer(true, sum);
    const { campaigns } = call.services;
    const sendKey = call.sendKey?.answering(accepted);
    return accepted(await inFieldNames(fieldNames, () => campaigns.create(request, sendKey)));
  },

  refuse: (_error, message) => answer(false, 0, message),
};

/** Names of the fields of a `CampaignRequest` in this API. */
const fieldNames = {
  phones: 'destinations',
  lists: 'destinations.cl',
  templateId: 'campaign_message',
  name: 'campaign_name',
  variables: 'dynamicHeaders',
  start: 'from_date',
};

/** Returns a function that reads the start time. Throws Refusal `bad-field`. */
const startOf = (futureCampaign: string, fromDate: string) => () => {
  if (futureCampaign === 'instant') return null;
  if (futureCampaign !== 'future') {
    throw badField('future_campaign', 'must be future or instant', 'not-one-of', {
      values: 'future, instant',
    });
  }
  if (fromDate === '') throw badField('from_date', 'missing', 'missing');
  return fromDate;
};

/** `couponType` 1: the same code for all; 2: the code is the number of a dynamic field. Throws Refusal `bad-coupon`. */
const couponOf = (couponCode: string, couponType: string) => () => {
  if (!['', '1', '2'].includes(couponType)) throw new Refusal('bad-coupon', 'must be 1 or 2', 'couponType');
  if (couponType === '2') return { field: couponCode };
  return couponCode === '' ? null : { code: couponCode };
};

type WordField = Exclude<keyof typeof schema.shape, 'destinations' | 'dynamicHeaders'>;
