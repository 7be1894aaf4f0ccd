import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { atLeast } from '../../../server/api/access/roles.ts';
import { type ActingFor, actFor, actingFor } from './acting.ts';
import { askJson, client } from './client.ts';
import { CarillonError } from './errors.ts';
import type { Answer } from './operations.ts';

/** The signed-in person, as the service returns it. */
export type Who = Answer<'/v1/session'>;

export interface Session extends Omit<Who, 'account'> {
  /** Account that the person acts for; null for an operator who has not chosen one. */
  readonly account: (ActingFor & { readonly time_zone: string | null }) | null;
  /** Whether it is not one's own. */
  readonly acting: boolean;
  /** The sandbox, if this is one and the session may use it. */
  readonly sandbox: { readonly chat_number: string } | null;
}

/** Whether the person must set up a second factor first. */
export function lacksSecondFactor(
  who: Pick<Who, 'second_factor' | 'second_factor_required' | 'second_factor_by_provider'>,
): boolean {
  return who.second_factor_required && !who.second_factor && !who.second_factor_by_provider;
}

export const sessionKey = ['session'] as const;

/** The account that a sandbox makes (server/sandbox/demo.ts). */
const DEMO_USERNAME = 'demo';

const sessionQuery = { queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 };

/** The session of this browser; null when nobody is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery(sessionQuery);
}

/** Asks for the session before anything is shown. */
export function prefetchSession(queryClient: QueryClient): void {
  void queryClient.prefetchQuery(sessionQuery);
}

async function readSession(): Promise<Session | null> {
  try {
    return await sessionOf(await client.GET('/v1/session'));
  } catch (error) {
    if (error instanceof CarillonError && error.httpStatus === 401) return null;
    throw error;
  }
}

/** Returns the session of a person who is signed in. */
export async function sessionOf(who: Who): Promise<Session> {
  const acting = actingFor();
  const account = acting ? { ...acting, time_zone: await actingZone() } : who.account;
  const mayAsk = atLeast(who.role, 'viewer') && !lacksSecondFactor(who) && !who.second_factor_pending;
  const sandbox = mayAsk ? await findSandbox(account) : null;
  return { ...who, account, acting: acting !== null, sandbox };
}

/** Time zone of the account that the person acts for; null when the request fails. */
const actingZone = () =>
  client.GET('/v1/account').then(
    (data) => data.time_zone,
    () => null,
  );

async function findSandbox(account: ActingFor | null): Promise<Session['sandbox']> {
  if (account?.username !== DEMO_USERNAME) return null;
  return askJson<{ chat_number: string }>('GET', '/v1/sandbox').catch((error: unknown) => {
    if (error instanceof CarillonError && (error.httpStatus ?? 500) < 500) return null;
    throw error;
  });
}

const signOutListeners = new Set<() => Promise<unknown>>();

/** Does something before a person signs out, while the session is still valid. */
export function onSignOut(listener: () => Promise<unknown>): void {
  signOutListeners.add(listener);
}

/** Signs out, also at the sign-in provider if it supports that. */
export async function endSession(queryClient: QueryClient): Promise<void> {
  await Promise.allSettled(Array.from(signOutListeners, (listener) => listener()));
  const data = await client.DELETE('/v1/session');
  forgetSession(queryClient);
  if (data.logout_url !== null) location.assign(data.logout_url);
}

/** Forgets who was signed in, and all that was read for them. */
export function forgetSession(queryClient: QueryClient): void {
  actFor(null);
  queryClient.setQueryData(sessionKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
