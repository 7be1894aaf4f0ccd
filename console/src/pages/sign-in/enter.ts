import { useQueryClient } from '@tanstack/react-query';
import { sessionKey, sessionOf, type Who } from '../../api/session.ts';

/** Begins the session of the person whom the service has signed in, which opens the page of the address. */
export function useEnter(): (who: Who) => Promise<void> {
  const queryClient = useQueryClient();
  return async (who) => {
    try {
      queryClient.setQueryData(sessionKey, await sessionOf(who));
    } catch {
      // The person is signed in, so the session is read, and what is missing with it, until that succeeds.
      await queryClient.invalidateQueries({ queryKey: sessionKey });
    }
  };
}
