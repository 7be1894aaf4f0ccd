import { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import {
  ACCESS_TOKEN,
  type ChatNumber,
  type ChatNumbers,
  ChatSetupRefused,
  MESSAGES_PER_SECOND,
  NO_TOKEN,
  PLATFORM_ID,
  type Portfolio,
  RATE_MOST,
  tiers,
} from '../../channels/chat/numbers.ts';
import { Refusal } from '../../errors.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { idText, next } from './fields.ts';
import { withBody } from './json-body.ts';

const ROWS_MOST = 200;
const NAME_MOST = 100;

const query = z.object({
  after: z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .transform(Number)
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  account: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of an account')
    .transform(Number)
    .optional()
    .describe('Portfolios of this account alone.'),
});
const numberAnswer = z.object({
  phone: answered(z.string(), 'The number, international digits.', '972550000001'),
  name: answered(z.string(), 'What people call it.', 'Shop'),
  platform_id: answered(z.string(), 'Its id on the platform.', '105550000001'),
  messages_per_second: answered(z.int(), 'How fast it sends at most; 0 is no limit.', 80),
});
const portfolioAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000002'),
  account_id: answered(z.string(), 'Whose it is.', '1774337460000003'),
  username: answered(z.string(), 'The user name of that account.', 'shop'),
  name: answered(z.string(), 'Its name.', 'Shop'),
  platform_id: answered(z.string(), 'The id of the business account on the platform.', '204440000001'),
  tier: answered(z.int(), 'How many clients may be written to first within 24 hours.', 250),
  reached: answered(z.int(), 'How many were in the last 24 hours.', 17),
  problem: answered(z.string().nullable(), 'Why its numbers are paused; null when they are not.', null),
  numbers: z.array(numberAnswer).describe('Its business numbers.'),
});

const name = z
  .string('must be a text')
  .trim()
  .min(1, 'missing')
  .max(NAME_MOST, `over ${NAME_MOST} characters`)
  .meta({ description: 'What people call it.', examples: ['Shop'] });
const platformId = z
  .string('must be a text')
  .regex(PLATFORM_ID, 'must be 1 to 30 digits')
  .meta({ description: 'The id on the platform.', examples: ['204440000001'] });
const accessToken = z
  .string('must be a text')
  .regex(ACCESS_TOKEN, 'must be letters, digits and signs')
  .meta({ description: 'What the platform is called with.', examples: ['EAAG3cXlZBz'] });
const tier = z
  .int('must be a whole number')
  .refine((given) => tiers.includes(given), `must be one of ${tiers.join(', ')}`)
  .meta({ description: `Clients in 24 hours: ${tiers.join(', ')}.`, examples: [250] });
const newPortfolio = z.object({
  account_id: idText('an account').meta({ description: 'Whose it is.', examples: ['1774337460000003'] }),
  name,
  platform_id: platformId,
  access_token: accessToken,
  tier: tier.default(tiers[0]!),
});
const changes = z.object({ tier: tier.optional(), access_token: accessToken.optional() });
const newNumber = z.object({
  phone: z
    .string('must be a text')
    .min(1, 'missing')
    .meta({ description: 'The number, in any spelling.', examples: ['055-000-0001'] }),
  name: name.optional(),
  platform_id: platformId,
  messages_per_second: z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(RATE_MOST, `must be ${RATE_MOST} or less`)
    .default(MESSAGES_PER_SECOND)
    .meta({ description: 'How fast it sends at most; 0 is no limit.', examples: [MESSAGES_PER_SECOND] }),
});

/** Why the numbers of a portfolio are paused. */
const TOKEN_LOST = 'its access token was lost with the key: set it again';

const pathOfPortfolio = 'The id of the portfolio.';
type WithId = { Params: { id: string } };

export interface OperatorChatParts {
  readonly accounts: Accounts;
  readonly chatNumbers: ChatNumbers;
  readonly numbers: NumberReader;
}

/**
 * Who sends by chat, and as whom on the platform, under /v1, for operators, a part of the door:
 * - `GET /operator/chat-portfolios?after=&limit=&account=`, `POST /operator/chat-portfolios`,
 *   `PATCH /operator/chat-portfolios/:id`: business accounts with their tiers and numbers
 * - `POST /operator/chat-portfolios/:id/numbers`: adds a business number
 */
export function operatorChatPart({ accounts, chatNumbers, numbers }: OperatorChatParts): V1Part {
  async function find(text: string): Promise<Portfolio> {
    const found = await chatNumbers.portfolio(pathId(text, 'portfolio'));
    if (!found) throw new NotFound('no such portfolio');
    return found;
  }

  async function show(portfolios: readonly Portfolio[]): Promise<z.output<typeof portfolioAnswer>[]> {
    const [all, reached] = await Promise.all([chatNumbers.all(), chatNumbers.reachedOf(portfolios)]);
    const ofPortfolio = Map.groupBy(all, ({ portfolioId }) => portfolioId);
    return Promise.all(
      portfolios.map(async (portfolio) => ({
        id: String(portfolio.id),
        account_id: String(portfolio.accountId),
        username: (await accounts.byId(portfolio.accountId))?.username ?? '',
        name: portfolio.name,
        platform_id: portfolio.platformId,
        tier: portfolio.tier,
        reached: reached.get(portfolio.id) ?? 0,
        problem: portfolio.accessToken === NO_TOKEN ? TOKEN_LOST : null,
        numbers: (ofPortfolio.get(portfolio.id) ?? []).map(showNumber),
      })),
    );
  }
  const showOne = async (id: number) => (await show([(await chatNumbers.portfolio(id))!]))[0]!;

  return (app) => {
    app.get(
      '/operator/chat-portfolios',
      described({
        chapter: 'operator',
        id: 'listChatPortfolios',
        title: 'Business accounts and numbers of chat',
        description: 'Portfolios of all accounts, the oldest first, each with its tier and its numbers.',
        query,
        answer: z.object({ portfolios: z.array(portfolioAnswer), next }),
      }),
      async (request) => {
        const { after, limit, account } = read(query, request.query);
        const found = (await chatNumbers.allPortfolios()).filter(
          ({ id, accountId }) => id > after && (account === undefined || accountId === account),
        );
        const rows = found.slice(0, limit);
        return {
          portfolios: await show(rows),
          next: found.length > limit ? String(rows.at(-1)!.id) : null,
        };
      },
    );

    app.post(
      '/operator/chat-portfolios',
      withBody(
        described({
          chapter: 'operator',
          id: 'createChatPortfolio',
          title: 'Add a business account of chat',
          description: 'Numbers that are added to it share its tier and its templates.',
          answer: portfolioAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        newPortfolio,
      ),
      async (request) => {
        const given = read(newPortfolio, request.body);
        const accountId = Number(given.account_id);
        if (!(await accounts.byId(accountId))) throw new NotFound('no such account');
        const { id } = await inOwnWords(() =>
          chatNumbers.createPortfolio({
            accountId,
            name: given.name,
            tier: given.tier,
            platformId: given.platform_id,
            accessToken: given.access_token,
          }),
        );
        const made = await showOne(id);
        addDetails(request, { kind: 'chat-portfolios', id: made.id, after: made });
        return made;
      },
    );

    app.patch<WithId>(
      '/operator/chat-portfolios/:id',
      withBody(
        described({
          chapter: 'operator',
          id: 'changeChatPortfolio',
          title: 'Change a business account of chat',
          description: 'Its tier, or the token that the platform is called with. What is not given stays.',
          pathId: pathOfPortfolio,
          answer: portfolioAnswer,
          refusals: ['not-found'],
        }),
        changes,
      ),
      async (request) => {
        const { id, tier: before } = await find(request.params.id);
        const given = read(changes, request.body);
        if (given.tier !== undefined) await chatNumbers.setTier(id, given.tier);
        if (given.access_token !== undefined) await chatNumbers.setAccessToken(id, given.access_token);
        const after = await showOne(id);
        addDetails(request, { before: { tier: before }, after: { tier: after.tier } });
        return after;
      },
    );

    app.post<WithId>(
      '/operator/chat-portfolios/:id/numbers',
      withBody(
        described({
          chapter: 'operator',
          id: 'addChatNumber',
          title: 'Add a business number',
          description: 'The account of the portfolio may send from it by chat. Its templates are fetched.',
          pathId: pathOfPortfolio,
          answer: portfolioAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        newNumber,
      ),
      async (request) => {
        const portfolio = await find(request.params.id);
        const given = read(newNumber, request.body);
        const phone = numbers.parse(given.phone)?.digits;
        if (phone === undefined) throw new Refusal('bad-field', 'not a phone number', 'phone');
        const added = await inOwnWords(() =>
          chatNumbers.addNumber({
            phone,
            accountId: portfolio.accountId,
            portfolioId: portfolio.id,
            name: given.name ?? phone,
            platformId: given.platform_id,
            messagesPerSecond: given.messages_per_second,
          }),
        );
        addDetails(request, { after: { number: showNumber(added) } });
        return showOne(portfolio.id);
      },
    );
  };
}

function showNumber(number: ChatNumber): z.output<typeof numberAnswer> {
  return {
    phone: number.phone,
    name: number.name,
    platform_id: number.platformId,
    messages_per_second: number.messagesPerSecond,
  };
}

/** What the tables refuse is there already. */
async function inOwnWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChatSetupRefused)) throw error;
    throw new Refusal('not-now', error.message);
  }
}
