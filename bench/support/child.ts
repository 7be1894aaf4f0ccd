import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atTheEnd } from './cleanup.ts';

/* Requests and answers between the bench and its child processes. */

interface Question {
  readonly number: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Answer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: string;
}

export interface Child {
  readonly pid: number;
  /**
   * Sends a request to the child and returns its answer. Rejects with the child's error, or when the child has ended.
   */
  ask<T>(name: string, argument?: unknown): Promise<T>;
}

/**
 * Starts a file of bench/children in a separate process, with these options of node. The process ends with the
 * benchmark.
 */
export async function startChild(file: string, execArgv: readonly string[] = []): Promise<Child> {
  const path = fileURLToPath(new URL(`../children/${file}`, import.meta.url));
  const child = fork(path, { execArgv: [...execArgv], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const open = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on('message', ({ number, result, error }: Answer) => {
    const asked = open.get(number);
    open.delete(number);
    if (error === undefined) asked?.resolve(result as never);
    else asked?.reject(new Error(`${file}: ${error}`));
  });
  child.on('exit', () => {
    for (const { reject } of open.values()) reject(new Error(`${file} has ended`));
    open.clear();
  });
  atTheEnd(() => {
    child.kill('SIGKILL');
  });
  const ask = <T>(name: string, argument?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const number = ++last;
      open.set(number, { resolve, reject });
      child.send({ number, name, argument } satisfies Question, (error) => {
        if (error) reject(new Error(`${file}: ${error.message}`));
      });
    });
  await ask('ready');
  return { pid: child.pid!, ask };
}

/** In a child: answers requests until the bench ends. */
export function answer(handlers: Record<string, (argument: never) => unknown>): void {
  const all: typeof handlers = { ready: () => true, ...handlers };
  process.on('message', ({ number, name, argument }: Question) => {
    void (async () => {
      try {
        const result = await all[name]!(argument as never);
        process.send!({ number, result } satisfies Answer);
      } catch (error) {
        process.send!({ number, error: (error as Error).message } satisfies Answer);
      }
    })();
  });
  // Ctrl-C in a terminal reaches every process; the bench ends its children after draining them.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
}

/** Returns the milliseconds of a clock that all processes of this machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
