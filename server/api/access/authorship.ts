import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The token or the person on whose behalf something acts after their request: a rule, an away message, a webhook endpoint, a campaign. Both are
 * null for the command line, for the password of an account, and for rows of versions before authors were stored.
 */
export interface Author {
  readonly tokenId: number | null;
  readonly personId: number | null;
}

/** The author of a request. The API sets it after it has identified the caller. */
export interface Authorship {
  author: Author;
}

export const noAuthor: Author = { tokenId: null, personId: null };

const requests = new AsyncLocalStorage<Authorship>();

/** Runs the handler of a request, and all that it starts, with the author of the request. */
export function withAuthorship<T>(authorship: Authorship, work: () => T): T {
  return requests.run(authorship, work);
}

/** The author of the request that the caller belongs to; `noAuthor` outside of requests. */
export const currentAuthor = (): Author => requests.getStore()?.author ?? noAuthor;
