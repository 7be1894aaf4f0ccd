import { z } from 'zod';
import { type CampaignFailure, failuresOf, type Progress, progressOf } from '../../campaigns/report.ts';
import type { Campaign, Campaigns } from '../../channels/chat/campaigns.ts';
import type { Sql } from '../../database/connection.ts';
import type { Canceller } from '../../messages/cancel.ts';
import { answered } from '../openapi/shown.ts';
import { campaignControls, findCampaign } from './campaign-controls.ts';
import { idOf, iso, isoTime, maybeIso, out, pageAnswer, pageInOrder, pageOf } from './kit/fields.ts';
import { resource } from './kit/route.ts';

const MAX_CAMPAIGNS = 100;
const MAX_FAILURES = 1_000;

const campaignsPage = z.object(pageInOrder(MAX_CAMPAIGNS, 'the newest come first.'));
const failuresPage = z.object(pageInOrder(MAX_FAILURES, 'rows are in the order of the messages.'));

const campaignFields = {
  id: out.text('Its id, by which it is cancelled in the SMS family, too.', '1774337460000007'),
  name: out.maybeText('`campaign_name`.', 'Spring'),
  source: out.text('The business number.', '972550000001'),
  template_id: out.maybeText('The template; null when it was removed.', '1_972550000001_two'),
  state: out.text(
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be handed to the platform.',
    'running',
  ),
  total: out.count('Different numbers that were asked for, `sum` of the answer.', 1_200),
  due_at: isoTime('When it begins'),
  created_at: isoTime('When it was accepted'),
  finished_at: out.maybeText('When it ended, ISO 8601.', null),
};
const campaignAnswer = z.object(campaignFields);
const progressAnswer = z.object({
  ...campaignFields,
  progress: z
    .object({
      made: out.count('Recipients that are done or on their way; the others have no message yet.', 1_200),
      waiting: out.count('Not handed to the platform yet.', 120),
      sent: out.count('Handed over, and nothing known beyond that.', 80),
      delivered: out.count('Delivered, and not known to be read.', 600),
      read: out.count('Read.', 390),
      failed: answered(z.record(z.string(), z.int()), 'Not sent or not delivered, by reason.', {
        'two-unanswered': 7,
        blacklisted: 3,
      }),
      cancelled: out.count('Cancelled before they were handed over.', 0),
    })
    .describe('Messages by what became of them until now.'),
});
const failureAnswer = z.object({
  phone: out.text('The recipient; what was given, when that is no phone number.', '972501234567'),
  reason: out.text('Why, in a word.', 'two-unanswered'),
  at: isoTime('When that was known'),
});
const cancelAnswer = z.object({
  ...campaignFields,
  cancelled: out.count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: out.count('Messages that were with the platform before.', 400),
});

interface ChatCampaignsDeps {
  readonly sql: Sql;
  readonly campaigns: Campaigns;
  readonly canceller: Canceller;
}

const route = resource<ChatCampaignsDeps>('chat');

/** Template campaigns of chat: their progress, and what stops them. chat-sending.ts starts them. */
export const chatCampaignRoutes = [
  route({
    method: 'GET',
    path: '/chat/campaigns',
    docs: {
      id: 'listChatCampaigns',
      title: 'Campaigns',
      description: 'Template campaigns, the newest first, without their progress.',
    },
    query: campaignsPage,
    answer: pageAnswer('campaigns', campaignAnswer),
    handler: async ({ accountId, query: { after, limit } }, { campaigns: all }) => {
      const { rows, next } = await pageOf(limit, (most) => all.list(accountId, after, most));
      return { campaigns: rows.map(show), next };
    },
  }),
  route({
    method: 'GET',
    path: '/chat/campaigns/:id',
    docs: {
      id: 'showChatCampaign',
      title: 'How far a campaign is',
      description: 'A campaign, with its messages by what became of them.',
    },
    id: idOf('campaign'),
    answer: progressAnswer,
    handler: async ({ accountId, id }, deps) => {
      const campaign = await findCampaign(deps, accountId, id);
      const progress = await progressOf(deps.sql, accountId, campaign.id);
      return { ...show(campaign), progress: showProgress(progress) };
    },
  }),
  route({
    method: 'GET',
    path: '/chat/campaigns/:id/failures',
    docs: {
      id: 'listChatCampaignFailures',
      title: 'Whom a campaign did not reach',
      description: 'Recipients that were not sent to or not reached, each with the reason.',
    },
    id: idOf('campaign'),
    query: failuresPage,
    answer: pageAnswer('failures', failureAnswer),
    handler: async ({ accountId, id, query: { after = 0, limit } }, deps) => {
      await findCampaign(deps, accountId, id);
      const { rows, next } = await pageOf(limit, (most) => failuresOf(deps.sql, accountId, id, after, most));
      return { failures: rows.map(showFailure), next };
    },
  }),
  ...campaignControls({
    chapter: 'chat',
    path: '/chat/campaigns',
    suffix: 'ChatCampaign',
    noun: 'campaign',
    carrier: 'platform',
    answer: campaignAnswer,
    cancelAnswer,
    show: show,
    showCancelled: (campaign: Campaign, counts) => ({ ...show(campaign), ...counts }),
  }),
];

function show(campaign: Campaign): z.output<typeof campaignAnswer> {
  return {
    id: String(campaign.id),
    name: campaign.name,
    source: campaign.source,
    template_id: campaign.templateId,
    state: campaign.state,
    total: campaign.total,
    due_at: iso(campaign.dueAt),
    created_at: iso(campaign.createdAt),
    finished_at: maybeIso(campaign.finishedAt),
  };
}

function showProgress(progress: Progress): z.output<typeof progressAnswer>['progress'] {
  return { ...progress, failed: { ...progress.failed } };
}

function showFailure({ phone, reason, at }: CampaignFailure): z.output<typeof failureAnswer> {
  return { phone, reason, at: iso(at) };
}
