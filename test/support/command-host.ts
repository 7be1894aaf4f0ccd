/*
 * A process that runs commands of the command line one after the other, for command-runner.ts: a separate process for each
 * would load the whole program again, which is most of the cost of a command. It returns the output and the exit code that a
 * separate process would have had.
 */
import { Command, CommanderError } from 'commander';
import { manageCommands } from '../../server/commands/manage.ts';
import { remoteCommands } from '../../server/commands/remote/commands.ts';
import { settingsCommand } from '../../server/commands/settings.ts';
import { report } from '../../server/commands/with-app-context.ts';
import type { CommandInput, CommandOutcome } from './command-runner.ts';

/** Thrown in place of ending the process. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const end = process.exit.bind(process);
process.once('disconnect', () => end());
process.exit = (code) => {
  throw new Exit(Number(code ?? 0));
};

let turn = Promise.resolve();
process.on('message', (input: CommandInput) => {
  turn = turn.then(async () => {
    process.send!(await runCommand(input));
  });
});

async function runCommand({ environment, args }: CommandInput): Promise<CommandOutcome> {
  process.env = { ...environment };
  const printed = { stdout: '', stderr: '' };
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  let code = 0;
  try {
    const program = new Command('carillon').showHelpAfterError().exitOverride();
    manageCommands(program);
    remoteCommands(program);
    settingsCommand(program);
    await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
      if (error instanceof CommanderError) throw new Exit(error.exitCode);
      report(error);
    });
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  } finally {
    for (const name of ['stdout', 'stderr'] as const) process[name].write = write[name];
  }
  return { code, out: printed.stdout, err: printed.stderr };
}
