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
 * Every program that we start goes through here: it gets what a program needs of its surroundings, and none of the
 * settings, which hold secrets (those of `.env` are in our environment, too).
 */

/** What a child may know of our environment; the second line is Windows. */
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
    // Own certificate authorities are trusted in programs of Node, too.
    'NODE_EXTRA_CA_CERTS',
  ],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'],
];

/** The environment of a child process: locale, paths and time zone of ours, and `more`. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (passed.includes(upper) || upper.startsWith('LC_'))) environment[name] = value;
  }
  return { ...environment, ...more };
}

/** How a child is started; `environment` is added to what it gets anyway. */
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

/** Starts a program and waits for it, for the few that are asked before anything else runs. */
export function spawnChildSync(
  command: string,
  args: readonly string[],
  { environment, ...options }: Pick<ChildOptions, 'uid' | 'gid' | 'cwd' | 'environment'> = {},
): SpawnSyncReturns<Buffer> {
  return spawnSync(command, args, { ...options, env: childEnvironment(environment) });
}

const run = promisify(execFile);

/** Runs a program to its end. Throws when that is not 0, with what it wrote. */
export async function runChild(
  command: string,
  args: readonly string[],
  { environment, ...options }: Pick<ChildOptions, 'uid' | 'gid' | 'cwd' | 'environment'> = {},
): Promise<void> {
  await run(command, args, { ...options, env: childEnvironment(environment) });
}
