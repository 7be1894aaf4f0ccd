import type { Command } from 'commander';
import { manageCommands } from './manage.ts';
import { migrateCommand } from './migrate.ts';
import { remoteCommands } from './remote/commands.ts';
import { settingsCommand } from './settings.ts';

/** Adds all commands except those that run the service. */
export function addCommands(program: Command): void {
  program
    .command('migrate')
    .description('migrates the database to the newest schema and exits')
    .option('--dry-run', 'lists the changes and the versions that can run afterwards, and changes nothing')
    .option('--json', 'prints JSON')
    .action(migrateCommand);
  manageCommands(program);
  remoteCommands(program);
  settingsCommand(program);
}
