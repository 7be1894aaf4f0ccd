import { lanes } from '../../engine/messages/lanes.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { MAX_MESSAGE } from '../../engine/messages/send-request.ts';
import { accountSuspended, Refusal } from '../../kit/errors.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import type { Reply, ReplyChannel, SentReply } from '../../modules/conversations/reply-channel.ts';
import { readTextReply, textReplyState } from '../../modules/conversations/text-replies.ts';
import type { CoreContext } from '../../run/services.ts';

type SmsRepliesDeps = Pick<
  CoreContext,
  'accounts' | 'sources' | 'numbers' | 'verifySources' | 'prices' | 'acceptor'
>;

/** Replies of people by SMS, from the number that the client wrote to. */
export function smsReplies(deps: SmsRepliesDeps): ReplyChannel {
  const { accounts, sources, numbers, verifySources, prices, acceptor } = deps;

  /** Throws Refusal if the account, sender or client of a reply does not permit sending. */
  async function check({ accountId, sender, client }: Omit<Reply, 'content'>): Promise<void> {
    const account = await accounts.byId(accountId);
    if (!account || account.suspended) throw accountSuspended();
    if (verifySources && !(await sources.isApproved(accountId, sender))) {
      throw new Refusal('source-not-verified', 'no longer a number of the account');
    }
    if (numbers.parse(client) === null) throw new Refusal('bad-destination', 'no phone number');
  }

  async function requestOf(reply: Reply): Promise<ShipmentRequest & { readonly text: string }> {
    await check(reply);
    const { accountId, sender, client, content } = reply;
    const text = readTextReply(content, MAX_MESSAGE, 'an SMS is a text');
    return {
      accountId,
      lane: lanes.single,
      campaignName: null,
      source: displayNumber(sender),
      text,
      items: [{ phone: client, externalId: null, source: null, text: null }],
      dueAt: null,
      recentDays: null,
      // Without a message from the client there is no evidence, so the sending policy applies to the first message.
      rule: { claims: 'reply', over: 'sms', sender, client },
      international: reply.international ?? false,
    };
  }

  return {
    pricedByCountry: true,

    async senders(accountId) {
      const all = await sources.list(accountId);
      return all.filter(({ incoming }) => incoming).map(({ source }) => ({ sender: source, name: '' }));
    },

    state: (to) => textReplyState(check(to)),

    async estimate(reply) {
      const request = await requestOf(reply);
      const priceOf = await prices.of(reply.accountId, 'sms');
      const parts = countParts(request.text);
      return { price: priceOf(reply.client) * parts, parts };
    },

    async send(reply, sendKey) {
      const request = await requestOf(reply);
      const shown = (shipmentId: number): SentReply => ({ shipmentId, type: 'text', text: request.text });
      const key = sendKey && {
        key: sendKey.key,
        row: (shipmentId: number) => sendKey.row(shown(shipmentId)),
      };
      return shown(await acceptor.accept(key ? { ...request, sendKey: key } : request));
    },
  };
}
