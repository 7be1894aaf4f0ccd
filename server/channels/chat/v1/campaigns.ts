import { z } from 'zod';
import { progressOf } from '../../../campaigns/report.ts';
import type { Sql } from '../../../database/connection.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { answered } from '../../../interfaces/openapi/shown.ts';
import {
  campaignControls,
  campaignReports,
  campaignTimes,
} from '../../../interfaces/v1/campaigns-of-channel.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';
import type { Campaign } from '../campaigns.ts';

const campaignFields = {
  id: out.id('Its id, by which it is cancelled in the SMS family, too.', '1774337460000007'),
  name: out.maybeText('`campaign_name`.', 'Spring'),
  source: out.text('The business number.', '972550000001'),
  template_id: out.maybeText('The template; null when it was removed.', '1_972550000001_two'),
  state: out.text(
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the platform.',
    'running',
  ),
  total: out.count('Different numbers that were asked for, `sum` of the answer.', 1_200),
  ...campaignTimes,
};
const campaignAnswer = z.object(campaignFields);
const progressAnswer = z.object({
  ...campaignFields,
  progress: z
    .object({
      made: out.count('Recipients that are done or on their way; the others have no message yet.', 1_200),
      waiting: out.count('Not submitted to the platform yet.', 120),
      sent: out.count('Submitted, without a delivery status yet.', 80),
      delivered: out.count('Delivered, and not known to be read.', 600),
      read: out.count('Read.', 390),
      failed: answered(z.record(z.string(), z.int()), 'Not sent or not delivered, by reason.', {
        'two-unanswered': 7,
        blacklisted: 3,
      }),
      cancelled: out.count('Cancelled before they were submitted.', 0),
    })
    .describe('Messages by their outcome until now.'),
});
const failureAnswer = z.object({
  phone: out.text('The recipient; what was given, when that is no phone number.', '972501234567'),
  reason: out.text('Why, in a word.', 'two-unanswered'),
  at: out.time('When that was known'),
});

const show = serializer(campaignAnswer);

const chatCampaigns = {
  chapter: 'chat' as const,
  path: '/chat/campaigns',
  suffix: 'ChatCampaign',
  noun: 'chat campaign',
  carrier: 'platform',
  answer: campaignAnswer,
  detailAnswer: progressAnswer,
  failureAnswer,
  show,
  showDetail: async (campaign: Campaign, sql: Sql, accountId: number) => {
    const progress = await progressOf(sql, accountId, campaign.id);
    return { ...show(campaign), progress: { ...progress, failed: { ...progress.failed } } };
  },
  showFailure: serializer(failureAnswer),
};

/** Template campaigns of chat: their progress, and what stops them. sending.ts starts them. */
export const chatCampaignRoutes = [...campaignReports(chatCampaigns), ...campaignControls(chatCampaigns)];
