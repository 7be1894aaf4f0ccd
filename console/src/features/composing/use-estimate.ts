import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

/** After the last key. */
const PAUSE_MS = 350;

/** Estimated cost of a request, fetched when typing pauses. `wanted` undefined fetches nothing. */
export function useEstimate<Request, Result>(
  name: string,
  wanted: Request | undefined,
  ask: (request: Request) => Promise<Result>,
) {
  const text = wanted === undefined ? '' : JSON.stringify(wanted);
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery({
    queryKey: [name, asked],
    queryFn: () => ask(JSON.parse(asked) as Request),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  return {
    data: text !== '' && asked !== '' ? query.data : undefined,
    busy: query.isFetching || asked !== text,
    error: text === '' ? null : query.error,
  };
}
