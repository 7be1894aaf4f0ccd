import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import {
  campaignControls,
  campaignReports,
  findCampaign,
  messagesPage,
} from '../../../api/v1/campaigns-of-channel.ts';
import { idOf, pageAnswer, pageOf, readPage } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { sendingRuleOf } from '../../../api/v1/kit/sending-fields.ts';
import type { Sql } from '../../../database/connection.ts';
import type { CoreContext } from '../../../run/services.ts';
import { bounceKinds, bouncesOf, mailProgressOf } from '../campaign-report.ts';
import type { MailCampaign, MailCampaigns } from '../campaigns.ts';
import {
  bounceAnswer,
  campaignAnswer,
  campaignBody,
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
} from './campaign-fields.ts';

const bouncesPage = messagesPage.extend({
  kind: z
    .enum(bounceKinds, 'must be hard, soft, complaint or removal')
    .describe('Kind of the entries: hard or soft bounces, complaints, or unsubscribes.'),
});
const refusals = ['unknown-list', 'source-not-verified', 'no-credit', 'not-allowed', 'not-now'] as const;

interface MailCampaignsDeps extends Pick<CoreContext, 'sql' | 'canceller' | 'sendingGate'> {
  readonly campaigns: MailCampaigns;
}

const route = resource<MailCampaignsDeps>('mail');

const mailCampaigns = {
  chapter: 'mail' as const,
  path: '/mail/campaigns',
  suffix: 'MailCampaign',
  noun: 'email campaign',
  carrier: 'relay',
  answer: campaignAnswer,
  detailAnswer: progressAnswer,
  failureAnswer,
  show: showCampaign,
  showDetail: async (campaign: MailCampaign, sql: Sql, accountId: number) =>
    showProgress(campaign, await mailProgressOf(sql, accountId, campaign.id)),
  showFailure,
};

/** Email campaigns: create, test, monitor and stop. */
export const mailCampaignRoutes = [
  route('POST /v1/mail/campaigns', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'createMailCampaign',
    title: 'Create an email campaign',
    description:
      'Accepts a campaign and holds its price. The emails are created and sent in the background; the event `campaign.finished` follows at the end.',
    refusals,
    body: campaignBody,
    answer: campaignAnswer,
    status: 202,
    handler: async ({ accountId, body, once }, { campaigns, sendingGate }) =>
      once(async (use) => {
        const rule = await sendingRuleOf({ sendingGate }, accountId, body);
        const request = { ...requestOf(accountId, body), rule };
        return showCampaign(await campaigns.create(request, use?.answering(showCampaign)));
      }),
  }),
  route('POST /v1/mail/campaigns/estimate', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'estimateMailCampaign',
    title: 'Estimate an email campaign',
    description: 'Makes the same checks as sending. Sends nothing.',
    refusals: ['unknown-list', 'source-not-verified', 'not-allowed'],
    body: campaignBody,
    answer: estimateAnswer,
    handler: async ({ accountId, body }, { campaigns }) =>
      showEstimate(await campaigns.estimate(requestOf(accountId, body))),
  }),
  route('POST /v1/mail/campaigns/preview', {
    access: dailyWork(reads('sender', 'send')),
    operationId: 'previewMailCampaign',
    title: 'Preview an email',
    description:
      'Renders the email for a user of the first list: the first one, or the next one. Sends nothing.',
    body: previewBody,
    answer: previewAnswer,
    handler: async ({ accountId, body }, { campaigns }) => {
      const preview = await campaigns.preview(requestOf(accountId, body), Number(body.after));
      const { fields, next } = preview;
      return { ...preview, fields: [...fields], next: next === null ? null : String(next) };
    },
  }),
  route('POST /v1/mail/campaigns/test', {
    access: withoutProof(sends(changes('sender', 'send'))),
    operationId: 'testMailCampaign',
    title: 'Send a test email',
    description:
      'Sends the email to a few addresses, with the fields of the first user of the first list, at the price of email. Campaign statistics do not include it. Each address counts in the budget `tests`.',
    refusals: [...refusals, 'over-budget'],
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
  ...campaignReports(mailCampaigns),
  route('GET /v1/mail/campaigns/:id/returns', {
    access: reads('viewer', 'read'),
    operationId: 'listMailCampaignReturns',
    title: 'List bounces and complaints of an email campaign',
    description: 'Lists bounces, complaints or unsubscribes, each with its user and the reason.',
    id: idOf('campaign'),
    query: bouncesPage,
    answer: pageAnswer('returns', bounceAnswer),
    handler: async ({ accountId, id, query: { kind, after = 0, limit } }, { sql, ...deps }) => {
      await findCampaign(deps, accountId, id);
      return pageOf(
        'returns',
        showBounce,
        readPage(limit, (most) => bouncesOf(sql, accountId, id, kind, after, most)),
      );
    },
  }),
  ...campaignControls(mailCampaigns),
];
