import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type ActingFor, actFor } from '../api/acting.ts';
import { sessionKey } from '../api/session.ts';
import { mayLeavePage } from './leaving.ts';

/** Acts for an account, or with null no longer for any, and opens the first page again. */
export function useActFor(): (account: ActingFor | null) => Promise<void> {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return async (account) => {
    if (!(await mayLeavePage())) return;
    actFor(account);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    // The session decides which page is the first one. Until it is read again, no page is shown: `/` would lead to the first
    // page of the earlier account, and an open page would keep its figures.
    await queryClient.resetQueries({ queryKey: sessionKey });
    navigate('/');
  };
}
