import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { byId, client } from '../../api/client.ts';
import { onSignOut } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';

/** Label of the token among the tokens. */
const LABEL = 'Get started';

interface ExampleToken {
  readonly id: string;
  readonly token: string;
}

/** Tells the other tabs of a new token, which theirs is revoked by. Nothing is kept in the storage of the browser. */
const tabs = new BroadcastChannel('carillon-example-token');

/**
 * A token of the account that may send, for the first minutes, valid for a day: made when it is needed first, the only one,
 * the same in all tabs, and revoked at signing out. Undefined while it is being made, and for those who may not make one.
 *
 * Only one that there is already, until `refetch` is called: a new token needs a proof of identity, so a page does not make
 * one before the person asks for it.
 */
export function useExampleToken() {
  const { account, role } = useSession();
  const queryClient = useQueryClient();
  const mayMake = account !== null && atLeast(role, 'owner');
  const key = JSON.stringify(['example-token', account?.id]);
  const query = useQuery({
    queryKey: JSON.parse(key) as unknown[],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const made = await replaceToken();
      current.set(key, made.id);
      tabs.postMessage({ key, made });
      return made;
    },
  });
  useEffect(() => {
    const hear = ({ data }: MessageEvent<{ key: string; made: ExampleToken }>) => {
      if (data.key !== key) return;
      current.set(key, data.made.id);
      queryClient.setQueryData(JSON.parse(key) as unknown[], data.made);
    };
    tabs.addEventListener('message', hear);
    return () => tabs.removeEventListener('message', hear);
  }, [key, queryClient]);
  return { ...query, token: query.data?.token, mayMake };
}

/** Ids of the current tokens; signing out revokes them. */
const current = new Map<string, string>();
onSignOut(async () => {
  await Promise.allSettled(Array.from(current.values(), revoke));
  current.clear();
});

const revoke = (id: string) => client.DELETE('/v1/tokens/{id}', byId(id));

/** Makes a token in the place of those that are still valid. */
async function replaceToken(): Promise<ExampleToken> {
  const data = await client.GET('/v1/tokens');
  const old = data.tokens.filter((one) => one.label === LABEL && one.expires_at !== null && !one.expired);
  await Promise.all(old.map(({ id }) => revoke(id)));
  return client.POST('/v1/tokens', { body: { label: LABEL, days: 1, scopes: ['send'] } });
}
