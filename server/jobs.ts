import type { ContactWork } from './audience/contact-work.ts';
import { AUTHORS_MS } from './authors/authors.ts';
import { cleanUpCampaigns } from './campaigns/rows.ts';
import type { ChannelContext } from './channels/module.ts';
import type { OpenedChannel } from './channels/open.ts';
import type { CoreContext } from './core.ts';
import { maintainPartitions } from './database/partitions.ts';
import type { DueJob } from './due-look.ts';
import { cleanBlocks } from './fraud-guard/upkeep.ts';
import { Gauges } from './gauges.ts';
import { idFloor } from './ids.ts';
import { Loop } from './loop.ts';
import { cleanUpKeptRequests } from './messages/kept-requests.ts';

const EXPANSION_MS = 200;
const CONTACT_WORK_MS = 300;
const SECOND_MS = 1_000;
const QUARANTINE_MS = 2_000;
const SILENCE_MS = 10_000;
const GAUGES_MS = 5_000;
const MINUTE_MS = 60_000;
/** Of accounts that have their texts not stored. */
const TEXTS_MS = 15_000;
const UPKEEP_MS = 3_600_000;
/** Hourly work begins so long after the start, which has enough to do. */
const FIRST_UPKEEP_MS = 30_000;
const DAY_MS = 86_400_000;
/** Longer than the deadline of dropping a partition (database/partitions.ts). */
const PARTITIONS_MS = 900_000;

/** What has to be done now and then, by the modules and by the channels. */
export function jobsOf(
  modules: ChannelContext,
  contactWork: ContactWork,
  opened: readonly OpenedChannel[],
): DueJob[] {
  const { sql, clock, campaigns, people, expiredSendKeys } = modules;
  const gauges = new Gauges(sql, clock, modules.work);
  return [
    ...campaigns.expanders.map((expander) => ({
      owner: expander.loop,
      everyMs: EXPANSION_MS,
      step: () => expander.run(),
      due: () => [expander.due()],
      stop: () => expander.stop(),
    })),
    {
      owner: 'paused campaigns',
      everyMs: SECOND_MS,
      step: () => campaigns.control.align(),
      due: () => [campaigns.control.mayBeLate()],
    },
    {
      owner: 'suspended accounts',
      everyMs: SECOND_MS,
      step: () => modules.heldWork.run(),
      due: () => modules.heldWork.due(),
    },
    {
      owner: 'ends of campaigns',
      everyMs: SECOND_MS,
      step: () => campaigns.finisher.run(),
      due: () => [campaigns.finisher.due()],
    },
    {
      owner: 'contact lists',
      everyMs: CONTACT_WORK_MS,
      step: () => contactWork.run(),
      due: () => contactWork.due(),
      stop: () => contactWork.stop(),
    },
    { owner: 'authors', everyMs: AUTHORS_MS, step: () => modules.authors.run() },
    {
      owner: 'silent conversations',
      everyMs: SILENCE_MS,
      step: () => modules.autoCloser.run(),
    },
    { owner: 'messages by hour', everyMs: SECOND_MS, step: () => modules.hourlyStatistics.run() },
    { owner: 'quarantine', everyMs: QUARANTINE_MS, step: () => modules.recorder.retryQuarantined() },
    { owner: 'login throttle', everyMs: MINUTE_MS, step: () => people.throttle.cleanUp() },
    {
      owner: 'send keys',
      everyMs: MINUTE_MS,
      step: () => expiredSendKeys.cleanUp(),
      stop: () => expiredSendKeys.stop(),
    },
    { owner: 'gauges', everyMs: GAUGES_MS, step: () => gauges.measure() },
    {
      owner: 'upkeep',
      everyMs: UPKEEP_MS,
      firstMs: FIRST_UPKEEP_MS,
      limitMs: PARTITIONS_MS,
      async step() {
        await maintainPartitions(sql, clock.now(), modules.config);
        await cleanUp(modules, opened);
      },
    },
    {
      owner: 'retention',
      everyMs: UPKEEP_MS,
      firstMs: FIRST_UPKEEP_MS,
      limitMs: PARTITIONS_MS,
      step: () => modules.remover.run(),
      stop: () => modules.remover.stop(),
    },
    { owner: 'retention', everyMs: TEXTS_MS, step: () => modules.remover.runWithoutTexts() },
    ...modules.work.jobs,
    ...modules.alerts.jobs,
    ...opened.flatMap(({ module }) => module.jobs ?? []),
  ];
}

/** Deletes what has expired. */
async function cleanUp(
  { sql, clock, config, ...modules }: ChannelContext,
  opened: readonly OpenedChannel[],
): Promise<void> {
  await modules.inbound.giveUpWaiting();
  await modules.csvJobs.cleanUp();
  await modules.subjectRequests.cleanUp();
  await modules.erasureRecords.cleanUp(clock.now(), config.ERASURES_KEEP_DAYS);
  await modules.erasureRecords.reseal();
  await cleanUpCampaigns(sql, clock.now(), config.KEEP_DAYS);
  await modules.conversations.cleanUp(idFloor(clock.now() - config.KEEP_DAYS * DAY_MS));
  await cleanUpKeptRequests(sql, clock.now(), config.KEEP_DAYS);
  for (const { module } of opened) await module.upkeep?.();
  await modules.people.cleanUp();
  await modules.capCounter.cleanUp();
  await modules.signInProviders.cleanUp();
  await modules.progress.cleanUp(config.KEEP_DAYS);
  await cleanBlocks(sql, clock.now(), config.KEEP_DAYS);
  await modules.alerts.cleanUp(config.KEEP_DAYS);
  await modules.work.cleanUp(config.KEEP_DAYS);
  await modules.budgets.cleanUp();
  await modules.questions.cleanUp();
  // The last: its store may be away.
  await modules.media.cleanUp();
}

/** Runs jobs, each as a loop of its owner; whether there is something to do is asked for all of them together. */
export class Jobs {
  readonly #jobs: readonly DueJob[];
  readonly #loops: readonly Loop[];

  constructor(jobs: readonly DueJob[], { dueLook, log }: CoreContext) {
    this.#jobs = jobs;
    this.#loops = jobs.map((job) => {
      const isDue = job.due && dueLook.add(job.due);
      const step = isDue ? async () => ((await isDue()) ? job.step() : undefined) : job.step;
      return new Loop({ ...job, step, log, failed: 'a job failed and will be tried again' });
    });
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Begins no more steps; fulfilled when those under way have ended, as early as they can. */
  async stop(): Promise<void> {
    const stopped = this.#loops.map((loop) => loop.stop());
    await Promise.all([...stopped, ...this.#jobs.map((job) => job.stop?.())]);
  }
}
