import type { ChatNumber, ChatNumbers, Portfolio } from '../channels/chat/business-numbers.ts';
import { insertTemplates, type NewTemplate } from '../channels/chat/template-rows.ts';
import type { Sql } from '../database/connection.ts';
import type { Clock } from '../kit/clock.ts';
import type { IdSource } from '../kit/ids.ts';
import { templateStatus } from '../protocols/chat-platform/template-status.ts';
import { readTemplate } from '../protocols/chat-platform/templates.ts';
import { demoTemplates } from './chat-platform/demo-templates.ts';

export const DEMO_CHAT_NUMBER = '972550000001';
const DEMO_TIER = 250;
/** Rate that the platform grants a number by default. */
const MESSAGES_PER_SECOND = 80;

interface ChatDemoDeps {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly numbers: ChatNumbers;
}

/**
 * Creates the demo account's chat objects (decisions, section 5): a portfolio, a business number, and the templates of
 * `demoTemplates`, which the sandbox's platform has too. Existing objects stay unchanged except for the access token,
 * so it can be called at each start.
 */
export async function createDemoChat(
  { sql, ids, clock, numbers }: ChatDemoDeps,
  accountId: number,
  platform: {
    /** Platform ids of the business account and of the number, and the token for both. */
    readonly platformId: string;
    readonly numberPlatformId: string;
    readonly accessToken: string;
  },
): Promise<{ portfolio: Portfolio; number: ChatNumber }> {
  const { platformId, numberPlatformId, accessToken } = platform;
  let portfolio = await numbers.portfolioByPlatformId(platformId);
  if (!portfolio) {
    portfolio = await numbers.createPortfolio({
      accountId,
      name: 'Demo',
      tier: DEMO_TIER,
      platformId,
      accessToken,
    });
  } else if (portfolio.accessToken !== accessToken) {
    await numbers.setAccessToken(portfolio.id, accessToken);
    portfolio = { ...portfolio, accessToken };
  }
  const number =
    (await numbers.find(DEMO_CHAT_NUMBER)) ??
    (await numbers.addNumber({
      phone: DEMO_CHAT_NUMBER,
      accountId,
      portfolioId: portfolio.id,
      name: 'Demo',
      platformId: numberPlatformId,
      messagesPerSecond: MESSAGES_PER_SECOND,
    }));
  const now = clock.now();
  const templates = demoTemplates.map((template): NewTemplate => {
    const { platformId: id, name, language, status, content } = readTemplate(template);
    return {
      id: ids.next(),
      accountId,
      templateId: `1_${DEMO_CHAT_NUMBER}_${name}`,
      phone: DEMO_CHAT_NUMBER,
      name,
      language,
      category: content.category,
      content,
      status: status ?? templateStatus.pending,
      statusAt: now,
      createdAt: now,
      platformId: id,
    };
  });
  await sql.begin((tx) => insertTemplates(tx, ids, accountId, templates));
  return { portfolio, number };
}
