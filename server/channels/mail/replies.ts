import { storeSendKey } from '../../api/send-keys/send-keys.ts';
import type { Queryable } from '../../database/connection.ts';
import { storeRequest } from '../../engine/messages/store-request.ts';
import { accountSuspended, Refusal } from '../../kit/errors.ts';
import { harmlessName } from '../../kit/text/harmless-name.ts';
import { languageOf } from '../../kit/text/language.ts';
import type { Reply, ReplyChannel, SentReply } from '../../modules/conversations/reply-channel.ts';
import { readTextReply, textReplyState } from '../../modules/conversations/text-replies.ts';
import type { CoreContext } from '../../run/services.ts';
import { MAX_SUBJECT, MAX_TEXT, type MailContent } from './content.ts';
import type { MailGate } from './mail-gate.ts';
import type { MailOutbox } from './mail-outbox.ts';
import { MAIL_PRICES } from './planned-mails.ts';
import type { MailSenders } from './senders.ts';

interface MailRepliesDeps extends Pick<CoreContext, 'sql' | 'accounts' | 'prices'> {
  readonly senders: Pick<MailSenders, 'check'>;
  readonly mailGate: Pick<MailGate, 'open'>;
  readonly outbox: Pick<MailOutbox, 'store' | 'notifyDispatcher'>;
  /** Whether a relay is configured. */
  readonly isSetUp: boolean;
}

/** A Message-ID in header form (RFC 5322, 3.6.4), short enough for one line. */
const MESSAGE_ID = /^<[\x21-\x3b=\x3f-\x7e]{1,400}>$/;

/** Replies of people by email, from the address that the client wrote to, to the last email of the client. */
export function mailReplies(deps: MailRepliesDeps): ReplyChannel {
  const { sql, accounts, mailGate, prices, senders, outbox, isSetUp } = deps;

  /** Returns the name of the account. Throws Refusal if the account or the sender does not permit sending. */
  async function check({ accountId, sender }: Pick<Reply, 'accountId' | 'sender'>): Promise<string> {
    const account = await accounts.byId(accountId);
    if (!account || account.suspended) throw accountSuspended();
    if (!isSetUp)
      throw new Refusal('not-now', 'no mail relay is set up', undefined, { reason: 'no-mail-relay' });
    await senders.check(accountId, sender);
    return harmlessName(account.name);
  }

  const textOf = ({ content }: Reply) => readTextReply(content, MAX_TEXT, 'a mail is a text');

  return {
    state: (to) => textReplyState(check(to)),

    async estimate(reply) {
      await check(reply);
      textOf(reply);
      return { price: (await prices.of(reply.accountId, MAIL_PRICES))(''), parts: 1 };
    },

    async send(reply, sendKey) {
      const { accountId, sender, client } = reply;
      const name = await check(reply);
      const text = textOf(reply);
      const { subject, inReplyTo } = await lastOf(sql, reply);
      const pass = await mailGate.open({
        accountId,
        from: sender,
        rule: { claims: 'reply', over: 'mail', sender, client },
        recipients: [client],
      });
      const content: MailContent = {
        from: { name, address: sender },
        replyTo: null,
        subject,
        html: null,
        text,
        links: [],
        language: languageOf(text),
        removable: false,
        literal: true,
        ...(inReplyTo !== '' && { inReplyTo }),
      };
      const sent = await storeRequest(sql, async (tx): Promise<SentReply> => {
        const to = { to: client, userId: null, fields: () => ({}) };
        const shipmentId = await outbox.store(tx, pass, content, [to]);
        const answer = { shipmentId, type: 'text', text };
        await storeSendKey(tx, accountId, sendKey, answer);
        return answer;
      });
      outbox.notifyDispatcher(accountId);
      return sent;
    },
  };
}

/** Returns the subject for a reply to the last email of a client, and the Message-ID of that email. */
async function lastOf(
  sql: Queryable,
  { accountId, sender, client }: Pick<Reply, 'accountId' | 'sender' | 'client'>,
): Promise<{ readonly subject: string; readonly inReplyTo: string }> {
  const [row] = await sql<{ subject: string; mail_id: string }[]>`
    SELECT subject, mail_id FROM mail_incoming
    WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender} ORDER BY id DESC LIMIT 1`;
  const said = row?.subject ?? '';
  const subject = (/^re:/i.test(said) ? said : `Re: ${said}`).trim().slice(0, MAX_SUBJECT).toWellFormed();
  return { subject, inReplyTo: row && MESSAGE_ID.test(row.mail_id) ? row.mail_id : '' };
}
