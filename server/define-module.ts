import type { AuthoredWork } from './authors/authors.ts';
import type { Held } from './budgets/budgets.ts';
import type { RepeatedRequest } from './campaigns/source.ts';
import type { OpenedChannel } from './channels/open.ts';
import type { ReadReceived } from './conversations/timeline.ts';
import type { DueJob } from './due-look.ts';
import type { Served } from './interfaces/v1/kit/route.ts';
import type { Stage } from './lifecycle.ts';
import type { LiveHub } from './live/hub.ts';
import type { ContentReader, Reaction } from './messages/message-content.ts';
import type { PersonalDataPart } from './personal-data/part.ts';
import type { CoreContext, Services } from './services.ts';

/*
 * The contract of a module (docs/architecture.md, "Modules of features"): a folder with one responsibility. `module.ts` of the
 * folder says what the module needs, which services it gives to others, and what it does in a running service. core.ts opens
 * the modules of modules.ts in their order.
 */

/** All services, and the channels that are open: what jobs, stages and routes are made of. */
export interface OpenContext extends CoreContext {
  readonly opened: readonly OpenedChannel[];
}

/** What routes are bound to, in a process that takes requests. */
export interface RouteContext extends OpenContext {
  readonly hub: LiveHub;
  readonly contentOf: ContentReader;
  /** Readers of what came in, of every channel. */
  readonly received: readonly ReadReceived[];
  readonly requestOf: (
    channel: number,
    accountId: number,
    id: number,
  ) => Promise<RepeatedRequest | undefined>;
  readonly reactionsTo: (
    channel: number,
    accountId: number,
    messageId: number,
  ) => Promise<readonly Reaction[]>;
}

/**
 * When the personal data of a module is erased, after that of the channels: files are found by messages, and what messages
 * cause is erased after them.
 */
export const erasePhases = ['messages', 'people', 'traces'] as const;

/** What a module does in a running service. */
interface ModuleWork {
  /** Background work, in a process that runs jobs. */
  jobs?(context: OpenContext): readonly DueJob[];
  /** Deletes what has expired; once an hour, in a process that runs jobs. */
  upkeep?(context: OpenContext): Promise<void>;
  /** What it has about people, for exports and erasures. */
  readonly personalData?: {
    readonly phase: (typeof erasePhases)[number];
    part(context: CoreContext): PersonalDataPart;
  };
  /** Stored files of an account, which count in the budget `files`. */
  readonly storedFiles?: Held;
  /** Work that continues after a request with the rights of its author. */
  authored?(context: CoreContext): readonly AuthoredWork[];
  /** What starts and stops; service.ts has the order of all. */
  stages?(context: OpenContext): readonly Stage[];
  /** Ends what an earlier run of the one process of an embedded database had claimed, beside leases of tables. */
  releaseClaims?(context: CoreContext): Promise<void>;
  /** Its routes under /v1. */
  readonly routes?: readonly Served<RouteContext>[];
}

type Needs = readonly (keyof CoreContext)[];

/** A module as core.ts opens it. */
export interface Module<Name extends keyof Services = keyof Services> extends ModuleWork {
  readonly name: string;
  /** Values and services of modules before it that `open` is given. */
  readonly needs: Needs;
  open(context: CoreContext): Pick<Services, Name> | Promise<Pick<Services, Name>>;
}

interface ModuleSpec<N extends Needs, Name extends keyof Services> extends ModuleWork {
  readonly name: string;
  readonly needs: N;
  /** Creates its services; nothing is started. Throws ConfigError for settings that cannot be used. */
  readonly open?: (
    needs: Pick<CoreContext, N[number]>,
  ) => Pick<Services, Name> | Promise<Pick<Services, Name>>;
}

/** Defines a module. `open` gets what it needs, and nothing else. Throws Error when a need is not there yet. */
export function defineModule<const N extends Needs, const Name extends keyof Services = never>({
  open,
  ...work
}: ModuleSpec<N, Name>): Module<Name> {
  return {
    ...work,
    open(context) {
      const given = work.needs.map((name) => {
        if (!(name in context)) throw new Error(`the module ${work.name} needs ${name}, which opens later`);
        return [name, context[name]] as const;
      });
      return (
        open?.(Object.fromEntries(given) as Pick<CoreContext, N[number]>) ?? ({} as Pick<Services, Name>)
      );
    },
  };
}
