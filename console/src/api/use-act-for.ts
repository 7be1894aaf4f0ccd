import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type ActingFor, actFor } from './acting.ts';
import { sessionKey } from './session.ts';

/** Acts for an account, or with null no longer for any, and opens the first page again. */
export function useActFor(): (account: ActingFor | null) => Promise<void> {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return async (account) => {
    actFor(account);
    navigate('/');
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    await queryClient.invalidateQueries({ queryKey: sessionKey });
  };
}
