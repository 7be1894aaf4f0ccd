import { createContext, useContext } from 'react';
import { atLeast, type Role, type Session } from './session.ts';

/** The session of whoever is signed in, for everything inside the shell. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext');
  return session;
}

/** Whether the signed-in person has this role or a higher one. */
export const useMay = (needed: Role): boolean => atLeast(useSession().role, needed);

/** The time zone of the account; undefined is that of the browser. */
export const useTimeZone = (): string | undefined => useSession().account?.time_zone ?? undefined;
