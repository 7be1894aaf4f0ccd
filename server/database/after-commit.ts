import { currentRequest, type RequestContext } from '../kit/request-context.ts';
import type { Execution } from './session.ts';
import { isDatabaseTrouble } from './trouble.ts';

/*
 * Reads of a request after it has stored something serve only its answer. Answering "try again" although something was
 * stored would make the caller store it twice, so such reads are repeated while the database fails.
 */

/** Milliseconds after which the answer is "try again" nevertheless. */
const LIMIT_MS = 5_000;
const PAUSE_MS = 100;

/** Records that the current request has stored something. */
export function noteStored(): void {
  const request = currentRequest();
  if (request) request.hasStored = true;
}

/**
 * Sends a statement outside of transactions. If the request has stored something, the statement is repeated until it is
 * answered.
 */
export function sendFollowed(execution: Execution, send: (execution: Execution) => void): void {
  const request = currentRequest();
  if (!request) send(execution);
  else if (!isRead(execution)) send({ ...execution, resolve: stored(request, execution) });
  else if (request.hasStored) sendUntilAnswered(execution, send);
  else send(execution);
}

function stored(request: RequestContext, { resolve }: Execution): Execution['resolve'] {
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
