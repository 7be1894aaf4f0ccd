import { z } from 'zod';
import type { CoreContext } from '../../../core.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { rowsAnswer } from '../../../interfaces/v1/kit/fields.ts';
import { resource } from '../../../interfaces/v1/kit/route.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';
import { languages } from '../languages.ts';
import type { ChatNumbers } from '../numbers.ts';
import { problemsOf, qualityOfNumber } from '../standings.ts';
import { problemAnswer, qualityAnswer, showProblem, showQuality } from './standing-fields.ts';

const numberAnswer = z.object({
  phone: out.text('The number, international digits.', '972550000001'),
  name: out.text('What people call it.', 'Shop'),
  messages_per_second: out.count('How fast it sends at most.', 80),
  quality: qualityAnswer,
});
const portfolioAnswer = z.object({
  id: out.id('Its id.', '1774337460000002'),
  name: out.text('Its name.', 'Shop'),
  tier: out.count('How many clients may be written to first within 24 hours.', 250),
  reached: out.count('How many were in the last 24 hours.', 17),
  problems: z
    .array(problemAnswer)
    .describe('What the platform has against the portfolio and its numbers now, the oldest first.'),
  numbers: z.array(numberAnswer).describe('Its business numbers.'),
});

const languageAnswer = z.object({
  number: out.text('Its number in the chat API.', '2'),
  code: out.text("The platform's code.", 'en'),
  name: out.text('Its name in English.', 'English'),
});

const showNumber = serializer(numberAnswer);
const showPortfolio = serializer(portfolioAnswer);

interface ChatNumbersDeps extends Pick<CoreContext, 'clock'> {
  readonly chatNumbers: ChatNumbers;
}

const route = resource<ChatNumbersDeps>('chat');

/** Business numbers of an account, and the languages that templates can be in. */
export const chatNumberRoutes = [
  route('GET /v1/chat/languages', {
    operationId: 'listLanguages',
    title: 'List template languages',
    description: 'Those that the platform has, in the order of their numbers.',
    answer: rowsAnswer('languages', languageAnswer),
    handler: () => ({
      languages: languages.map(({ number, code, name }) => ({ number: String(number), code, name })),
    }),
  }),
  route('GET /v1/chat/numbers', {
    operationId: 'listChatNumbers',
    title: 'List business numbers',
    description:
      'The portfolios of the account with their business numbers. Numbers of one portfolio share its tier and its templates. With how the platform rates them, and what it has against them.',
    answer: rowsAnswer('portfolios', portfolioAnswer),
    handler: async ({ accountId }, { chatNumbers, clock }) => {
      const [portfolios, numbers, reached] = await Promise.all([
        chatNumbers.portfolios(accountId),
        chatNumbers.list(accountId),
        chatNumbers.reached(accountId),
      ]);
      return {
        portfolios: portfolios.map((portfolio) =>
          showPortfolio({
            ...portfolio,
            reached: reached.get(portfolio.id) ?? 0,
            problems: problemsOf(portfolio, clock.now()).map((problem) => showProblem(problem)),
            numbers: numbers
              .filter(({ portfolioId }) => portfolioId === portfolio.id)
              .map((number) =>
                showNumber({ ...number, quality: showQuality(qualityOfNumber(portfolio, number.phone)) }),
              ),
          }),
        ),
      };
    },
  }),
];
