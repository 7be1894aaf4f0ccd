import { UsernameTaken } from '../accounts/accounts.ts';
import { TooManyTokens } from '../accounts/tokens.ts';
import { NotEnoughCredit } from '../accounts/wallets.ts';
import { CarrierConfigurationError } from '../carriers/configuration.ts';
import { ConfigError, readConfig } from '../config.ts';
import { DataFolderError } from '../database/embedded.ts';
import { createLogger } from '../observability/log.ts';
import { loadClock } from '../sandbox/clock-store.ts';
import { closeFoundation, type Foundation, layFoundation } from '../service.ts';

/** A command that cannot be carried out, for a reason that its user can mend. */
export class CommandError extends Error {}

/** Runs a command on the database of the settings, beside a running service or alone. */
export async function withFoundation(work: (foundation: Foundation) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL);
  const foundation = await layFoundation(config, log, ({ sql }) => loadClock(sql), { attach: true });
  try {
    await foundation.accounts.reload();
    await work(foundation);
  } finally {
    await closeFoundation(foundation);
  }
}

/** Finds an account by user name. Throws CommandError. */
export async function accountNamed(foundation: Foundation, username: string) {
  const account = await foundation.accounts.byUsername(username);
  if (!account) throw new CommandError(`there is no account "${username}"`);
  return account;
}

/** Prints a result: as JSON for programs, or in words. */
export function print(json: boolean | undefined, value: unknown, words: string): void {
  console.log(json ? JSON.stringify(value) : words);
}

const expected = [
  CommandError,
  ConfigError,
  CarrierConfigurationError,
  DataFolderError,
  UsernameTaken,
  TooManyTokens,
  NotEnoughCredit,
];

/** Says why a command failed, with a stack only where it is our fault, and sets the exit code. */
export function report(error: unknown): void {
  process.exitCode = 1;
  if (expected.some((kind) => error instanceof kind)) console.error(`carillon: ${(error as Error).message}`);
  else if ((error as { code?: unknown }).code === 'EADDRINUSE') {
    console.error('carillon: the port is in use by another program: set PORT');
  } else console.error(error);
}
