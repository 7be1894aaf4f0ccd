import { createContext, useContext } from 'react';
import { atLeast, type PersonRole } from '../../../server/api/access/roles.ts';
import type { Session } from './session.ts';

/** The session of whoever is signed in, for everything inside the shell. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext');
  return session;
}

/** Whether the signed-in person has this role or a higher one. */
export const useMay = (needed: PersonRole): boolean => atLeast(useSession().role, needed);

/** The time zone in which times are shown and typed: the person's own, else the account's, else the service's. */
export function useTimeZone(): string {
  const { time_zone: own, account, default_time_zone: usual } = useSession();
  return own ?? account?.time_zone ?? usual;
}
