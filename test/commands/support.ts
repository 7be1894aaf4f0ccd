import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { waitFor } from '../support/wait-for.ts';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A data folder that is removed when the file ends. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-commands-'));
  // As root, PostgreSQL runs as another user, who has to come in.
  chmodSync(folder, 0o755);
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

// Every command is a process of its own: compiled once, they start in half the time.
const compiled = dataFolder();

function launch(settings: Record<string, string>, args: readonly string[]) {
  const { PATH, HOME } = process.env;
  // Nothing of the caller's settings.
  return spawn(process.execPath, ['server/main.ts', ...args], {
    env: {
      ...(PATH && { PATH }),
      ...(HOME && { HOME }),
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: compiled,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `carillon` with these settings and arguments, and waits for its end. */
export function carillon(settings: Record<string, string>, ...args: string[]): Promise<Outcome> {
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
  settings: Record<string, string>,
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
  const url = await waitFor('the service to be ready', () => {
    if (child.exitCode !== null) throw new Error(`the service did not start: ${err}`);
    return /ready on (http:\S+)/.exec(out)?.[1];
  });
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
