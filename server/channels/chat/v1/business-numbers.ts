import { z } from 'zod';
import { reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ChatNumbers } from '../business-numbers.ts';
import { languages } from '../languages.ts';
import { problemsOf, qualityOfNumber } from '../standings.ts';
import { problemAnswer, qualityAnswer, showProblem, showQuality } from './standing-fields.ts';

const numberAnswer = z.object({
  phone: out.text('Number, international digits.', '972550000001'),
  name: out.text('Display name.', 'Shop'),
  messages_per_second: out.count('Maximum messages per second.', 80),
  quality: qualityAnswer,
});
const portfolioAnswer = z.object({
  id: out.id('Id of the portfolio.', '1774337460000002'),
  name: out.text('Name of the portfolio.', 'Shop'),
  tier: out.count('Messaging limit: clients to whom it may write first within 24 hours.', 250),
  reached: out.count('Clients reached in the last 24 hours.', 17),
  problems: z
    .array(problemAnswer)
    .describe(
      'Current restrictions and warnings of the platform for the portfolio and its numbers, oldest first.',
    ),
  numbers: z.array(numberAnswer).describe('Business numbers of the portfolio.'),
});

const languageAnswer = z.object({
  number: out.text('Number of the language in the chat API.', '2'),
  code: out.text('Code of the language on the platform.', 'en'),
  name: out.text('Name of the language in English.', 'English'),
});

const showNumber = serializer(numberAnswer);
const showPortfolio = serializer(portfolioAnswer);

interface ChatNumbersDeps extends Pick<CoreContext, 'clock'> {
  readonly chatNumbers: ChatNumbers;
}

const route = resource<ChatNumbersDeps>('chat');

/** Business numbers of an account, and the languages of templates. */
export const chatNumberRoutes = [
  route('GET /v1/chat/languages', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'listLanguages',
    title: 'List template languages',
    description: 'Lists the languages of the platform, ordered by number.',
    answer: rowsAnswer('languages', languageAnswer),
    handler: () => ({
      languages: languages.map(({ number, code, name }) => ({ number: String(number), code, name })),
    }),
  }),
  route('GET /v1/chat/numbers', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'listChatNumbers',
    title: 'List business numbers',
    description:
      'Lists the portfolios of the account with their business numbers, their ratings on the platform, and its restrictions and warnings. Numbers of one portfolio share its tier and its templates.',
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
