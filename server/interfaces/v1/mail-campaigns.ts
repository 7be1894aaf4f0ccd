import { z } from 'zod';
import { failuresOf } from '../../campaigns/report.ts';
import { bounceKinds, bouncesOf, mailProgressOf } from '../../channels/mail/campaign-report.ts';
import type { MailCampaign, MailCampaigns } from '../../channels/mail/campaigns.ts';
import type { Sql } from '../../database/connection.ts';
import type { Canceller } from '../../messages/cancel.ts';
import type { SendKeyUse } from '../../send-keys/send-keys.ts';
import { campaignControls, findCampaign } from './campaign-controls.ts';
import { idOf, pageAnswer, pageInOrder, pageOf } from './kit/fields.ts';
import { resource } from './kit/route.ts';
import {
  bounceAnswer,
  campaignAnswer,
  campaignBody,
  cancelAnswer,
  estimateAnswer,
  failureAnswer,
  previewAnswer,
  previewBody,
  progressAnswer,
  requestOf,
  showBounce,
  showCampaign,
  showEstimate,
  showFailure,
  showProgress,
  testAnswer,
  testBody,
} from './mail-campaign-fields.ts';

const MAX_CAMPAIGNS = 100;
const MAX_FAILURES = 1_000;

const campaignsPage = z.object(pageInOrder(MAX_CAMPAIGNS, 'the newest come first.'));
const failuresPage = z.object(pageInOrder(MAX_FAILURES, 'rows are in the order of the mails.'));
const bouncesPage = failuresPage.extend({
  kind: z
    .enum(bounceKinds, 'must be hard, soft, complaint or removal')
    .describe('Which: bounces for good or for now, complaints, or requests to get no more mails.'),
});
const refusals = ['unknown-list', 'source-not-verified', 'no-credit', 'not-allowed'] as const;

interface MailCampaignsDeps {
  readonly sql: Sql;
  readonly campaigns: MailCampaigns;
  readonly canceller: Canceller;
}

const route = resource<MailCampaignsDeps>('mail');

/** Mail campaigns: started, tried, followed and stopped. */
export const mailCampaignRoutes = [
  route({
    method: 'POST',
    path: '/mail/campaigns',
    docs: {
      id: 'createMailCampaign',
      title: 'Send to mailing lists',
      description:
        'Accepts a campaign, and holds its price; the mails are made and sent by and by. The event `campaign.finished` tells its end.',
      refusals,
    },
    body: campaignBody,
    answer: campaignAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, { campaigns }) =>
      once(async (use) =>
        showCampaign(await campaigns.create(requestOf(accountId, body), use?.answering(showCampaign))),
      ),
  }),
  route({
    method: 'POST',
    path: '/mail/campaigns/estimate',
    docs: {
      id: 'estimateMailCampaign',
      title: 'What a campaign would come to',
      description: 'Makes the checks that sending it would make, and sends nothing.',
      refusals: ['unknown-list', 'source-not-verified', 'not-allowed'],
    },
    body: campaignBody,
    answer: estimateAnswer,
    handler: async ({ accountId, body }, { campaigns }) =>
      showEstimate(await campaigns.estimate(requestOf(accountId, body))),
  }),
  route({
    method: 'POST',
    path: '/mail/campaigns/preview',
    docs: {
      id: 'previewMailCampaign',
      title: 'A mail as one user would get it',
      description: 'Puts in the fields of the first user of the first list. Sends nothing.',
    },
    body: previewBody,
    answer: previewAnswer,
    handler: async ({ accountId, body }, { campaigns }) => {
      const preview = await campaigns.preview(requestOf(accountId, body));
      return { ...preview, fields: [...preview.fields] };
    },
  }),
  route({
    method: 'POST',
    path: '/mail/campaigns/test',
    docs: {
      id: 'testMailCampaign',
      title: 'Send a mail to try it',
      description:
        'Sends it at once to a few addresses, with the fields of the first user of the first list, at the price of mails. Nothing of it is counted.',
      refusals,
    },
    body: testBody,
    answer: testAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, { campaigns }) => {
      const to = [...new Set(body.to)];
      const answer = { mails: to.length };
      const sendKey = (use: SendKeyUse | undefined) => use?.answering(() => answer);
      return once(async (use) => {
        await campaigns.test(requestOf(accountId, body), to, sendKey(use));
        return answer;
      });
    },
  }),
  route({
    method: 'GET',
    path: '/mail/campaigns',
    docs: {
      id: 'listMailCampaigns',
      title: 'Mail campaigns',
      description: 'Campaigns, the newest first, without their progress.',
    },
    query: campaignsPage,
    answer: pageAnswer('campaigns', campaignAnswer),
    handler: async ({ accountId, query: { after, limit } }, { campaigns: all }) => {
      const { rows, next } = await pageOf(limit, (most) => all.list(accountId, after, most));
      return { campaigns: rows.map(showCampaign), next };
    },
  }),
  route({
    method: 'GET',
    path: '/mail/campaigns/:id',
    docs: {
      id: 'showMailCampaign',
      title: 'How far a mail campaign is',
      description: 'A campaign, with its mails by what became of them.',
    },
    id: idOf('campaign'),
    answer: progressAnswer,
    handler: async ({ accountId, id }, deps) => {
      const campaign = await findCampaign(deps, accountId, id);
      return showProgress(campaign, await mailProgressOf(deps.sql, accountId, campaign.id));
    },
  }),
  route({
    method: 'GET',
    path: '/mail/campaigns/:id/failures',
    docs: {
      id: 'listMailCampaignFailures',
      title: 'Whom a mail campaign did not reach',
      description: 'Recipients whose mail was not handed over or came back, each with the reason.',
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
  route({
    method: 'GET',
    path: '/mail/campaigns/:id/returns',
    docs: {
      id: 'listMailCampaignReturns',
      title: 'What came back of a mail campaign',
      description: 'Bounces, complaints, or removals, each with its user and the reason.',
    },
    id: idOf('campaign'),
    query: bouncesPage,
    answer: pageAnswer('returns', bounceAnswer),
    handler: async ({ accountId, id, query: { kind, after = 0, limit } }, { sql, ...deps }) => {
      await findCampaign(deps, accountId, id);
      const { rows, next } = await pageOf(limit, (most) => bouncesOf(sql, accountId, id, kind, after, most));
      return { returns: rows.map(showBounce), next };
    },
  }),
  ...campaignControls({
    chapter: 'mail',
    path: '/mail/campaigns',
    suffix: 'MailCampaign',
    noun: 'mail campaign',
    carrier: 'relay',
    answer: campaignAnswer,
    cancelAnswer,
    show: showCampaign,
    showCancelled: (campaign: MailCampaign, counts) => ({ ...showCampaign(campaign), ...counts }),
  }),
];
