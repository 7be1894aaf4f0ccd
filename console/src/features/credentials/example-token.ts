import { useQuery } from '@tanstack/react-query';
import { byId, client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { atLeast } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';

const KEY = 'carillon-first-token';

/**
 * A token of the account for the examples, valid for a day: made when it is needed first, and kept for this tab alone.
 * Undefined while it is being made, and for those who may not make one.
 *
 * @param wanted false: only one that is kept already
 */
export function useExampleToken(label: string, wanted = true) {
  const { account, role } = useSession();
  return useQuery({
    queryKey: ['example-token', account?.id],
    enabled: account !== null && atLeast(role, 'owner') && wanted,
    initialData: () => sessionStorage.getItem(`${KEY}-${account?.id}`) ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const kept = sessionStorage.getItem(`${KEY}-${account!.id}`);
      if (kept !== null) return kept;
      const token = await makeToken(label);
      sessionStorage.setItem(`${KEY}-${account!.id}`, token);
      return token;
    },
  });
}

/** A new token; where the account has as many as it may have, in the place of the oldest one that examples had. */
async function makeToken(label: string): Promise<string> {
  const make = async () => (await client.POST('/v1/tokens', { body: { label, days: 1 } })).data!.token;
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { data } = await client.GET('/v1/tokens');
    const [oldest] = data!.tokens
      .filter((token) => token.label === label && !token.expired)
      .sort((one, other) => one.created_at.localeCompare(other.created_at));
    if (!oldest) throw error;
    await client.DELETE('/v1/tokens/{id}', byId(oldest.id));
    return make();
  }
}

/** Forgets the token of the examples, as when it was revoked. */
export function forgetExampleToken(accountId: string): void {
  sessionStorage.removeItem(`${KEY}-${accountId}`);
}
