import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import type { CampaignControl } from './control.ts';
import { Drafts } from './drafts.ts';
import { CampaignEngine } from './engine.ts';
import { campaignsPart } from './personal-data.ts';
import { cleanUpCampaigns } from './rows.ts';
import { campaignsTables } from './tables.ts';
import { draftRoutes } from './v1/drafts.ts';
import { campaignRoutes, shipmentRoutes } from './v1/routes.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly campaigns: CampaignEngine;
    readonly control: CampaignControl;
    readonly drafts: Drafts;
  }
}

const SECOND_MS = 1_000;

/** Campaigns of every channel, and drafts of sends. */
export const campaigns = defineModule({
  name: 'campaigns',
  tables: campaignsTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'channels',
    'tracing',
    'events',
    'gate',
    'sendingGate',
    'standingConsents',
    'work',
    'notifyDispatcher',
    'announce',
  ],
  open({ announce: { announcePaused, announceResumed }, ...needs }) {
    const { sql, ids, clock } = needs;
    const campaigns = new CampaignEngine({ ...needs, announcePaused, announceResumed });
    return { campaigns, control: campaigns.control, drafts: new Drafts({ sql, ids, clock }) };
  },
  jobs: ({ campaigns: { control, finisher } }) => [
    {
      owner: 'paused campaigns',
      everyMs: SECOND_MS,
      step: () => control.align(),
      due: () => [control.mayBeLate()],
    },
    {
      owner: 'ends of campaigns',
      everyMs: SECOND_MS,
      step: () => finisher.run(),
      due: () => [finisher.due()],
    },
  ],
  upkeep: ({ sql, clock, config }) => cleanUpCampaigns(sql, clock.now(), config.KEEP_DAYS),
  personalData: { phase: 'traces', part: () => campaignsPart },
  authored: ({ control }) => [
    {
      kind: 'campaign',
      route: ['POST', '/v1/sms'],
      authors: () => control.authors(),
      stop: (tx, gone) => control.stop(tx, gone),
      announce: (stopped) => control.announce(stopped),
    },
  ],
  routes: [serve([...shipmentRoutes, ...campaignRoutes]), serve(draftRoutes)],
});
