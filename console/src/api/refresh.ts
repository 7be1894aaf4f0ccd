import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/** A path of /v1 (all that was read from it), or the key of a query. */
export type Stale = `/v1/${string}` | QueryKey;

const keyOf = (stale: Stale): QueryKey => (typeof stale === 'string' ? ['get', stale] : stale);

/** Marks cached data as out of date and fetches the visible part again. */
export function useRefresh(): (...stale: readonly Stale[]) => Promise<void> {
  const queryClient = useQueryClient();
  return async (...stale) => {
    await Promise.all(stale.map((one) => queryClient.invalidateQueries({ queryKey: keyOf(one) })));
  };
}
