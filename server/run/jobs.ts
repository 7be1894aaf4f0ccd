import type { DueJob } from '../database/due-look.ts';
import { maintainPartitions } from '../database/partitions.ts';
import { Loop } from '../kit/loop.ts';
import type { Module, OpenContext } from './define-module.ts';
import { Gauges } from './gauges.ts';
import type { CoreContext } from './services.ts';

const GAUGES_MS = 5_000;
const UPKEEP_MS = 3_600_000;
/** Milliseconds from the start to the first hourly work, because a start has other work. */
const FIRST_UPKEEP_MS = 30_000;
/** Longer than the deadline of dropping a partition (database/partitions.ts). */
const PARTITIONS_MS = 900_000;

/** Background work of these modules and of the channels. */
export function jobsOf(
  modules: readonly Pick<Module, 'jobs' | 'upkeep' | 'gauges'>[],
  context: OpenContext,
): DueJob[] {
  const { sql, clock, opened } = context;
  const gauges = new Gauges(
    context,
    modules.flatMap((module) => module.gauges ?? []),
  );
  return [
    ...modules.flatMap((module) => module.jobs?.(context) ?? []),
    { owner: 'gauges', everyMs: GAUGES_MS, step: () => gauges.measure() },
    {
      owner: 'upkeep',
      everyMs: UPKEEP_MS,
      firstMs: FIRST_UPKEEP_MS,
      limitMs: PARTITIONS_MS,
      async step() {
        await maintainPartitions(sql, clock.now(), context.config, context.tables.partitioned);
        await cleanUp(modules, context);
      },
    },
    ...opened.flatMap(({ module }) => module.jobs ?? []),
  ];
}

/**
 * Deletes what has expired. One module whose upkeep fails (the store of files may be away) does not keep the others from theirs;
 * its error is thrown at the end.
 */
async function cleanUp(modules: readonly Pick<Module, 'upkeep'>[], context: OpenContext): Promise<void> {
  const upkeeps = [
    ...modules.map((module) => () => module.upkeep?.(context)),
    ...context.opened.map(
      ({ module }) =>
        () =>
          module.upkeep?.(),
    ),
  ];
  const errors: unknown[] = [];
  for (const upkeep of upkeeps) {
    try {
      await upkeep();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Runs jobs, each as a loop of its owner. One query for all of them finds out which have work. */
export class Jobs {
  readonly #jobs: readonly DueJob[];
  readonly #loops: readonly Loop[];

  constructor(jobs: readonly DueJob[], { dueLook, log }: Pick<CoreContext, 'dueLook' | 'log'>) {
    this.#jobs = jobs;
    this.#loops = jobs.map((job) => {
      const { due, dueOnCoordinator } = job;
      const isDue = due ? dueLook.add(due) : dueOnCoordinator && dueLook.addOnCoordinator(dueOnCoordinator);
      const step = isDue ? async () => ((await isDue()) ? job.step() : undefined) : job.step;
      return new Loop({ ...job, step, log, failed: 'a job failed and will be tried again' });
    });
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Starts no more steps. Resolves when running ones have ended, as early as they can. */
  async stop(): Promise<void> {
    const stopped = this.#loops.map((loop) => loop.stop());
    await Promise.all([...stopped, ...this.#jobs.map((job) => job.stop?.())]);
  }
}
