import { api } from '../../api/client.ts';

interface ChatNumber {
  readonly phone: string;
  readonly name: string;
}

/** The business numbers of the account; `ofPortfolios` is one of each portfolio. */
export function useChatNumbers(): {
  readonly list: readonly ChatNumber[];
  readonly ofPortfolios: readonly string[];
  readonly loading: boolean;
} {
  const query = api.useQuery('get', '/v1/chat/numbers', undefined, { staleTime: 60_000 });
  const portfolios = query.data?.portfolios ?? [];
  return {
    list: portfolios.flatMap(({ numbers }) => numbers),
    ofPortfolios: portfolios.flatMap(({ numbers }) => numbers.slice(0, 1).map(({ phone }) => phone)),
    loading: query.isPending,
  };
}
