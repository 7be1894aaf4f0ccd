import type { AppContext } from './app-context.ts';
import { ContactWork } from './audience/contact-work.ts';
import { connectorsOf, openChannels } from './channels/open.ts';
import { createCore } from './core.ts';
import { endLeases } from './database/leases.ts';
import { releaseAllBatches } from './dispatch/batches.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { Jobs, jobsOf } from './jobs.ts';
import type { Role } from './process-roles.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

/**
 * Opens the modules on an app context, those that the roles of this process need, and every channel; nothing is started.
 * Throws ConfigError for settings that cannot be used, and what the database throws.
 */
export async function openModules(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
) {
  const { config, database, sql } = appContext;
  const core = await createCore(appContext, wanted, sandbox);
  const copyPauseMs = config.COPY_PAUSE_SECONDS * 1_000;
  let leaseUntil: number | undefined;
  if (database.embedded) {
    // Nobody else can hold anything.
    leaseUntil = await releaseAllBatches(sql, appContext.channels, copyPauseMs);
    await endLeases(sql, 'campaigns', 'links');
    await core.work.endLeases();
    await core.csvJobs.endUploads();
  }
  const context = { ...appContext, ...core };
  const opened = await openChannels(context);
  const { own, general, special } = connectorsOf(opened);
  core.lateBound.personalData = opened.flatMap(({ module }) => module.personalData ?? []);
  if (core.has('dispatch')) {
    const recalls = new Map(opened.map(({ channel, module }) => [channel.id, module.recalls]));
    core.lateBound.dispatcher = new Dispatcher({
      ...context,
      isAlone: database.embedded,
      carriers: general,
      special,
      recallsOf: (channel) => recalls.get(channel),
      maxCopies: config.MAX_COPIES,
      copyPauseMs,
    });
  }
  const contactWork = new ContactWork({
    ...context,
    jobs: core.csvJobs,
    others: opened.flatMap(({ module }) => module.csv ?? []),
  });
  const jobs = core.has('jobs') ? new Jobs(jobsOf(context, contactWork, opened), context) : undefined;
  return { ...core, leaseUntil, opened, ownConnectors: own, dispatcher: core.lateBound.dispatcher, jobs };
}

export type Modules = Awaited<ReturnType<typeof openModules>>;
