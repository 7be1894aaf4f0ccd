import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { commandRunner } from '../support/command-runner.ts';
import { type Environment, environmentOfRun } from '../support/environment.ts';
import { programFile } from '../support/program.ts';
import { copySeed } from '../support/seed-cluster.ts';
import { waitFor } from '../support/wait-for.ts';

/** A first start on a machine that has much else to do. */
const START_MS = 150_000;

/** How a process of the program ended, and what it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A data folder that is removed when the file ends. With `empty` its first start makes the cluster and the schema. */
export function dataFolder({ empty = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-commands-'));
  // As root, PostgreSQL runs as another user, who has to come in.
  chmodSync(folder, 0o755);
  if (!empty) copySeed(folder);
  // Hooks run in reverse order, so the services of this folder are stopped before.
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Nothing of the caller's settings. */
function environmentOf(settings: Environment): Environment {
  const { HOME } = process.env;
  return {
    ...environmentOfRun,
    ...(HOME && { HOME }),
    NO_COLOR: '1',
    ...settings,
  };
}

function launch(settings: Environment, args: readonly string[]) {
  return spawn(process.execPath, [programFile, ...args], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const runner = commandRunner();

/** Runs a command that works on the database, as `carillon` with these settings and arguments would. */
export function carillon(settings: Environment, ...args: string[]): Promise<Outcome> {
  return runner.run({ environment: environmentOf(settings), args });
}

/** Runs the real program with these settings and arguments in a process of its own, and waits for its end. */
export function carillonProcess(settings: Environment, ...args: string[]): Promise<Outcome> {
  const child = launch(settings, args);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** Starts the whole service on a data folder; stopped when the file ends. Returns its address, and what it printed. */
export async function startService(
  settings: Environment,
): Promise<{ url: string; out: () => string; stop(): Promise<number | null> }> {
  const child = launch({ PORT: '0', LOG_LEVEL: 'error', ...settings }, ['start']);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    return ended;
  };
  after(stop);
  const url = await waitFor(
    'the service to be ready',
    () => {
      if (child.exitCode !== null) throw new Error(`the service did not start: ${err}`);
      return /ready on (http:\S+)/.exec(out)?.[1];
    },
    START_MS,
  );
  return { url, out: () => out, stop };
}

/** Two at a time: each is a process, and machines have few processors. Results in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += 2) {
    results.push(...(await Promise.all(items.slice(i, i + 2).map(work))));
  }
  return results;
}
