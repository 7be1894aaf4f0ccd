import { z } from 'zod';
import { languages } from '../../channels/chat/languages.ts';
import type { ChatNumbers } from '../../channels/chat/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import type { V1Part } from './door.ts';

const numberAnswer = z.object({
  phone: answered(z.string(), 'The number, international digits.', '972550000001'),
  name: answered(z.string(), 'What people call it.', 'Shop'),
  messages_per_second: answered(z.int(), 'How fast it sends at most.', 80),
});
const portfolioAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000002'),
  name: answered(z.string(), 'Its name.', 'Shop'),
  tier: answered(z.int(), 'How many clients may be written to first within 24 hours.', 250),
  reached: answered(z.int(), 'How many were in the last 24 hours.', 17),
  numbers: z.array(numberAnswer).describe('Its business numbers.'),
});

const languageAnswer = z.object({
  number: answered(z.string(), 'Its number in the chat API.', '2'),
  code: answered(z.string(), "The platform's code.", 'en'),
  name: answered(z.string(), 'Its name in English.', 'English'),
});

/**
 * Business numbers under /v1, a part of the door:
 * - `GET /chat/numbers`: the portfolios of the account, each with its tier, how much of it is used, and its numbers
 * - `GET /chat/languages`: languages that templates can be in
 */
export function chatNumbersPart({ chatNumbers }: { readonly chatNumbers: ChatNumbers }): V1Part {
  return (app, accountOf) => {
    app.get(
      '/chat/languages',
      described({
        chapter: 'chat',
        id: 'listLanguages',
        title: 'Languages of templates',
        description: 'Those that the platform has, in the order of their numbers.',
        answer: z.object({ languages: z.array(languageAnswer) }),
      }),
      async () => ({
        languages: languages.map(({ number, code, name }) => ({ number: String(number), code, name })),
      }),
    );

    app.get(
      '/chat/numbers',
      described({
        chapter: 'chat',
        id: 'listChatNumbers',
        title: 'Business numbers',
        description:
          'The portfolios of the account with their business numbers. Numbers of one portfolio share its tier and its templates.',
        answer: z.object({ portfolios: z.array(portfolioAnswer) }),
      }),
      async (request) => {
        const { id: accountId } = accountOf(request);
        const [portfolios, numbers, reached] = await Promise.all([
          chatNumbers.portfolios(accountId),
          chatNumbers.list(accountId),
          chatNumbers.reached(accountId),
        ]);
        return {
          portfolios: portfolios.map(({ id, name, tier }) => ({
            id: String(id),
            name,
            tier,
            reached: reached.get(id) ?? 0,
            numbers: numbers
              .filter(({ portfolioId }) => portfolioId === id)
              .map((number) => ({
                phone: number.phone,
                name: number.name,
                messages_per_second: number.messagesPerSecond,
              })),
          })),
        };
      },
    );
  };
}
