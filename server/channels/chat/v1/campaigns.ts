import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { campaignControls, campaignReports, campaignTimes } from '../../../api/v1/campaigns-of-channel.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Sql } from '../../../database/connection.ts';
import { progressOf } from '../../../engine/campaigns/report.ts';
import type { Campaign } from '../campaigns.ts';

const campaignFields = {
  id: out.id('Id of the campaign; `cancel` of the SMS API accepts it too.', '1774337460000007'),
  name: out.maybeText('`campaign_name`.', 'Spring'),
  source: out.text('Business number.', '972550000001'),
  template_id: out.maybeText('Template; null if it was removed.', '1_972550000001_two'),
  state: out.text(
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits for submission to the platform).',
    'running',
  ),
  total: out.count('Distinct recipients in the request, `sum` of the response.', 1_200),
  ...campaignTimes,
};
const campaignAnswer = z.object(campaignFields);
const progressAnswer = z.object({
  ...campaignFields,
  progress: z
    .object({
      made: out.count('Recipients whose message exists; the others have no message yet.', 1_200),
      waiting: out.count('Messages that are not submitted to the platform yet.', 120),
      sent: out.count('Submitted messages without a delivery status.', 80),
      delivered: out.count('Messages that are delivered and not reported as read.', 600),
      read: out.count('Read.', 390),
      failed: answered(
        z.record(z.string(), z.int()),
        'Messages that were not sent or not delivered, by reason.',
        {
          'two-unanswered': 7,
          blacklisted: 3,
        },
      ),
      cancelled: out.count('Messages cancelled before submission.', 0),
    })
    .describe('Messages by their current outcome.'),
});
const failureAnswer = z.object({
  phone: out.text(
    'Recipient, as international digits; the original text if it is not a phone number.',
    '972501234567',
  ),
  reason: out.text('Reason of the failure, as a short code.', 'two-unanswered'),
  at: out.time('Time at which the failure was recorded'),
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

/** Progress and control of chat template campaigns. sending.ts starts them. */
export const chatCampaignRoutes = [...campaignReports(chatCampaigns), ...campaignControls(chatCampaigns)];
