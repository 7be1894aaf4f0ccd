import { z } from 'zod';
import type { Sql } from '../../database/connection.ts';
import type { CampaignControl } from '../../engine/campaigns/control.ts';
import { type CampaignFailure, failuresOf } from '../../engine/campaigns/report.ts';
import type { Canceller } from '../../engine/messages/cancel.ts';
import { changes, dailyWork, reads } from '../access/rules.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { out } from '../openapi/out.ts';
import { found, idOf, pageAnswer, pageInOrder, pageOf, readPage } from './kit/fields.ts';
import { type Answered, type Route, resource } from './kit/route.ts';

const MAX_CAMPAIGNS = 100;
const MAX_FAILURES = 1_000;

const campaignsPage = z.object(pageInOrder(MAX_CAMPAIGNS, 'the newest is first.'));
/** A page of rows about messages of a campaign. */
export const messagesPage = z.object(pageInOrder(MAX_FAILURES, 'rows are in the order of the messages.'));

/** Fields of a campaign of any channel. */
export const campaignTimes = {
  due_at: out.time('Start time'),
  created_at: out.time('Time of acceptance'),
  finished_at: out.maybeInstant('Time of the end, ISO 8601.', null),
};

/** Campaigns of a channel, as their routes need them. */
interface Campaigns<Campaign> {
  list(accountId: number, beforeId?: number, limit?: number): Promise<readonly Campaign[]>;
  find(accountId: number, id: number): Promise<Campaign | undefined>;
}

interface ChannelCampaignsDeps<Campaign> {
  readonly sql: Sql;
  readonly campaigns: Campaigns<Campaign>;
  readonly canceller: Pick<Canceller, 'byId'>;
  readonly control: Pick<CampaignControl, 'pause' | 'resume'>;
}

/** A channel's campaigns, with the names and schemas of their routes. */
interface ChannelCampaigns<
  Campaign,
  Shown extends z.ZodObject,
  Detail extends z.ZodObject,
  Failure extends z.ZodObject,
> {
  readonly chapter: Chapter;
  /** `/chat/campaigns` */
  readonly path: string;
  /** End of the operation ids: `ChatCampaign`. */
  readonly suffix: string;
  /** `chat campaign` */
  readonly noun: string;
  /** Destination of messages: `platform`, `relay`. */
  readonly carrier: string;
  readonly answer: Shown;
  /** With its progress. */
  readonly detailAnswer: Detail;
  readonly failureAnswer: Failure;
  show(campaign: Campaign): z.output<Shown>;
  showDetail(campaign: Campaign, sql: Sql, accountId: number): Promise<Answered<Detail>>;
  showFailure(failure: CampaignFailure): z.output<Failure>;
}

/** Returns a campaign of an account. Throws Refusal `not-found`. */
export async function findCampaign<Campaign>(
  { campaigns }: { readonly campaigns: Pick<Campaigns<Campaign>, 'find'> },
  accountId: number,
  id: number,
): Promise<Campaign> {
  return found(await campaigns.find(accountId, id), 'campaign');
}

/** Routes that list and show the campaigns of a channel, and their failed recipients. */
export function campaignReports<
  Campaign extends { readonly id: number },
  Shown extends z.ZodObject,
  Detail extends z.ZodObject,
  Failure extends z.ZodObject,
>(of: ChannelCampaigns<Campaign, Shown, Detail, Failure>): Route<ChannelCampaignsDeps<Campaign>>[] {
  const { path, suffix, noun } = of;
  const route = resource<ChannelCampaignsDeps<Campaign>>(of.chapter);
  const id = idOf('campaign');
  return [
    route(`GET /v1${path}`, {
      access: reads('viewer', 'read'),
      operationId: `list${suffix}s`,
      title: `List ${noun}s`,
      description: `Lists the ${noun}s, newest first, without their progress.`,
      query: campaignsPage,
      answer: pageAnswer('campaigns', of.answer),
      handler: async ({ accountId, query: { after, limit } }, { campaigns }) =>
        pageOf(
          'campaigns',
          (row) => of.show(row),
          readPage(limit, (most) => campaigns.list(accountId, after, most)),
        ),
    }),
    route(`GET /v1${path}/:id`, {
      access: reads('viewer', 'read'),
      operationId: `show${suffix}`,
      title: `Show the progress of a ${noun}`,
      description: 'Returns a campaign with its messages by outcome.',
      id,
      answer: of.detailAnswer,
      handler: async (call, deps) =>
        of.showDetail(await findCampaign(deps, call.accountId, call.id), deps.sql, call.accountId),
    }),
    route(`GET /v1${path}/:id/failures`, {
      access: reads('viewer', 'read'),
      operationId: `list${suffix}Failures`,
      title: `List the failed recipients of a ${noun}`,
      description: 'Lists recipients that were skipped or not reached, each with the reason.',
      id,
      query: messagesPage,
      answer: pageAnswer('failures', of.failureAnswer),
      handler: async ({ accountId, id, query: { after = 0, limit } }, deps) => {
        await findCampaign(deps, accountId, id);
        return pageOf(
          'failures',
          (row) => of.showFailure(row),
          readPage(limit, (most) => failuresOf(deps.sql, accountId, id, after, most)),
        );
      },
    }),
  ];
}

/** Routes that pause, resume and cancel a campaign of a channel. */
export function campaignControls<
  Campaign,
  Shown extends z.ZodObject,
  Detail extends z.ZodObject,
  Failure extends z.ZodObject,
>(of: ChannelCampaigns<Campaign, Shown, Detail, Failure>): Route<ChannelCampaignsDeps<Campaign>>[] {
  const { path, suffix, noun, carrier, answer } = of;
  const route = resource<ChannelCampaignsDeps<Campaign>>(of.chapter);
  const docs = (name: string, title: string, description: string) => ({
    operationId: `${name}${suffix}`,
    title,
    description,
    refusals: ['not-now'] as const,
  });
  const id = idOf('campaign');
  async function change(
    { accountId, id: campaignId }: { readonly accountId: number; readonly id: number },
    deps: ChannelCampaignsDeps<Campaign>,
    what: 'pause' | 'resume',
  ) {
    await findCampaign(deps, accountId, campaignId);
    await deps.control[what](accountId, campaignId);
    return of.show(await findCampaign(deps, accountId, campaignId)) as Answered<Shown>;
  }
  return [
    route(`POST /v1${path}/:id/pause`, {
      access: dailyWork(changes('sender', 'send')),
      ...docs(
        'pause',
        `Pause a ${noun}`,
        `Holds messages that were not submitted to the ${carrier}, with their credit.`,
      ),
      id,
      answer,
      handler: (call, deps) => change(call, deps, 'pause'),
    }),
    route(`POST /v1${path}/:id/resume`, {
      access: dailyWork(changes('sender', 'send')),
      ...docs('resume', `Resume a ${noun}`, 'Resumes the campaign where it was paused.'),
      id,
      answer,
      handler: (call, deps) => change(call, deps, 'resume'),
    }),
    route(`POST /v1${path}/:id/cancel`, {
      access: dailyWork(changes('sender', 'send')),
      ...docs(
        'cancel',
        `Cancel a ${noun}`,
        `Cancels messages that were not submitted to the ${carrier}, and refunds their credit.`,
      ),
      id,
      answer: answer.extend({
        cancelled: out.count('Recipients whose message was cancelled and refunded.', 800),
        submitted: out.count(`Messages submitted to the ${carrier} before.`, 400),
      }),
      handler: async (call, deps) => {
        await findCampaign(deps, call.accountId, call.id);
        const { cancelled, submitted } = await deps.canceller.byId(call.accountId, call.id);
        const campaign = await findCampaign(deps, call.accountId, call.id);
        return { ...of.show(campaign), cancelled, submitted };
      },
    }),
  ];
}
