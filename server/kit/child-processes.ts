import {
  type ChildProcess,
  type ChildProcessByStdio,
  execFile,
  type SpawnOptions,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

/*
 * All child processes start here. They get only the part of our environment that programs need, without the settings,
 * which contain secrets (those of `.env` are in our environment, too).
 */

/** Environment variables passed to child processes; the second line is for Windows. */
const passed = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'TERM',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TMPDIR',
    'XDG_RUNTIME_DIR',
    // Lets child processes with Node.js trust additional certificate authorities.
    'NODE_EXTRA_CA_CERTS',
  ],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'],
];

/** Returns the environment of a child process: our locale, paths and time zone, and `more`. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (passed.includes(upper) || upper.startsWith('LC_'))) environment[name] = value;
  }
  return { ...environment, ...more };
}

/** Options of a child process; `environment` is added to the default one. */
type ChildOptions = Omit<SpawnOptions, 'env' | 'shell'> & {
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts a program, with pipes for its standard input, output and error. */
export function spawnPiped(
  command: string,
  args: readonly string[],
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment() });
}

/** Starts a program as `spawn` does. */
export function spawnChild(
  command: string,
  args: readonly string[],
  { environment, ...options }: ChildOptions = {},
): ChildProcess {
  return spawn(command, args, { ...options, env: childEnvironment(environment) });
}

/** Starts a program and blocks until it ends, for the few that run before everything else. */
export function spawnChildSync(
  command: string,
  args: readonly string[],
  { environment, ...options }: Pick<ChildOptions, 'uid' | 'gid' | 'cwd' | 'environment'> = {},
): SpawnSyncReturns<Buffer> {
  return spawnSync(command, args, { ...options, env: childEnvironment(environment) });
}

const run = promisify(execFile);

/** Runs a program to its end. Throws an error with its output if the exit code is not 0. */
export async function runChild(
  command: string,
  args: readonly string[],
  { environment, ...options }: Pick<ChildOptions, 'uid' | 'gid' | 'cwd' | 'environment'> = {},
): Promise<void> {
  await run(command, args, { ...options, env: childEnvironment(environment) });
}
