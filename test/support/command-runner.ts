import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Environment, environmentOfRun } from './environment.ts';
import { once as oncePerProcess } from './once.ts';

/** A command of the command line, with the whole environment that it has. */
export interface CommandInput {
  readonly environment: Environment;
  readonly args: readonly string[];
}

/** How a command ended, and what it printed. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const host = fileURLToPath(new URL('command-host.ts', import.meta.url));

/** The one of this process: the files that it runs share it, since its start costs more than most commands. */
export function commandRunner(): CommandRunner {
  return oncePerProcess(
    'commands',
    () => new CommandRunner(),
    (runner) => runner.stop(),
  );
}

/** Runs commands in the order of the calls, in one process (command-host.ts) that starts with the first command. */
class CommandRunner {
  #host: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a command when those before it have ended. Throws when the process ends instead of answering. */
  run(input: CommandInput): Promise<CommandOutcome> {
    const outcome = this.#last.then(() => this.#run(input));
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  /** Fulfilled when no command runs. */
  async idle(): Promise<void> {
    await this.#last;
  }

  /** Ends the process, when the command that it runs has ended. */
  async stop(): Promise<void> {
    await this.idle();
    if (!this.#host?.connected) return;
    const ended = once(this.#host, 'exit');
    this.#host.disconnect();
    await ended;
  }

  async #run(input: CommandInput): Promise<CommandOutcome> {
    // One that has ended in a command of before is no reason for this one to fail.
    if (!this.#host?.connected) this.#host = fork(host, { execArgv: [], env: environmentOfRun });
    this.#host.send(input);
    const controller = new AbortController();
    try {
      const [answer] = await Promise.race([
        once(this.#host, 'message', controller),
        once(this.#host, 'exit', controller).then(([code]) => {
          throw new Error(`the process of the commands ended with ${code} in ${input.args.join(' ')}`);
        }),
      ]);
      return answer as CommandOutcome;
    } finally {
      controller.abort();
    }
  }
}
