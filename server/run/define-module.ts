import type { AccessTable } from '../api/access/rules.ts';
import type { Served } from '../api/v1/kit/route.ts';
import type { ChannelApi } from '../channels/module.ts';
import type { OpenedChannel } from '../channels/open.ts';
import type { TableSet } from '../database/define-tables.ts';
import type { DueJob } from '../database/due-look.ts';
import type { CampaignList, RepeatedRequest } from '../engine/campaigns/source.ts';
import type { LiveHub } from '../engine/live/hub.ts';
import type { ContentReader, ListedText, Reaction } from '../engine/messages/message-content.ts';
import type { Stage } from '../kit/lifecycle.ts';
import type { ListUsers } from '../modules/audience/list-users.ts';
import type { AuthoredWork } from '../modules/authors/authors.ts';
import type { Held } from '../modules/budgets/budgets.ts';
import type { ReadReceived } from '../modules/conversations/timeline.ts';
import type { PersonalDataPart } from '../modules/personal-data/part.ts';
import type { Gauge } from './gauges.ts';
import type { CoreContext, Services } from './services.ts';

/*
 * The contract of a module (docs/decisions/0038-modules-and-tables.md): a folder with one responsibility. `module.ts` of the
 * folder defines the needs of the module, its services, and its parts in a running service. core.ts opens the modules of
 * module-list.ts in their order.
 */

/** All services and the open channels. Jobs, stages and routes use them. */
export interface OpenContext extends CoreContext {
  readonly opened: readonly OpenedChannel[];
}

/** Context of routes, in a process that takes requests. */
export interface RouteContext extends OpenContext {
  readonly hub: LiveHub;
  readonly contentOf: ContentReader;
  /** Readers of what came in, of every channel. */
  readonly received: readonly ReadReceived[];
  /** Users of mailing lists, if a channel has them. */
  readonly listUsers: ListUsers | undefined;
  readonly requestOf: (
    channel: number,
    accountId: number,
    id: number,
  ) => Promise<RepeatedRequest | undefined>;
  readonly listsOf: (channel: number, accountId: number, id: number) => Promise<readonly CampaignList[]>;
  /** Returns a function that has the text of each of these messages, as lists show it. */
  readonly textsOf: (
    accountId: number,
    messages: readonly (ListedText & { readonly channel: number })[],
  ) => Promise<(message: ListedText & { readonly channel: number }) => string | null>;
  readonly reactionsTo: (
    channel: number,
    accountId: number,
    messageId: number,
  ) => Promise<readonly Reaction[]>;
}

/**
 * Phases of an erasure, after the channels: files are found by messages, and traces of messages are erased after them.
 */
export const erasePhases = ['messages', 'people', 'traces'] as const;

/** Parts of a module in a running service. */
interface ModuleWork {
  /** Its tables: placement, partitions, sealed columns, retention and personal data. */
  readonly tables?: TableSet;
  /** Folder with migrations of its own, for a module outside of the product; the product has one folder for all. */
  readonly migrations?: URL;
  /** Background work, in a process that runs jobs. */
  jobs?(context: OpenContext): readonly DueJob[];
  /** Deletes what has expired; once an hour, in a process that runs jobs. */
  upkeep?(context: OpenContext): Promise<void>;
  /** Metrics of its tables, in a process that runs jobs. */
  readonly gauges?: readonly Gauge[];
  /** Personal data of the module, for exports and erasures. */
  readonly personalData?: {
    readonly phase: (typeof erasePhases)[number];
    part(context: CoreContext): PersonalDataPart;
  };
  /** Stored files of an account, which count in the budget `files`. */
  readonly storedFiles?: Held;
  /** Work that continues after a request with the rights of its author. */
  authored?(context: CoreContext): readonly AuthoredWork[];
  /** Stages that start and stop. service.ts has the order of all stages. */
  stages?(context: OpenContext): readonly Stage[];
  /** Ends claims of an earlier run of the single process of an embedded database. Leases of tables end without it. */
  releaseClaims?(context: CoreContext): Promise<void>;
  /** Access rules of its routes outside /v1, by method and path. */
  readonly access?: AccessTable;
  /** Its endpoints outside /v1, in a process that takes requests; undefined if its setting is off. */
  api?(context: OpenContext): ChannelApi | undefined;
  /** Its routes under /v1. */
  readonly routes?: readonly Served<RouteContext>[];
}

type Needs = readonly (keyof CoreContext)[];

/** A module as core.ts opens it. */
export interface Module<Name extends keyof Services = keyof Services> extends ModuleWork {
  readonly name: string;
  /** Names of the values and services that `open` gets. Earlier modules provide the services. */
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
