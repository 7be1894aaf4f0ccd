import { randomInt } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { defaults } from '../api/smpp/client-defaults.ts';
import { isSystemId, SmppClients } from '../api/smpp/clients.ts';
import type { AppContext } from '../run/app-context.ts';
import { accountNamed, CommandError, type Json, print, withAppContext } from './with-app-context.ts';

/** Characters of a generated password, which all programs accept; none looks like another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Many programs send the first eight characters of a password. */
const PASSWORD_LENGTH = 8;

interface CreateOptions extends Json {
  readonly name?: string;
  readonly binds?: number;
  readonly window?: number;
  readonly rate?: number;
  readonly source?: string;
  readonly international?: true;
}

/** `smpp-client create`, `list`, `password` and `delete`. */
export function smppClientCommands(program: Command): void {
  const client = program.command('smpp-client').description('manages SMPP clients of accounts');
  client
    .command('create <username> <system-id>')
    .description('creates an SMPP client with a generated password, shown once')
    .option('--name <text>', 'name for people (default: the system id)')
    .option('--binds <number>', 'maximum number of binds', readWhole(1, 50))
    .option('--window <number>', 'maximum requests of a bind without an answer', readWhole(1, 500))
    .option('--rate <number>', 'maximum messages per second; 0: no limit', readWhole(0, 10_000))
    .option('--source <sender>', 'sender of messages without one')
    .option('--international', 'permits other countries')
    .action(create);
  client.command('list <username>').description('lists the SMPP clients of an account').action(list);
  client
    .command('password <username> <system-id>')
    .description('gives an SMPP client a new password, shown once')
    .action(renew);
  client
    .command('delete <username> <system-id>')
    .description('deletes an SMPP client and the receipts that wait for it')
    .action(remove);
}

const newPassword = () =>
  Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

async function create(username: string, systemId: string, options: CreateOptions): Promise<void> {
  if (!isSystemId(systemId)) throw new CommandError(`${systemId} is not a system id`);
  await withAppContext(async (appContext) => {
    const { id: accountId } = await accountNamed(appContext, username);
    const password = newPassword();
    const { id } = await new SmppClients(appContext).create(accountId, {
      ...defaults,
      systemId,
      password,
      name: options.name ?? systemId,
      maxBinds: options.binds ?? defaults.maxBinds,
      window: options.window ?? defaults.window,
      messagesPerSecond: options.rate ?? defaults.messagesPerSecond,
      defaultSource: options.source ?? null,
      international: options.international ?? false,
    });
    print(
      options.json,
      { id, systemId, password },
      `SMPP client ${systemId}; password, shown this once:\n${password}`,
    );
  });
}

async function list(username: string, options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { id } = await accountNamed(appContext, username);
    const all = await new SmppClients(appContext).list(id);
    const lines = all.map(
      ({ systemId, name, enabled }) => `${systemId}  ${name}${enabled ? '' : '  disabled'}`,
    );
    print(options.json, all, lines.join('\n') || `${username} has no SMPP clients`);
  });
}

async function renew(username: string, systemId: string, options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { accountId, id, clients } = await clientNamed(appContext, username, systemId);
    const password = newPassword();
    await clients.change(accountId, id, { password });
    print(
      options.json,
      { id, systemId, password },
      `SMPP client ${systemId}; new password, shown this once:\n${password}`,
    );
  });
}

async function remove(username: string, systemId: string, options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { accountId, id, clients } = await clientNamed(appContext, username, systemId);
    await clients.remove(accountId, id);
    print(options.json, { id, deleted: true }, `SMPP client ${systemId} is deleted`);
  });
}

/** Returns a client of an account. Throws CommandError for an unknown one. */
async function clientNamed(appContext: AppContext, username: string, systemId: string) {
  const { id: accountId } = await accountNamed(appContext, username);
  const clients = new SmppClients(appContext);
  const client = (await clients.list(accountId)).find((one) => one.systemId === systemId);
  if (!client) throw new CommandError(`${username} has no SMPP client ${systemId}`);
  return { accountId, id: client.id, clients };
}

const readWhole = (min: number, max: number) => (value: string) => {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new InvalidArgumentError(`a whole number from ${min} to ${max}`);
};
