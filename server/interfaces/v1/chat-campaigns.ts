import { z } from 'zod';
import { type CampaignFailure, failuresOf, type Progress, progressOf } from '../../campaigns/report.ts';
import type { Campaign, Campaigns } from '../../channels/chat/campaigns.ts';
import type { Sql } from '../../database/connection.ts';
import type { Canceller } from '../../messages/cancel.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';

const CAMPAIGNS_MOST = 100;
const FAILURES_MOST = 1_000;

const after = (of: string) =>
  z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .transform(Number)
    .describe(`\`next\` of the page before; ${of}`);
const limit = (most: number) =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(most, `must be ${most} or less`)
    .default(most)
    .describe('Rows of a page.');
const campaignsPage = z.object({
  after: after('the newest come first.'),
  limit: limit(CAMPAIGNS_MOST),
});
const failuresPage = z.object({
  after: after('rows are in the order of the messages.'),
  limit: limit(FAILURES_MOST),
});

const time = (meaning: string) => answered(z.string(), `${meaning}, ISO 8601.`, '2026-03-24T07:31:00.000Z');
const campaignFields = {
  id: answered(z.string(), 'Its id, by which it is cancelled in the SMS family, too.', '1774337460000007'),
  name: answered(z.string().nullable(), '`campaign_name`.', 'Spring'),
  source: answered(z.string(), 'The business number.', '972550000001'),
  template_id: answered(
    z.string().nullable(),
    'The template; null when it was removed.',
    '1_972550000001_two',
  ),
  state: answered(
    z.string(),
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be handed to the platform.',
    'running',
  ),
  total: answered(z.int(), 'Different numbers that were asked for, `sum` of the answer.', 1_200),
  due_at: time('When it begins'),
  created_at: time('When it was accepted'),
  finished_at: answered(z.string().nullable(), 'When it ended, ISO 8601.', null),
};
const campaignAnswer = z.object(campaignFields);
const count = (meaning: string, example: number) => answered(z.int(), meaning, example);
const progressAnswer = z.object({
  ...campaignFields,
  progress: z
    .object({
      made: count('Recipients that are done or on their way; the others have no message yet.', 1_200),
      waiting: count('Not handed to the platform yet.', 120),
      sent: count('Handed over, and nothing known beyond that.', 80),
      delivered: count('Delivered, and not known to be read.', 600),
      read: count('Read.', 390),
      failed: answered(z.record(z.string(), z.int()), 'Not sent or not delivered, by reason.', {
        'two-unanswered': 7,
        blacklisted: 3,
      }),
      cancelled: count('Cancelled before they were handed over.', 0),
    })
    .describe('Messages by what became of them until now.'),
});
const failureAnswer = z.object({
  phone: answered(z.string(), 'The recipient; what was given, when that is no phone number.', '972501234567'),
  reason: answered(z.string(), 'Why, in a word.', 'two-unanswered'),
  at: time('When that was known'),
});
const cancelAnswer = z.object({
  ...campaignFields,
  cancelled: count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: count('Messages that were with the platform before.', 400),
});
const next = answered(z.string().nullable(), '`after` of the following page; null on the last one.', null);
const pathOfCampaign = 'The id of the campaign.';

type WithId = { Params: { id: string } };

/**
 * Campaigns of chat under /v1, a part of the door:
 * - `GET /chat/campaigns?after=&limit=`: the campaigns, the newest first
 * - `GET /chat/campaigns/:id`: one of them, with its progress
 * - `GET /chat/campaigns/:id/failures?after=&limit=`: who was not sent to or not reached, and why
 * - `POST /chat/campaigns/:id/pause`, `/resume`, `/cancel`
 */
export function chatCampaignsPart(parts: {
  readonly sql: Sql;
  readonly campaigns: Campaigns;
  readonly canceller: Canceller;
}): V1Part {
  const { sql, campaigns, canceller } = parts;

  async function find(accountId: number, text: string): Promise<Campaign> {
    const campaign = await campaigns.find(accountId, pathId(text, 'campaign'));
    if (!campaign) throw new NotFound('no such campaign');
    return campaign;
  }

  return (app, accountOf) => {
    takeBodies(app, passOver);

    app.get(
      '/chat/campaigns',
      described({
        chapter: 'chat',
        id: 'listChatCampaigns',
        title: 'Campaigns',
        description: 'Template campaigns, the newest first, without their progress.',
        query: campaignsPage,
        answer: z.object({ campaigns: z.array(campaignAnswer), next }),
      }),
      async (request) => {
        const page = read(campaignsPage, request.query);
        // One more than is shown: whether there is a following page.
        const found = await campaigns.list(accountOf(request).id, page.after || undefined, page.limit + 1);
        const rows = found.slice(0, page.limit);
        return { campaigns: rows.map(show), next: nextOf(found, rows) };
      },
    );

    app.get<WithId>(
      '/chat/campaigns/:id',
      described({
        chapter: 'chat',
        id: 'showChatCampaign',
        title: 'How far a campaign is',
        description: 'A campaign, with its messages by what became of them.',
        pathId: pathOfCampaign,
        answer: progressAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const account = accountOf(request);
        const campaign = await find(account.id, request.params.id);
        const progress = await progressOf(sql, account.id, campaign.id);
        return { ...show(campaign), progress: showProgress(progress) };
      },
    );

    app.get<WithId>(
      '/chat/campaigns/:id/failures',
      described({
        chapter: 'chat',
        id: 'listChatCampaignFailures',
        title: 'Whom a campaign did not reach',
        description: 'Recipients that were not sent to or not reached, each with the reason.',
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

    app.post<WithId>(
      '/chat/campaigns/:id/pause',
      described({
        chapter: 'chat',
        id: 'pauseChatCampaign',
        title: 'Pause a campaign',
        description: 'What was not handed to the platform yet waits. Its credit stays held.',
        pathId: pathOfCampaign,
        answer: campaignAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request) => {
        const account = accountOf(request);
        const { id } = await find(account.id, request.params.id);
        return show(await campaigns.pause(account.id, id));
      },
    );

    app.post<WithId>(
      '/chat/campaigns/:id/resume',
      described({
        chapter: 'chat',
        id: 'resumeChatCampaign',
        title: 'Let a paused campaign go on',
        description: 'It goes on where it was paused.',
        pathId: pathOfCampaign,
        answer: campaignAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request) => {
        const account = accountOf(request);
        const { id } = await find(account.id, request.params.id);
        return show(await campaigns.resume(account.id, id));
      },
    );

    app.post<WithId>(
      '/chat/campaigns/:id/cancel',
      described({
        chapter: 'chat',
        id: 'cancelChatCampaign',
        title: 'Cancel a campaign',
        description: 'What was not handed to the platform yet is given up, and its credit goes back.',
        pathId: pathOfCampaign,
        answer: cancelAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request) => {
        const account = accountOf(request);
        const { id } = await find(account.id, request.params.id);
        const { cancelled, handedOver } = await canceller.byId(account.id, id);
        const campaign = await find(account.id, request.params.id);
        return { ...show(campaign), cancelled, handed_over: handedOver };
      },
    );
  };
}

function nextOf(found: readonly unknown[], rows: readonly { readonly id: number }[]): string | null {
  return found.length > rows.length ? String(rows.at(-1)!.id) : null;
}

const iso = (at: number) => new Date(at).toISOString();

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
    finished_at: campaign.finishedAt === null ? null : iso(campaign.finishedAt),
  };
}

function showProgress(progress: Progress): z.output<typeof progressAnswer>['progress'] {
  return { ...progress, failed: { ...progress.failed } };
}

function showFailure({ phone, reason, at }: CampaignFailure): z.output<typeof failureAnswer> {
  return { phone, reason, at: iso(at) };
}
