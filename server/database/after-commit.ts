import { AsyncLocalStorage } from 'node:async_hooks';
import type { Execution } from './session.ts';
import { isDatabaseTrouble } from './trouble.ts';

/*
 * What a request reads after it has stored something is for its answer alone. An answer "try again" of something that was
 * stored would have it done twice, so such reads are made again while the database is in trouble.
 */

/** After that the answer is "try again" all the same. */
const LIMIT_MS = 5_000;
const PAUSE_MS = 100;

interface Request {
  hasStored: boolean;
}

const requests = new AsyncLocalStorage<Request>();

/** Runs `work`, and all that it starts, as one request. */
export function asRequest<T>(work: () => T): T {
  return requests.run({ hasStored: false }, work);
}

/** Says that the request that the caller belongs to has stored something. */
export function noteStored(): void {
  const request = requests.getStore();
  if (request) request.hasStored = true;
}

/** Sends a statement that is no part of a transaction: a read after something was stored is sent until it is answered. */
export function sendFollowed(execution: Execution, send: (execution: Execution) => void): void {
  const request = requests.getStore();
  if (!request) send(execution);
  else if (!isRead(execution)) send({ ...execution, resolve: stored(request, execution) });
  else if (request.hasStored) sendUntilAnswered(execution, send);
  else send(execution);
}

function stored(request: Request, { resolve }: Execution): Execution['resolve'] {
  return (rows) => {
    request.hasStored = true;
    resolve(rows);
  };
}

function sendUntilAnswered(execution: Execution, send: (execution: Execution) => void): void {
  const until = performance.now() + LIMIT_MS;
  const again = () =>
    send({
      ...execution,
      reject(error) {
        if (isDatabaseTrouble(error) && performance.now() < until) setTimeout(again, PAUSE_MS);
        else execution.reject(error);
      },
    });
  again();
}

function isRead({ statement }: Execution): boolean {
  const text = typeof statement === 'string' ? statement : statement.shape.text;
  return /^\s*SELECT\b/i.test(text);
}
