import { parseAmount } from '../../accounts/money.ts';
import type { PriceFinder } from '../../accounts/prices.ts';
import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { type ChatProblem, Refusal } from '../../errors.ts';
import { blacklisted } from '../../messages/recipients.ts';
import { status } from '../../statuses.ts';
import type { Failure } from './campaign-messages.ts';
import type { Recipient } from './campaign-recipients.ts';
import { exampleValues, isShared, valuesFor } from './campaign-request.ts';
import type { CampaignRow } from './campaign-rows.ts';
import { chatCodec } from './content.ts';
import { type FillTime, fillTemplate } from './fill.ts';
import type { ChatNumber } from './numbers.ts';
import { chatStatus } from './statuses.ts';
import { isUsable, type Template } from './templates.ts';
import { DAY_MS } from './windows.ts';

/** What a recipient is to get, before windows, tier and credit are looked at. */
export interface Wish {
  readonly phone: string;
  /** Its own content; null: the shipment's, or none. */
  readonly text: string | null;
  /** Why it is not to go; null: it is. */
  readonly failure: Failure | null;
}

/** The word for a number that is on the account's blacklist, where others have a ChatProblem. */
const BLACKLISTED = 'blacklisted';

const refused = (code: ChatProblem): Failure => ({ status: chatStatus.refused, code });
const noCredit: Failure = { status: chatStatus.noCredit, code: 'no-credit' satisfies ChatProblem };

/** Writes what each of these recipients is to get. */
export async function wishFor(
  sql: Sql,
  campaign: CampaignRow,
  recipients: readonly Recipient[],
  from: {
    readonly number: ChatNumber | undefined;
    readonly template: Template | undefined;
    readonly time: FillTime;
  },
): Promise<Wish[]> {
  const { request } = campaign;
  const blocked = await blacklisted(
    sql,
    campaign.account_id,
    recipients.map(({ phone }) => phone),
  );
  const { number, template, time } = from;
  const shared = isShared(request);
  const general = problemOfAll(campaign, number, template, time);
  return recipients.map(({ phone, isUsable, listIndex, fields }): Wish => {
    const failed = (failure: Failure) => ({ phone, text: null, failure });
    if (!isUsable) return failed(refused('bad-destination'));
    if (blocked.has(phone)) return failed({ status: status.blockedOnRequest, code: BLACKLISTED });
    if (general) return failed(refused(general));
    if (shared) return { phone, text: null, failure: null };
    try {
      const { content } = fillTemplate(template!, valuesFor(request, listIndex ?? 0, fields), time);
      return { phone, text: chatCodec.encode(content), failure: null };
    } catch (error) {
      return failed(refused(problemOf(error)));
    }
  });
}

/** What keeps every message of a campaign from being sent since it was accepted; null: nothing. */
function problemOfAll(
  { request }: CampaignRow,
  number: ChatNumber | undefined,
  template: Template | undefined,
  time: FillTime,
): ChatProblem | null {
  if (!number) return 'unknown-source';
  if (!template) return 'unknown-template';
  if (!isUsable(template, time.now)) return 'template-not-usable';
  try {
    fillTemplate(template, exampleValues(request), time);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): ChatProblem {
  if (error instanceof Refusal) return error.code as ChatProblem;
  throw error;
}

/**
 * The first of the wishes that a step can do with the credit there is, those that there is no credit for marked so.
 * What was held for the campaign pays first. A conversation that is open costs nothing; whether somebody else will turn
 * out to cost nothing, since he cannot be sent to, is not known yet: so a step ends before the first who could not be
 * paid for if all before him are sent to, and the next one begins with what is left then.
 */
export async function withinCredit(
  sql: Sql,
  campaign: CampaignRow,
  wishes: readonly Wish[],
  priceOf: PriceFinder,
  now: number,
): Promise<readonly Wish[]> {
  const { account_id: accountId, number, held } = campaign;
  let left = parseAmount(held);
  const wanted = wishes.filter(({ failure }) => failure === null).map(({ phone }) => phone);
  if (wanted.reduce((sum, phone) => sum + priceOf(phone), 0) <= left) return wishes;
  const [[wallet], rows] = await Promise.all([
    sql<{ balance: string }[]>`SELECT balance FROM wallets WHERE account_id = ${accountId}`,
    sql<{ client: string }[]>`
      SELECT client FROM chat_windows
      WHERE account_id = ${accountId} AND number = ${number} AND client = ANY(${texts(wanted)}::text[])
        AND conversation_at > ${now - DAY_MS}`,
  ]);
  left += parseAmount(wallet!.balance);
  const open = new Set(rows.map(({ client }) => client));
  const done: Wish[] = [];
  let isExact = true;
  for (const wish of wishes) {
    const price = wish.failure || open.has(wish.phone) ? 0 : priceOf(wish.phone);
    if (price > left) {
      if (!isExact) break;
      done.push({ ...wish, text: null, failure: noCredit });
      continue;
    }
    if (price > 0) isExact = false;
    left -= price;
    done.push(wish);
  }
  return done;
}
