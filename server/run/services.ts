import type { AccessRules } from '../api/access/table.ts';
import type { DueLook } from '../database/due-look.ts';
import type { Placements } from '../database/placements.ts';
import type { Dispatcher } from '../engine/dispatch/dispatcher.ts';
import type { DeliveryHooks } from '../engine/dispatch/hooks.ts';
import type { Cancelled, CancelledMessages, Paused } from '../engine/dispatch/signals.ts';
import type { CallService } from '../engine/messages/call-request.ts';
import type { Lane } from '../engine/messages/lanes.ts';
import type { SendServiceMail } from '../modules/alerts/means/mail.ts';
import type { AudienceTurns } from '../modules/audience/contact-work.ts';
import type { Held } from '../modules/budgets/budgets.ts';
import type { PersonalDataPart } from '../modules/personal-data/part.ts';
import type { AppContext } from './app-context.ts';
import type { RunSettings } from './run-settings.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

/** Values that exist only when everything is open. Modules that open before read them when they need them. */
export interface LateBound {
  /** Undefined in a process that does not dispatch. */
  dispatcher: Dispatcher | undefined;
  /** Address of the service; undefined in a process that takes no requests. */
  url: string | undefined;
  /** Of the channel that calls phones. */
  calls: CallService | undefined;
  /** Personal data of modules and channels, in the order in which it is erased. */
  personalData: readonly PersonalDataPart[];
  /** Imports and exports of the channels. */
  csvTurns: readonly AudienceTurns[];
  /** Of the channel that sends mails, where a relay is set up. */
  mailer: SendServiceMail | undefined;
}

/** Values that every module can need. They exist before the first module opens. */
export interface RunContext extends AppContext, RunSettings {
  /** This run of the process, for leases. */
  readonly owner: string;
  readonly placements: Placements;
  readonly sandbox: SandboxHandle | undefined;
  readonly lateBound: LateBound;
  readonly calls: CallService;
  readonly dueLook: DueLook;
  /** Stored files of an account, over all modules. */
  readonly storedFiles: Held;
  /** Delivery hooks of the channels, by their ids; each channel adds its own before anything runs. */
  readonly hooks: Map<number, DeliveryHooks>;
  readonly accessRules: AccessRules;
}

/**
 * The services of all modules, by the names under which others ask for them. `module.ts` of each module declares its own:
 * `declare module '…/run/services.ts'`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the modules add to it
export interface Services {}

/** Hints to the dispatcher of this process, and by the database to those of other processes. Nothing depends on them. */
export interface Announcements {
  due(accountId: number, lane: Lane): void;
  announcePaused(shipment: Paused): void;
  announceResumed(shipment: Paused): void;
  announceSuspended(accountId: number): void;
  cancelled(cancelled: Cancelled): void;
  messagesCancelled(cancelled: CancelledMessages): void;
}

/** Context of channels and routes. A `…Deps` names the parts that a constructor needs. */
export type CoreContext = RunContext & Services;
