import { z } from 'zod';
import { formatAmount } from '../../accounts/money.ts';
import type { CampaignFailure } from '../../campaigns/report.ts';
import type { CampaignReturn, MailProgress } from '../../channels/mail/campaign-report.ts';
import {
  LISTS_MOST,
  type MailCampaign,
  type MailCampaignRequest,
  type MailEstimate,
  TESTS_MOST,
} from '../../channels/mail/campaigns.ts';
import { answered } from '../openapi/shown.ts';
import { sensitive } from './field-rights.ts';

/*
 * What mail campaigns look like under /v1.
 */

const field = <T extends z.ZodType>(schema: T, meaning: string, example: z.input<T>) =>
  schema.meta({ description: meaning, examples: [example] });

const contentFields = {
  from: field(
    z.object({ name: z.string().default(''), address: z.string() }),
    'The sender: an address that the account may send from, and the name that is shown.',
    { name: 'The shop', address: 'news@example.com' },
  ),
  reply_to: field(z.string().nullish(), 'Where answers go, when not to the sender.', 'service@example.com'),
  subject: field(
    z.string(),
    'One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`.',
    'Hello {{FirstName}}',
  ),
  html: field(
    z.string().nullish(),
    'The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended.',
    '<p>Hello {{FirstName|friend}}, <a href="https://example.com/spring">look</a>.</p>',
  ),
  text: field(
    z.string().nullish(),
    'The mail in plain text; at least one of both.',
    'Hello {{FirstName|friend}}, look: https://example.com/spring',
  ),
};
const lists = (least: number) =>
  field(
    z.array(z.coerce.number().int().positive()).min(least).max(LISTS_MOST),
    'Ids of mailing lists. Who is in several of them gets one mail.',
    [17],
  );

export const campaignBody = z.object({
  name: field(z.string().nullish(), 'What the account calls it; 50 characters.', 'Spring'),
  ...contentFields,
  lists: lists(1),
  at: field(
    z.iso.datetime({ offset: true }).nullish(),
    'When it begins, ISO 8601; without it, or when that is over, at once.',
    '2026-12-01T09:00:00+02:00',
  ),
});
export type CampaignBody = z.output<typeof campaignBody>;

export const testBody = z.object({
  ...contentFields,
  lists: lists(0).default([]),
  to: field(z.array(z.string()).min(1).max(TESTS_MOST), 'Addresses that the test goes to.', [
    'me@example.com',
  ]),
});

export const previewBody = z.object({ ...contentFields, lists: lists(0).default([]) });

/** What a body asks for. */
export function requestOf(
  accountId: number,
  body: z.output<typeof previewBody> & {
    readonly name?: CampaignBody['name'];
    readonly at?: CampaignBody['at'];
  },
): MailCampaignRequest {
  const { from, reply_to: replyTo, subject, html, text, name, at } = body;
  return {
    accountId,
    name: name?.trim() || null,
    content: { from, replyTo, subject, html, text },
    listIds: [...new Set(body.lists)],
    dueAt: at ? Date.parse(at) : null,
  };
}

const time = (meaning: string) => answered(z.string(), `${meaning}, ISO 8601.`, '2026-12-01T07:00:00.000Z');
const campaignFields = {
  id: answered(z.string(), 'Its id.', '1774337460000007'),
  name: answered(z.string().nullable(), '`name`.', 'Spring'),
  subject: sensitive(
    answered(z.string(), '`subject`, with its fields.', 'Hello {{FirstName}}'),
    'message-text',
  ),
  from: answered(z.object({ name: z.string(), address: z.string() }), '`from`.', {
    name: 'The shop',
    address: 'news@example.com',
  }),
  lists: answered(z.array(z.string()), '`lists`.', ['17']),
  state: answered(
    z.string(),
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be handed to the relay.',
    'running',
  ),
  total: answered(z.int(), 'Active users of the lists, each once, when it was accepted.', 1_200),
  due_at: time('When it begins'),
  created_at: time('When it was accepted'),
  finished_at: answered(z.string().nullable(), 'When it ended, ISO 8601.', null),
};
const count = (meaning: string, example: number) => answered(z.int(), meaning, example);

export const campaignAnswer = z.object(campaignFields);
export const progressAnswer = z.object({
  ...campaignFields,
  reply_to: answered(z.string().nullable(), '`reply_to`.', null),
  html: sensitive(
    answered(z.string().nullable(), '`html`.', '<p>Hello {{FirstName|friend}}</p>'),
    'message-text',
  ),
  text: sensitive(answered(z.string().nullable(), '`text`.', null), 'message-text'),
  progress: z
    .object({
      made: count('Recipients that are done or on their way; the others have no mail yet.', 1_200),
      waiting: count('Not handed to the relay yet.', 120),
      sent: count('With the relay, and nothing came back.', 1_050),
      opened: count('Of these opened, where the list has that counted.', 390),
      clicked: count('Recipients who followed a link, where the list has that counted.', 80),
      failed: answered(z.record(z.string(), z.int()), 'Not handed over, or come back, by reason.', {
        'bounce 5.1.1': 20,
        removed: 10,
      }),
      cancelled: count('Cancelled before they were handed over.', 0),
      hard_bounces: count('Come back for good.', 18),
      soft_bounces: count('Come back for now.', 2),
      complaints: count('Called spam by the recipient.', 1),
      removals: count('Recipients who asked by it to get no more mails.', 4),
    })
    .describe('Mails by what became of them until now.'),
});
export const failureAnswer = z.object({
  address: answered(z.string(), 'The recipient.', 'dana@example.com'),
  reason: answered(
    z.string(),
    'Why: what the relay said (`550 5.1.1`), `bounce` with the code of the report, `removed`, `complained`, `bounced`, `deleted`, `no-credit`, `EXPIRED`.',
    'bounce 5.1.1',
  ),
  at: time('When that was known'),
});
export const returnAnswer = z.object({
  user_id: answered(z.string().nullable(), 'The user; null: somebody who is in no list.', '1001'),
  address: answered(z.string(), 'The recipient.', 'dana@example.com'),
  code: answered(
    z.string(),
    'Of a bounce the code of the report, of a complaint its type, of a removal `page` or `one-click`.',
    '5.1.1',
  ),
  at: time('When it was told'),
});
export const cancelAnswer = z.object({
  ...campaignFields,
  cancelled: count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: count('Mails that were with the relay before.', 400),
});
const credits = (meaning: string, example: string) => answered(z.string(), meaning, example);
export const estimateAnswer = z.object({
  recipients: count('Active users of the lists, each once.', 1_200),
  price: credits('Credits for a mail.', '0.1'),
  cost: credits('Credits for all of them.', '120'),
  balance: credits('Credits that the account has.', '99880'),
});
export const testAnswer = z.object({ mails: count('Mails that were accepted.', 1) });
export const previewAnswer = z.object({
  subject: answered(z.string(), 'As the first user of the first list would get it.', 'Hello Dana'),
  html: answered(z.string().nullable(), 'The same of `html`.', '<p>Hello Dana</p>'),
  text: answered(z.string().nullable(), 'The same of `text`.', null),
  fields: answered(z.array(z.string()), 'Names of the fields that stand in it, in lower case.', [
    'firstname',
  ]),
});

const iso = (at: number) => new Date(at).toISOString();

export function showCampaign(campaign: MailCampaign): z.output<typeof campaignAnswer> {
  return {
    id: String(campaign.id),
    name: campaign.name,
    subject: campaign.content.subject,
    from: { ...campaign.content.from },
    lists: campaign.listIds.map(String),
    state: campaign.state,
    total: campaign.total,
    due_at: iso(campaign.dueAt),
    created_at: iso(campaign.createdAt),
    finished_at: campaign.finishedAt === null ? null : iso(campaign.finishedAt),
  };
}

export function showProgress(
  campaign: MailCampaign,
  progress: MailProgress,
): z.output<typeof progressAnswer> {
  const { hardBounces, softBounces, complaints, failed, ...counts } = progress;
  const { replyTo, html, text } = campaign.content;
  return {
    ...showCampaign(campaign),
    reply_to: replyTo,
    html,
    text,
    progress: {
      ...counts,
      failed: { ...failed },
      hard_bounces: hardBounces,
      soft_bounces: softBounces,
      complaints,
    },
  };
}

export const showFailure = ({ phone, reason, at }: CampaignFailure): z.output<typeof failureAnswer> => ({
  address: phone,
  reason,
  at: iso(at),
});

export const showReturn = ({ userId, address, code, at }: CampaignReturn): z.output<typeof returnAnswer> => ({
  user_id: userId === null ? null : String(userId),
  address,
  code,
  at: iso(at),
});

export const showEstimate = (estimate: MailEstimate): z.output<typeof estimateAnswer> => ({
  recipients: estimate.recipients,
  price: formatAmount(estimate.price),
  cost: formatAmount(estimate.cost),
  balance: formatAmount(estimate.balance),
});
