import cluster from 'node:cluster';
import type { Logger } from '../kit/observability/log.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C reaches the whole process group, and npm passes it on to us once more; so does a supervisor that signals all. */
const ECHO_MS = 1_000;
const PARENT_CHECK_MS = 500;

interface StopRequestOptions {
  readonly log: Logger;
  /** From the request on, the process has this long to stop; after it, it ends with 1. Milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Listens for requests to stop, from the first moment of a service on: SIGTERM, SIGINT and SIGHUP, and, for a service that
 * npm or a supervisor started, the end of that, which dies of SIGHUP or SIGKILL without passing anything on. Returns a promise of the first
 * request. Another signal more than a second later ends the process immediately.
 */
export function listenForStop({ log, deadlineMs }: StopRequestOptions): Promise<void> {
  return new Promise((resolve) => {
    let requestedAt: number | undefined;
    const request = (reason: string) => {
      const now = performance.now();
      if (requestedAt !== undefined) {
        if (now - requestedAt > ECHO_MS) process.exit(1);
        return;
      }
      requestedAt = now;
      log.info({ reason }, 'stopping');
      setTimeout(() => {
        log.error('shutdown not finished in time');
        process.exit(1);
      }, deadlineMs).unref();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, () => request(signal));
    if (cluster.worker) {
      // Node.js would end a process without its supervisor immediately, with what is in flight.
      cluster.worker.exitedAfterDisconnect = true;
      process.on('disconnect', () => {
        if (requestedAt === undefined) request('the supervisor has ended');
      });
    }
    watchParent(() => {
      if (requestedAt === undefined) request('npm has ended');
    });
  });
}

/** Calls `gone` when npm is our parent and ends: the system gives us another parent then. Windows does not. */
function watchParent(gone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, PARENT_CHECK_MS).unref();
}
