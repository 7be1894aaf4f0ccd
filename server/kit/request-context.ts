import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The token or the person on whose behalf something acts after their request: a rule, an away message, a webhook endpoint, a campaign. Both are
 * null for the command line, for the password of an account, and for rows of versions before authors were stored.
 */
export interface Author {
  readonly tokenId: number | null;
  readonly personId: number | null;
}

export const noAuthor: Author = { tokenId: null, personId: null };

/**
 * The context of a request, for code to which it is not passed. One object in one AsyncLocalStorage has all of it, because each
 * further one copies a Map: two took 1.8 KB of every request.
 */
export class RequestContext {
  /** Set by the API after it has identified the caller. */
  author: Author = noAuthor;
  /** Whether the request has stored something (database/after-commit.ts). */
  hasStored = false;
  /** Ids of the shipments that it has made (`noteShipment`). */
  shipments: number[] | undefined;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** Runs the handler of a request, and all that it starts, in the context of the request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return requests.run(context, work);
}

/** The request that the caller belongs to; undefined outside of requests. */
export const currentRequest = (): RequestContext | undefined => requests.getStore();

/**
 * Records a shipment that the current request has made, whose messages then name the request (api/requests/request-log.ts).
 * Every function that accepts shipments for a request calls it.
 */
export function noteShipment(id: number): void {
  const request = requests.getStore();
  if (!request) return;
  request.shipments ??= [];
  request.shipments.push(id);
}

/** The author of the request that the caller belongs to; `noAuthor` outside of requests. */
export const currentAuthor = (): Author => requests.getStore()?.author ?? noAuthor;
