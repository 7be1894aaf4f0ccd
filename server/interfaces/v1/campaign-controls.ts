import type { z } from 'zod';
import type { Canceller } from '../../messages/cancel.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { found, idOf } from './kit/fields.ts';
import { type Answered, type Route, resource } from './kit/route.ts';

/** Campaigns of a channel, as `findCampaign` and `campaignControls` need them. */
interface Campaigns<Campaign> {
  find(accountId: number, id: number): Promise<Campaign | undefined>;
  pause(accountId: number, id: number): Promise<Campaign>;
  resume(accountId: number, id: number): Promise<Campaign>;
}

interface CampaignControlsDeps<Campaign> {
  readonly campaigns: Campaigns<Campaign>;
  readonly canceller: Pick<Canceller, 'byId'>;
}

/** A channel's campaigns as its routes name and show them. */
interface ControlledCampaigns<Campaign, Shown extends z.ZodObject, Cancelled extends z.ZodObject> {
  readonly chapter: Chapter;
  /** `/chat/campaigns` */
  readonly path: string;
  /** What ends the ids of the operations: `ChatCampaign`. */
  readonly suffix: string;
  readonly noun: string;
  /** Where messages go: `platform`, `relay`. */
  readonly carrier: string;
  readonly answer: Shown;
  readonly cancelAnswer: Cancelled;
  show(campaign: Campaign): Answered<Shown>;
  /** @param counts recipients that get nothing, and messages that were with the carrier before */
  showCancelled(campaign: Campaign, counts: CancelledCounts): Answered<Cancelled>;
}

interface CancelledCounts {
  readonly cancelled: number;
  readonly handed_over: number;
}

/** A campaign of an account. Throws Refusal `not-found`. */
export async function findCampaign<Campaign>(
  { campaigns }: { readonly campaigns: Pick<Campaigns<Campaign>, 'find'> },
  accountId: number,
  id: number,
): Promise<Campaign> {
  return found(await campaigns.find(accountId, id), 'campaign');
}

/** What pauses, resumes and cancels a campaign of a channel. */
export function campaignControls<Campaign, Shown extends z.ZodObject, Cancelled extends z.ZodObject>(
  of: ControlledCampaigns<Campaign, Shown, Cancelled>,
): Route<CampaignControlsDeps<Campaign>>[] {
  const { path, suffix, noun, carrier, answer, cancelAnswer } = of;
  const route = resource<CampaignControlsDeps<Campaign>>(of.chapter);
  const refusals = ['not-now'] as const;
  const id = idOf('campaign');
  return [
    route({
      method: 'POST',
      path: `${path}/:id/pause`,
      docs: {
        id: `pause${suffix}`,
        title: `Pause a ${noun}`,
        description: `What was not handed to the ${carrier} yet waits. Its credit stays held.`,
        refusals,
      },
      id,
      answer,
      handler: async (call, deps) => {
        await findCampaign(deps, call.accountId, call.id);
        return of.show(await deps.campaigns.pause(call.accountId, call.id));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/resume`,
      docs: {
        id: `resume${suffix}`,
        title: `Let a paused ${noun} go on`,
        description: 'It goes on where it was paused.',
        refusals,
      },
      id,
      answer,
      handler: async (call, deps) => {
        await findCampaign(deps, call.accountId, call.id);
        return of.show(await deps.campaigns.resume(call.accountId, call.id));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/cancel`,
      docs: {
        id: `cancel${suffix}`,
        title: `Cancel a ${noun}`,
        description: `What was not handed to the ${carrier} yet is given up, and its credit goes back.`,
        refusals,
      },
      id,
      answer: cancelAnswer,
      handler: async (call, deps) => {
        await findCampaign(deps, call.accountId, call.id);
        const { cancelled, submitted } = await deps.canceller.byId(call.accountId, call.id);
        const campaign = await findCampaign(deps, call.accountId, call.id);
        return of.showCancelled(campaign, { cancelled, handed_over: submitted });
      },
    }),
  ];
}
