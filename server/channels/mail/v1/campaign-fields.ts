import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { campaignTimes } from '../../../api/v1/campaigns-of-channel.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { afterDigits, field } from '../../../api/v1/kit/fields.ts';
import { sendingFields, withoutConsentMeaning } from '../../../api/v1/kit/sending-fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CampaignFailure } from '../../../engine/campaigns/report.ts';
import type { MailProgress } from '../campaign-report.ts';
import {
  MAX_LISTS,
  MAX_TESTS,
  type MailCampaign,
  type MailCampaignRequest,
  type MailEstimate,
} from '../campaigns.ts';

/* Email campaigns under /v1. */

const contentFields = {
  from: field(
    z.object({ name: z.string().default(''), address: z.string() }),
    'Sender: an address from which the account may send, and the displayed name.',
    { name: 'The shop', address: 'news@example.com' },
  ),
  reply_to: field(
    z.string().nullish(),
    'Address for replies, if different from the sender.',
    'service@example.com',
  ),
  subject: field(
    z.string(),
    'Subject, one line. Fields are written as `{{FirstName}}`, or `{{FirstName|friend}}`.',
    'Hello {{FirstName}}',
  ),
  html: field(
    z.string().nullish(),
    'Email in HTML. `{{unsubscribe}}` is the address of the unsubscribe page; without it, a link is appended.',
    '<p>Hello {{FirstName|friend}}, <a href="https://example.com/spring">look</a>.</p>',
  ),
  text: field(
    z.string().nullish(),
    'Email in plain text. HTML, text, or both are required.',
    'Hello {{FirstName|friend}}, look: https://example.com/spring',
  ),
};
const lists = (least: number) =>
  field(
    z.array(z.coerce.number().int().positive()).min(least).max(MAX_LISTS),
    'Ids of mailing lists. A user of several lists gets one email.',
    [17],
  );

export const campaignBody = z.object({
  name: field(z.string().nullish(), 'Name of the campaign, up to 50 characters.', 'Spring'),
  ...contentFields,
  lists: lists(1),
  at: field(
    z.iso.datetime({ offset: true }).nullish(),
    'Start time, ISO 8601; immediately if absent or in the past.',
    '2026-12-01T09:00:00+02:00',
  ),
  ...sendingFields,
});
type CampaignBody = z.output<typeof campaignBody>;

export const testBody = z.object({
  ...contentFields,
  lists: lists(0).default([]),
  to: field(z.array(z.string()).min(1).max(MAX_TESTS), 'Addresses that receive the test.', [
    'me@example.com',
  ]),
});

export const previewBody = z.object({
  ...contentFields,
  lists: lists(0).default([]),
  after: field(afterDigits, '`next` of the previous preview; empty for the first user.', ''),
});

/** Converts a body for the domain. */
export function requestOf(
  accountId: number,
  body: Omit<z.output<typeof previewBody>, 'after'> & {
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

const campaignFields = {
  id: out.id('Id of the campaign.', '1774337460000007'),
  name: out.maybeText('`name`.', 'Spring'),
  subject: sensitive(out.text('`subject`, with its fields.', 'Hello {{FirstName}}'), 'message-text'),
  from: answered(z.object({ name: z.string(), address: z.string() }), '`from`.', {
    name: 'The shop',
    address: 'news@example.com',
  }),
  lists: out.texts('`lists`.', ['17']),
  state: out.text(
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished` (no email waits for submission to the relay).',
    'running',
  ),
  total: out.count('Active users of the lists at acceptance, each once.', 1_200),
  ...campaignTimes,
};

export const campaignAnswer = z.object(campaignFields);
export const progressAnswer = z.object({
  ...campaignFields,
  reply_to: out.maybeText('`reply_to`.', null),
  html: sensitive(out.maybeText('`html`.', '<p>Hello {{FirstName|friend}}</p>'), 'message-text'),
  text: sensitive(out.maybeText('`text`.', null), 'message-text'),
  progress: z
    .object({
      made: out.count('Recipients whose email exists; the others have no email yet.', 1_200),
      waiting: out.count('Emails that are not submitted to the relay yet.', 120),
      sent: out.count('Emails submitted to the relay that did not bounce.', 1_050),
      opened: out.count('Opened emails among them, if the list counts opens.', 390),
      clicked: out.count('Recipients who clicked a link, if the list counts clicks.', 80),
      failed: answered(
        z.record(z.string(), z.int()),
        'Emails that were not submitted or that bounced, by reason.',
        {
          'bounce 5.1.1': 20,
          removed: 10,
        },
      ),
      cancelled: out.count('Messages cancelled before submission.', 0),
      hard_bounces: out.count('Hard bounces.', 18),
      soft_bounces: out.count('Soft bounces.', 2),
      complaints: out.count('Emails marked as spam by the recipient.', 1),
      removals: out.count('Recipients who unsubscribed through the campaign.', 4),
    })
    .describe('Emails by their current outcome.'),
});
export const failureAnswer = z.object({
  address: out.text('Recipient.', 'dana@example.com'),
  reason: out.text(
    'Reason: the reply of the relay (`550 5.1.1`), `bounce` with the code of the report, `removed`, `complained`, `bounced`, `deleted`, `no-credit`, `EXPIRED`.',
    'bounce 5.1.1',
  ),
  at: out.time('Time at which the failure was recorded'),
});
export const bounceAnswer = z.object({
  user_id: out.maybeId('Id of the user; null for a recipient who is in no list.', '1001'),
  address: out.text('Recipient.', 'dana@example.com'),
  code: out.text(
    'Code of the report for a bounce, type of a complaint, `page` or `one-click` for an unsubscribe.',
    '5.1.1',
  ),
  at: out.time('Time of the report'),
});
export const estimateAnswer = z.object({
  recipients: out.count('Active users of the lists, each once.', 1_200),
  without_consent: out.maybeCount(withoutConsentMeaning, null),
  price: out.credits('Price of an email in credits.', '0.1'),
  cost: out.credits('Price of all emails in credits.', '120'),
  balance: out.credits('Balance of the account in credits.', '99880'),
});
export const testAnswer = z.object({ mails: out.count('Accepted emails.', 1) });
export const previewAnswer = z.object({
  address: out.maybeText('Address of the user; null without one.', 'dana@example.com'),
  subject: out.text('Subject for the user.', 'Hello Dana'),
  html: out.maybeText('HTML for this user.', '<p>Hello Dana</p>'),
  text: out.maybeText('Text for this user.', null),
  fields: out.texts('Names of the fields in the email, in lower case.', ['firstname']),
  next: out.maybeText('`after` of the next user; null for the last one.', null),
});

export const showCampaign = serializer(campaignAnswer, ({ content, listIds }: MailCampaign) => ({
  subject: content.subject,
  from: { ...content.from },
  lists: listIds.map(String),
}));

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

export const showFailure = serializer(failureAnswer, ({ phone }: CampaignFailure) => ({ address: phone }));
export const showBounce = serializer(bounceAnswer);
export const showEstimate = serializer(estimateAnswer, ({ withoutConsent }: MailEstimate) => ({
  without_consent: withoutConsent,
}));
