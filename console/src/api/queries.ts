import {
  type QueryKey,
  type UseMutationOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { request } from './client.ts';
import type { Answer, Input, InputArguments, Method, PathOf } from './operations.ts';

type Path = PathOf<'GET'>;

type Options<Of extends Path> = Omit<UseQueryOptions<Answer<Of>>, 'queryKey' | 'queryFn'>;

/** Returns the query key of an answer. `useRefresh` finds it by its path. */
export const answerKey = <Of extends Path>(path: Of, input?: Input<Of, 'GET'>): QueryKey =>
  input === undefined || Object.keys(input).length === 0 ? ['get', path] : ['get', path, input];

/** Reads a path of /v1: `useAnswer('/v1/contact-lists', { query: { limit: 20 } })`. */
export function useAnswer<Of extends Path>(
  path: Of,
  ...[input, options]: [...InputArguments<Of, 'GET'>, options?: Options<Of>]
): UseQueryResult<Answer<Of>> {
  const asked = input as Input<Of, 'GET'> | undefined;
  return useQuery<Answer<Of>>({
    ...(options as Options<Of> | undefined),
    queryKey: answerKey(path, asked),
    queryFn: ({ signal }) => request('GET', path, { ...asked, signal } as Input<Of, 'GET'>) as never,
  });
}

/** Changes something by an operation of /v1: `useChange('POST', '/v1/webhooks/{id}/enable')`. */
export function useChange<Of extends Exclude<Method, 'GET'>, At extends PathOf<Of>>(
  method: Of,
  path: At,
  options?: Omit<UseMutationOptions<Answer<At, Of>, Error, Input<At, Of>>, 'mutationFn'>,
) {
  return useMutation({
    ...options,
    mutationFn: (input) => request(method, path, input),
  });
}
