import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Queryable } from '../database/connection.ts';
import { CLI_PREFIX, type Details, NO_ACCOUNT } from '../modules/people/audit.ts';
import type { AppContext } from '../run/app-context.ts';

/*
 * Every command that changes something leaves an entry in the audit log, in the transaction of the change and without a
 * line of its own: `withAppContext` writes it. What is not among `reading` counts as changing; those run in a
 * transaction that cannot write.
 */
const reading: ReadonlySet<string> = new Set([
  'account list',
  'chat-number list',
  'chat-portfolio list',
  'database nodes',
  'doctor',
  'person list',
  'quarantine list',
  'routes export',
  'routes find',
  'routes list',
  'routes quality',
  'routes replay',
  'secrets lost',
  'secrets status',
  'smpp-client list',
  'source waiting',
  'status',
  'token list',
  'webhook failed',
  'webhook list',
]);

/** A command as it was called. */
interface CommandCall {
  /** `wallet add`. */
  readonly name: string;
  /** Its arguments and options by their names. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** What a command knows of its change beyond how it was called. */
interface Change extends Details {
  readonly accountId?: number;
}

let call: CommandCall | undefined;
const changes = new WeakMap<AppContext, Change>();

/** Keeps how the program was called, for the audit log. */
export function followCalls(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { json: _, ...options } = command.opts();
    const values = command.registeredArguments.map((argument, index) => [
      argument.name(),
      command.processedArgs[index],
    ]);
    call = { name: nameOf(command), given: { ...Object.fromEntries(values), ...options } };
  });
}

/** The name of a command with those above it, without the program's. */
export function nameOf(command: Command): string {
  const names: string[] = [];
  for (let one = command; one.parent; one = one.parent) names.unshift(one.name());
  return names.join(' ');
}

/** Whether a command, or without a name the one that was called, changes nothing. */
export function onlyReads(name = call?.name): boolean {
  return name !== undefined && reading.has(name);
}

/** Says of the change of this command what its entry is to have; the first account that is named stays. */
export function describeChange(appContext: AppContext, change: Change): void {
  changes.set(appContext, { ...change, ...changes.get(appContext) });
}

/** Writes the entry of the command that was called. */
export async function auditCall(appContext: AppContext, tx: Queryable): Promise<void> {
  const { accountId = NO_ACCOUNT, ...details } = changes.get(appContext) ?? {};
  await appContext.people.audit.write(
    {
      ...(call && { after: call.given }),
      ...details,
      accountId,
      username: CLI_PREFIX + systemUser(),
      action: call?.name ?? 'command',
      status: 200,
    },
    tx,
  );
}

/** Who runs the program on this machine. */
function systemUser(): string {
  const { SUDO_USER: by } = process.env;
  return by ? `${userName()} (sudo by ${by})` : userName();
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, a number without a name.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
