import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import { field } from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { type FinishingTimeDeps, finishingTime } from '../../../engine/messages/finishing-time.ts';
import type { lanes } from '../../../engine/messages/lanes.ts';
import type { ChatProblem } from '../../../kit/errors.ts';
import { formatAmount } from '../../../modules/accounts/money.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ChatSender } from '../sender.ts';
import { chatRoute } from '../statuses.ts';

/* Shared by the chat sends under /v1. */

export interface ChatMessageDeps extends Pick<CoreContext, 'clock' | 'wallets'> {
  readonly sender: ChatSender;
  readonly finishing: FinishingTimeDeps;
}

export const source = field(storable(50), 'Business number.', '972550000001');
export const MAX_RECIPIENT = 140;
export const to = field(
  storable(MAX_RECIPIENT),
  'Recipient, in any spelling; for a client who hides their number, the id in `from` of events.',
  '972501234567',
);

/** Common refusals of these sends. */
export const addressProblems: readonly ChatProblem[] = ['unknown-source', 'bad-destination', 'suspended'];

export const sentAnswer = z.object({
  id: out.id('Id of the message.', '1774337460000007'),
  body: out.text('Body as the client reads it.', 'Hello Dana, your code is 1234'),
  template_time_left: out.count("Minutes left of the 24 hours since the client's last message.", 1_431),
  conversation_time_left: out.count('Minutes left of the conversation.', 1_440),
});
export const showSent = serializer(sentAnswer);

export const money = {
  cost: out.text('Maximum price in credits: if a conversation opens with every recipient.', '1'),
  balance: out.text('Balance of the account in credits.', '1200'),
  enough: out.flag('Whether the balance is sufficient.', true),
  finishes_at: out.time(
    'Estimated time of submission of the last message, by the queue and the rate of the number',
  ),
};

/** Returns the fields of `money`. `cost` is in ten-thousandths of a credit, `dueAt` in milliseconds since the epoch. */
export async function moneyOf(
  { wallets, finishing }: Pick<ChatMessageDeps, 'wallets' | 'finishing'>,
  accountId: number,
  cost: number,
  messages: number,
  dueAt: number,
  number: { readonly phone: string; readonly messagesPerSecond: number },
  lane: typeof lanes.single | typeof lanes.bulk,
) {
  const chat = { route: chatRoute(number.phone), messagesPerSecond: number.messagesPerSecond };
  const [balance, finishesAt] = await Promise.all([
    wallets.balance(accountId),
    finishingTime(finishing, { accountId, lane, messages, dueAt, own: chat }),
  ]);
  return {
    cost: formatAmount(cost),
    balance: formatAmount(balance),
    enough: balance >= cost,
    finishes_at: iso(finishesAt),
  };
}
