import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import {
  field,
  found,
  idOf,
  idText,
  notFound,
  page,
  pageAnswer,
  readPage,
  requiredText,
  text,
  whole,
  yesNo,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import {
  ACCESS_TOKEN,
  type ChatNumber,
  type ChatNumbers,
  MAX_RATE,
  MESSAGES_PER_SECOND,
  NO_TOKEN,
  PLATFORM_ID,
  type Portfolio,
  tiers,
} from '../business-numbers.ts';
import { problemsOf, qualityOfNumber } from '../standings.ts';
import { problemAnswer, qualityAnswer, showProblem, showQuality } from './standing-fields.ts';

const MAX_ROWS = 200;
const MAX_NAME = 100;

const query = z.object({
  ...page(MAX_ROWS),
  account: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of an account')
    .transform(Number)
    .optional()
    .describe('Filters by account.'),
  problems: yesNo.describe(
    '`true`: only portfolios with restrictions or warnings; `false`: only those without.',
  ),
});
const numberAnswer = z.object({
  phone: out.text('Number, international digits.', '972550000001'),
  name: out.text('Display name.', 'Shop'),
  platform_id: out.text('Id on the platform.', '105550000001'),
  messages_per_second: out.count('Maximum messages per second; 0 is no limit.', 80),
  quality: qualityAnswer,
});
const portfolioAnswer = z.object({
  id: out.id('Id of the portfolio.', '1774337460000002'),
  account_id: out.id('Id of the account that owns the portfolio.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  name: out.text('Name of the portfolio.', 'Shop'),
  platform_id: out.text('Id of the business account on the platform.', '204440000001'),
  tier: out.count('Messaging limit: clients to whom it may write first within 24 hours.', 250),
  reached: out.count('Clients reached in the last 24 hours.', 17),
  problem: out.maybeText('Reason why its numbers are paused; null if they are not.', null),
  problems: z
    .array(problemAnswer)
    .describe(
      'Current restrictions and warnings of the platform for the portfolio and its numbers, oldest first.',
    ),
  numbers: z.array(numberAnswer).describe('Business numbers of the portfolio.'),
});

const name = field(requiredText(MAX_NAME), 'Display name.', 'Shop');
const platformId = field(
  text.regex(PLATFORM_ID, 'must be 1 to 30 digits'),
  'Id on the platform.',
  '204440000001',
);
const accessToken = field(
  text.regex(ACCESS_TOKEN, 'must be letters, digits and signs'),
  'Access token for the platform.',
  'EAAG3cXlZBz',
);
const tier = field(
  z
    .int('must be a whole number')
    .refine(
      (given) => tiers.includes(given),
      because(`must be one of ${tiers.join(', ')}`, 'not-one-of', { values: tiers.join(', ') }),
    ),
  `Messaging limit, clients in 24 hours: ${tiers.join(', ')}.`,
  250,
);
const newPortfolio = z.object({
  account_id: field(idText('an account'), 'Id of the account that owns the portfolio.', '1774337460000003'),
  name,
  platform_id: platformId,
  access_token: accessToken,
  tier: tier.default(tiers[0]!),
});
const changes = z.object({ tier: tier.optional(), access_token: accessToken.optional() });
const newNumber = z.object({
  phone: field(text.min(1, 'missing'), 'Number, in any spelling.', '055-000-0001'),
  name: name.optional(),
  platform_id: platformId,
  messages_per_second: field(
    whole(0, MAX_RATE).default(MESSAGES_PER_SECOND),
    'Maximum messages per second; 0 is no limit.',
    MESSAGES_PER_SECOND,
  ),
});

/** Why the numbers of a portfolio are paused. */
const TOKEN_LOST = 'its access token was lost with the key: set it again';

const showNumber = serializer(numberAnswer);
const showNumberOf = (portfolio: Portfolio, number: ChatNumber) =>
  showNumber({ ...number, quality: showQuality(qualityOfNumber(portfolio, number.phone)) });
const showPortfolio = serializer(portfolioAnswer);

interface OperatorChatDeps extends Pick<CoreContext, 'accounts' | 'clock' | 'numbers'> {
  readonly chatNumbers: ChatNumbers;
}

const route = resource<OperatorChatDeps>('operator');

/** Chat portfolios and business numbers of all accounts, for operators. */
export const operatorChatRoutes = [
  route('GET /v1/operator/chat-portfolios', {
    access: operatorReads,
    operationId: 'listChatPortfolios',
    title: 'List chat business accounts',
    description: 'Lists the portfolios of all accounts, oldest first, each with its tier and its numbers.',
    query,
    answer: pageAnswer('portfolios', portfolioAnswer),
    handler: async ({ query: { after = 0, limit, account, problems } }, deps) => {
      const now = deps.clock.now();
      const { rows, next } = await readPage(limit, async () =>
        (await deps.chatNumbers.allPortfolios()).filter(
          (portfolio) =>
            portfolio.id > after &&
            (account === undefined || portfolio.accountId === account) &&
            (problems === undefined || problems === problemsOf(portfolio, now).length > 0),
        ),
      );
      return { portfolios: await show(deps, rows), next };
    },
  }),
  route('POST /v1/operator/chat-portfolios', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'createChatPortfolio',
    title: 'Add a chat business account',
    description: 'Adds a portfolio to an account. Its numbers share its tier and its templates.',
    refusals: ['not-found', 'not-now'],
    body: newPortfolio,
    answer: portfolioAnswer,
    handler: async ({ body: given, audit }, deps) => {
      const accountId = Number(given.account_id);
      if (!(await deps.accounts.byId(accountId))) throw notFound('account');
      const { id } = await deps.chatNumbers.createPortfolio({
        accountId,
        name: given.name,
        tier: given.tier,
        platformId: given.platform_id,
        accessToken: given.access_token,
      });
      const made = await showOne(deps, id);
      audit({ kind: 'chat-portfolios', id: made.id, after: made });
      return made;
    },
  }),
  route('PATCH /v1/operator/chat-portfolios/:id', {
    access: proven(operatorChanges),
    operationId: 'changeChatPortfolio',
    title: 'Change a chat business account',
    description: 'Updates the messaging limit or the access token. Omitted fields keep their values.',
    id: idOf('portfolio'),
    body: changes,
    answer: portfolioAnswer,
    handler: async ({ id, body: given, audit }, deps) => {
      const { tier: before } = await find(deps, id);
      if (given.tier !== undefined) await deps.chatNumbers.setTier(id, given.tier);
      if (given.access_token !== undefined) await deps.chatNumbers.setAccessToken(id, given.access_token);
      const after = await showOne(deps, id);
      audit({ before: { tier: before }, after: { tier: after.tier } });
      return after;
    },
  }),
  route('POST /v1/operator/chat-portfolios/:id/numbers', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'addChatNumber',
    title: 'Add a business number',
    description:
      'Adds a number from which the account of the portfolio can send by chat, and fetches its templates.',
    refusals: ['not-now'],
    id: idOf('portfolio'),
    body: newNumber,
    answer: portfolioAnswer,
    handler: async ({ id, body: given, audit }, deps) => {
      const portfolio = await find(deps, id);
      const phone = deps.numbers.parse(given.phone)?.digits;
      if (phone === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
      const added = await deps.chatNumbers.addNumber({
        phone,
        accountId: portfolio.accountId,
        portfolioId: portfolio.id,
        name: given.name ?? phone,
        platformId: given.platform_id,
        messagesPerSecond: given.messages_per_second,
      });
      audit({ after: { number: showNumberOf(portfolio, added) } });
      return showOne(deps, portfolio.id);
    },
  }),
];

async function find({ chatNumbers }: OperatorChatDeps, id: number): Promise<Portfolio> {
  return found(await chatNumbers.portfolio(id), 'portfolio');
}

async function show(
  { accounts, chatNumbers, clock }: OperatorChatDeps,
  portfolios: readonly Portfolio[],
): Promise<z.output<typeof portfolioAnswer>[]> {
  const [all, reached] = await Promise.all([chatNumbers.all(), chatNumbers.reachedOf(portfolios)]);
  const ofPortfolio = Map.groupBy(all, ({ portfolioId }) => portfolioId);
  return Promise.all(
    portfolios.map(async (portfolio) =>
      showPortfolio({
        ...portfolio,
        username: (await accounts.byId(portfolio.accountId))?.username ?? '',
        reached: reached.get(portfolio.id) ?? 0,
        problem: portfolio.accessToken === NO_TOKEN ? TOKEN_LOST : null,
        problems: problemsOf(portfolio, clock.now()).map((problem) => showProblem(problem)),
        numbers: (ofPortfolio.get(portfolio.id) ?? []).map((number) => showNumberOf(portfolio, number)),
      }),
    ),
  );
}
const showOne = async (deps: OperatorChatDeps, id: number) => (await show(deps, [await find(deps, id)]))[0]!;
