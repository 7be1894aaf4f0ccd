import type { Command } from 'commander';
import { accountCommands } from './accounts.ts';
import { followCalls } from './audited.ts';
import { backupCommands } from './backup.ts';
import { chatCommands } from './chat.ts';
import { databaseCommands } from './database.ts';
import { doctorCommand } from './doctor.ts';
import { personCommands } from './people.ts';
import { quarantineCommands } from './quarantine.ts';
import { routeCommands } from './routes.ts';
import { sandboxCommand } from './sandbox.ts';
import { secretCommands } from './secrets.ts';
import { smppClientCommands } from './smpp-clients.ts';
import { statusCommand } from './status.ts';
import { tokenCommands } from './tokens.ts';
import { webhookCommands } from './webhooks.ts';

/** Every command that works on what is in the database; those that change it leave an entry in the audit log. */
export function manageCommands(program: Command): void {
  followCalls(program);
  const others = new Set(program.commands);
  accountCommands(program);
  tokenCommands(program);
  smppClientCommands(program);
  personCommands(program);
  chatCommands(program);
  webhookCommands(program);
  quarantineCommands(program);
  routeCommands(program);
  secretCommands(program);
  databaseCommands(program);
  backupCommands(program);
  sandboxCommand(program);
  doctorCommand(program);
  statusCommand(program);
  for (const command of program.commands) if (!others.has(command)) addJsonOption(command);
}

/** Lets a command, or each of its own commands, print JSON. */
function addJsonOption(command: Command): void {
  if (command.commands.length === 0) command.option('--json', 'prints JSON');
  for (const one of command.commands) addJsonOption(one);
}
