#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { loadDotEnv } from './kit/config.ts';
import { type Role, roles } from './kit/process-roles.ts';

const program = new Command('carillon')
  .description('Self-hosted messaging: SMS, voice, one-time codes, chat and email behind one interface.')
  .showHelpAfterError()
  .exitOverride();

program
  .command('start', { isDefault: true })
  .description(
    'runs everything, in the processes of PROCESSES; with the sandbox when no carrier is configured',
  )
  .action(async () => {
    const { start } = await import('./commands/start.ts');
    await start();
  });

program
  .command('serve')
  .description('runs some roles, in any number of processes, on the database of DATABASE_URL')
  .option('--role <names>', `comma-separated: ${roles.join(', ')}`, readRoles, [...roles])
  .action(async (options: { role: Role[] }) => {
    const { serve } = await import('./commands/run.ts');
    await serve(options.role);
  });

const [first = 'start'] = process.argv.slice(2);
// The other commands load nearly all of the program, which a supervisor of processes does not need.
if (first !== 'start') {
  const { addCommands } = await import('./commands/commands.ts');
  addCommands(program);
}

function readRoles(value: string): Role[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(roles as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${roles.join(', ')}`);
  return names as Role[];
}

loadDotEnv();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else (await import('./commands/with-app-context.ts')).report(error);
}
