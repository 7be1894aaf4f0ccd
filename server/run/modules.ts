import { AccessRules, apiRules } from '../api/access/table.ts';
import { rulesOf } from '../api/v1/kit/route.ts';
import { connectorsOf, openChannels } from '../channels/open.ts';
import { DueLook } from '../database/due-look.ts';
import { endLeases } from '../database/leases.ts';
import { releaseAllBatches } from '../engine/dispatch/batches.ts';
import { Dispatcher } from '../engine/dispatch/dispatcher.ts';
import type { CallService } from '../engine/messages/call-request.ts';
import { oneProcess, type ProcessGroup, type Role } from '../kit/process-roles.ts';
import { sumOf } from '../modules/budgets/kinds.ts';
import type { PersonalDataPart } from '../modules/personal-data/part.ts';
import type { AppContext } from './app-context.ts';
import { open } from './core.ts';
import { erasePhases, type OpenContext } from './define-module.ts';
import { Jobs, jobsOf } from './jobs.ts';
import { modules } from './module-list.ts';
import { runSettingsOf } from './run-settings.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import type { CoreContext, LateBound, RunContext } from './services.ts';

/**
 * Opens the modules on an app context, those that the roles of this process need, and every channel, without starting
 * them. Throws ConfigError for invalid settings, and database errors.
 */
export async function openModules(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  group: ProcessGroup = oneProcess,
) {
  const { config, database, sql } = appContext;
  const context = await open(modules, runContextOf(appContext, wanted, sandbox));
  const { lateBound, authors, has } = context;
  for (const module of modules) for (const work of module.authored?.(context) ?? []) authors.add(work);
  const copyPauseMs = config.COPY_PAUSE_SECONDS * 1_000;
  let leaseUntil: number | undefined;
  if (database.embedded && group.isFirst) {
    // No other process can hold leases.
    leaseUntil = await releaseAllBatches(appContext, copyPauseMs);
    await endLeases(sql, appContext.tables.leased);
    for (const module of modules) await module.releaseClaims?.(context);
  }
  const opened = await openChannels(context);
  for (const { module } of opened) context.accessRules.add(rulesOf(module.routes ?? []));
  lateBound.csvTurns = opened.flatMap(({ module }) => module.csv ?? []);
  const { own, general, special } = connectorsOf(opened);
  lateBound.personalData = [
    ...opened.flatMap(({ module }) => module.personalData ?? []),
    ...partsOf(context),
  ];
  if (has('dispatch')) {
    const recalls = new Map(opened.map(({ channel, module }) => [channel.id, module.recalls]));
    lateBound.dispatcher = new Dispatcher({
      ...context,
      isAlone: database.isAlone,
      group,
      carriers: general,
      special,
      recallsOf: (channel) => recalls.get(channel),
      maxCopies: config.MAX_COPIES,
      copyPauseMs,
    });
  }
  const openContext: OpenContext = { ...context, opened };
  // The others of a group send their events. Its first process is started again when it ends, so no job waits for long.
  const jobs = has('jobs') && group.index === 0 ? new Jobs(jobsOf(modules, openContext), context) : undefined;
  const stages = modules.flatMap((module) => module.stages?.(openContext) ?? []);
  return {
    ...openContext,
    leaseUntil,
    ownConnectors: own,
    dispatcher: lateBound.dispatcher,
    jobs,
    stages,
    group,
  };
}

export type Modules = Awaited<ReturnType<typeof openModules>>;

/** Returns the values that every module can need. */
function runContextOf(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
): RunContext {
  const { sql, database, process } = appContext;
  const lateBound: LateBound = {
    dispatcher: undefined,
    url: undefined,
    calls: undefined,
    personalData: [],
    csvTurns: [],
    mailer: undefined,
  };
  return {
    ...appContext,
    ...runSettingsOf(appContext, wanted, sandbox, () => lateBound.url),
    owner: process.boot,
    placements: database.placements,
    sandbox,
    lateBound,
    calls: callsOf(lateBound),
    dueLook: new DueLook({ sql, placements: database.placements }),
    storedFiles: async (queryable, accountId) => {
      const held = modules.flatMap(({ storedFiles }) => storedFiles ?? []);
      const amounts = [];
      for (const one of held) amounts.push(await one(queryable, accountId));
      return sumOf(amounts);
    },
    hooks: new Map(),
    accessRules: new AccessRules([
      apiRules,
      ...Array.from(appContext.channels, ({ access }) => access ?? {}),
      ...modules.map(({ access }) => access ?? {}),
      ...modules.flatMap(({ routes = [] }) =>
        routes.map(({ specs }) => rulesOf(specs.map((spec) => ({ spec })))),
      ),
    ]),
  };
}

/** Personal data of the modules, in the order in which it is erased. */
function partsOf(context: CoreContext): PersonalDataPart[] {
  return erasePhases.flatMap((phase) =>
    modules.flatMap(({ personalData }) => (personalData?.phase === phase ? personalData.part(context) : [])),
  );
}

/** The calls of the channel that is opened later. */
function callsOf(lateBound: LateBound): CallService {
  const none = 'no channel makes calls';
  return {
    problem: async (phones) => (lateBound.calls ? lateBound.calls.problem(phones) : none),
    takesCalls: () => lateBound.calls?.takesCalls() ?? false,
    speechProblem: async () => (lateBound.calls ? lateBound.calls.speechProblem() : none),
  };
}
