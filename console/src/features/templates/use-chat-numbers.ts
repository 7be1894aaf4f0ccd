import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';

type Portfolio = Answer<'/v1/chat/numbers'>['portfolios'][number];
type ChatNumber = Portfolio['numbers'][number];

/** The business numbers of the account; `ofPortfolios` is one of each portfolio. */
export function useChatNumbers(): {
  readonly list: readonly ChatNumber[];
  readonly ofPortfolios: readonly string[];
  /** Problems that the platform reports for the portfolios and their numbers. */
  readonly problems: Portfolio['problems'];
  readonly loading: boolean;
} {
  const query = useAnswer('/v1/chat/numbers', undefined, { staleTime: 60_000 });
  const portfolios = query.data?.portfolios ?? [];
  return {
    list: portfolios.flatMap(({ numbers }) => numbers),
    ofPortfolios: portfolios.flatMap(({ numbers }) => numbers.slice(0, 1).map(({ phone }) => phone)),
    problems: portfolios.flatMap(({ problems }) => problems),
    loading: query.isPending,
  };
}
