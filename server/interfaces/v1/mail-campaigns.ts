import { z } from 'zod';
import { failuresOf } from '../../campaigns/report.ts';
import { mailProgressOf, returnKinds, returnsOf } from '../../channels/mail/campaign-report.ts';
import type { MailCampaign, MailCampaigns } from '../../channels/mail/campaigns.ts';
import type { Sql } from '../../database/connection.ts';
import type { Canceller } from '../../messages/cancel.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { withBody } from './json-body.ts';
import {
  campaignAnswer,
  campaignBody,
  cancelAnswer,
  estimateAnswer,
  failureAnswer,
  previewAnswer,
  previewBody,
  progressAnswer,
  requestOf,
  returnAnswer,
  showCampaign,
  showEstimate,
  showFailure,
  showProgress,
  showReturn,
  testAnswer,
  testBody,
} from './mail-campaign-fields.ts';

const CAMPAIGNS_MOST = 100;
const FAILURES_MOST = 1_000;

const after = (of: string) =>
  z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .transform(Number)
    .describe(`\`next\` of the page before; ${of}`);
const campaignsPage = z.object({
  after: after('the newest come first.'),
  limit: pageLimit(CAMPAIGNS_MOST).describe('Campaigns of a page.'),
});
const failuresPage = z.object({
  after: after('rows are in the order of the mails.'),
  limit: pageLimit(FAILURES_MOST).describe('Rows of a page.'),
});
const returnsPage = failuresPage.extend({
  kind: z
    .enum(returnKinds, 'must be hard, soft, complaint or removal')
    .describe('Which: bounces for good or for now, complaints, or requests to get no more mails.'),
});
const next = answered(z.string().nullable(), '`after` of the following page; null on the last one.', null);
const pathOfCampaign = 'The id of the campaign.';
const refusals = ['unknown-list', 'source-not-verified', 'no-credit', 'not-allowed'] as const;

type WithId = { Params: { id: string } };

/**
 * Mail campaigns under /v1, a part of the door:
 * - `POST /mail/campaigns`: makes one; `/estimate`: what it would come to; `/preview`: as one user would get it; `/test`:
 *   sends it to a few addresses
 * - `GET /mail/campaigns?after=&limit=`: the campaigns, the newest first
 * - `GET /mail/campaigns/:id`: one of them, with its progress
 * - `GET /mail/campaigns/:id/failures?after=&limit=`: who did not get it, and why
 * - `GET /mail/campaigns/:id/returns?kind=&after=&limit=`: bounces, complaints, removals
 * - `POST /mail/campaigns/:id/pause`, `/resume`, `/cancel`
 */
export function mailCampaignsPart(parts: {
  readonly sql: Sql;
  readonly campaigns: MailCampaigns;
  readonly canceller: Canceller;
}): V1Part {
  const { sql, campaigns, canceller } = parts;

  async function find(accountId: number, text: string): Promise<MailCampaign> {
    const campaign = await campaigns.find(accountId, pathId(text, 'campaign'));
    if (!campaign) throw new NotFound('no such campaign');
    return campaign;
  }

  return (app, accountOf, _callerOf, once) => {
    app.post(
      '/mail/campaigns',
      withBody(
        described({
          chapter: 'mail',
          id: 'createMailCampaign',
          title: 'Send to mailing lists',
          description:
            'Accepts a campaign, and holds its price; the mails are made and sent by and by. The event `campaign.finished` tells its end.',
          answer: campaignAnswer,
          status: 202,
          refusals,
        }),
        campaignBody,
      ),
      async (request, reply) => {
        const body = read(campaignBody, request.body);
        const { id: accountId } = accountOf(request);
        const answer = await once(request, reply, { accountId, content: body }, async (use) =>
          showCampaign(await campaigns.create(requestOf(accountId, body), use?.answering(showCampaign))),
        );
        return reply.code(202).send(answer);
      },
    );

    app.post(
      '/mail/campaigns/estimate',
      withBody(
        described({
          chapter: 'mail',
          id: 'estimateMailCampaign',
          title: 'What a campaign would come to',
          description: 'Makes the checks that sending it would make, and sends nothing.',
          answer: estimateAnswer,
          refusals: ['unknown-list', 'source-not-verified', 'not-allowed'],
        }),
        campaignBody,
      ),
      async (request) => {
        const body = read(campaignBody, request.body);
        return showEstimate(await campaigns.estimate(requestOf(accountOf(request).id, body)));
      },
    );

    app.post(
      '/mail/campaigns/preview',
      withBody(
        described({
          chapter: 'mail',
          id: 'previewMailCampaign',
          title: 'A mail as one user would get it',
          description: 'Puts in the fields of the first user of the first list. Sends nothing.',
          answer: previewAnswer,
        }),
        previewBody,
      ),
      async (request) => {
        const body = read(previewBody, request.body);
        const preview = await campaigns.preview(requestOf(accountOf(request).id, body));
        return { ...preview, fields: [...preview.fields] };
      },
    );

    app.post(
      '/mail/campaigns/test',
      withBody(
        described({
          chapter: 'mail',
          id: 'testMailCampaign',
          title: 'Send a mail to try it',
          description:
            'Sends it at once to a few addresses, with the fields of the first user of the first list, at the price of mails. Nothing of it is counted.',
          answer: testAnswer,
          status: 202,
          refusals,
        }),
        testBody,
      ),
      async (request, reply) => {
        const body = read(testBody, request.body);
        const to = [...new Set(body.to)];
        const { id: accountId } = accountOf(request);
        const answer = { mails: to.length };
        const sent = await once(request, reply, { accountId, content: body }, async (use) => {
          await campaigns.test(
            requestOf(accountId, body),
            to,
            use?.answering(() => answer),
          );
          return answer;
        });
        return reply.code(202).send(sent);
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.get(
        '/mail/campaigns',
        described({
          chapter: 'mail',
          id: 'listMailCampaigns',
          title: 'Mail campaigns',
          description: 'Campaigns, the newest first, without their progress.',
          query: campaignsPage,
          answer: z.object({ campaigns: z.array(campaignAnswer), next }),
        }),
        async (request) => {
          const page = read(campaignsPage, request.query);
          // One more than is shown: whether there is a following page.
          const found = await campaigns.list(accountOf(request).id, page.after || undefined, page.limit + 1);
          const rows = found.slice(0, page.limit);
          return { campaigns: rows.map(showCampaign), next: nextOf(found, rows) };
        },
      );

      bodiless.get<WithId>(
        '/mail/campaigns/:id',
        described({
          chapter: 'mail',
          id: 'showMailCampaign',
          title: 'How far a mail campaign is',
          description: 'A campaign, with its mails by what became of them.',
          pathId: pathOfCampaign,
          answer: progressAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const account = accountOf(request);
          const campaign = await find(account.id, request.params.id);
          return showProgress(campaign, await mailProgressOf(sql, account.id, campaign.id));
        },
      );

      bodiless.get<WithId>(
        '/mail/campaigns/:id/failures',
        described({
          chapter: 'mail',
          id: 'listMailCampaignFailures',
          title: 'Whom a mail campaign did not reach',
          description: 'Recipients whose mail was not handed over or came back, each with the reason.',
          pathId: pathOfCampaign,
          query: failuresPage,
          answer: z.object({ failures: z.array(failureAnswer), next }),
          refusals: ['not-found'],
        }),
        async (request) => {
          const page = read(failuresPage, request.query);
          const account = accountOf(request);
          const { id } = await find(account.id, request.params.id);
          const found = await failuresOf(sql, account.id, id, page.after, page.limit + 1);
          const rows = found.slice(0, page.limit);
          return { failures: rows.map(showFailure), next: nextOf(found, rows) };
        },
      );

      bodiless.get<WithId>(
        '/mail/campaigns/:id/returns',
        described({
          chapter: 'mail',
          id: 'listMailCampaignReturns',
          title: 'What came back of a mail campaign',
          description: 'Bounces, complaints, or removals, each with its user and the reason.',
          pathId: pathOfCampaign,
          query: returnsPage,
          answer: z.object({ returns: z.array(returnAnswer), next }),
          refusals: ['not-found'],
        }),
        async (request) => {
          const { kind, after: afterId, limit } = read(returnsPage, request.query);
          const account = accountOf(request);
          const { id } = await find(account.id, request.params.id);
          const found = await returnsOf(sql, account.id, id, kind, afterId, limit + 1);
          const rows = found.slice(0, limit);
          return { returns: rows.map(showReturn), next: nextOf(found, rows) };
        },
      );

      bodiless.post<WithId>(
        '/mail/campaigns/:id/pause',
        described({
          chapter: 'mail',
          id: 'pauseMailCampaign',
          title: 'Pause a mail campaign',
          description: 'What was not handed to the relay yet waits. Its credit stays held.',
          pathId: pathOfCampaign,
          answer: campaignAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        async (request) => {
          const account = accountOf(request);
          const { id } = await find(account.id, request.params.id);
          return showCampaign(await campaigns.pause(account.id, id));
        },
      );

      bodiless.post<WithId>(
        '/mail/campaigns/:id/resume',
        described({
          chapter: 'mail',
          id: 'resumeMailCampaign',
          title: 'Let a paused mail campaign go on',
          description: 'It goes on where it was paused.',
          pathId: pathOfCampaign,
          answer: campaignAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        async (request) => {
          const account = accountOf(request);
          const { id } = await find(account.id, request.params.id);
          return showCampaign(await campaigns.resume(account.id, id));
        },
      );

      bodiless.post<WithId>(
        '/mail/campaigns/:id/cancel',
        described({
          chapter: 'mail',
          id: 'cancelMailCampaign',
          title: 'Cancel a mail campaign',
          description: 'What was not handed to the relay yet is given up, and its credit goes back.',
          pathId: pathOfCampaign,
          answer: cancelAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        async (request) => {
          const account = accountOf(request);
          const { id } = await find(account.id, request.params.id);
          const { cancelled, handedOver } = await canceller.byId(account.id, id);
          const campaign = await find(account.id, request.params.id);
          return { ...showCampaign(campaign), cancelled, handed_over: handedOver };
        },
      );
    });
  };
}

function nextOf(found: readonly unknown[], rows: readonly { readonly id: number }[]): string | null {
  return found.length > rows.length ? String(rows.at(-1)!.id) : null;
}
