import { createContext, useContext } from 'react';
import type { Session } from '../api/session.ts';

/** The session of whoever is signed in, for everything inside the shell. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session around this');
  return session;
}
