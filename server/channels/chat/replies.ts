import {
  type Reply,
  type ReplyChannel,
  type ReplyKind,
  replyKinds,
  type SentReply,
} from '../../conversations/reply-channel.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import type { MediaCheck } from '../../http/media-check.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import type { SendKey } from '../../send-keys/send-keys.ts';
import type { ChatContent } from './content.ts';
import { readButtons, readCarousel } from './free-form.ts';
import type { ChatNumbers } from './numbers.ts';
import { findQuoted } from './quotes.ts';
import type { ChatSender, Sent } from './sender.ts';
import { DAY_MS } from './windows.ts';

/** Characters of a text message (the platform's). */
const MAX_TEXT_MESSAGE = 4_096;

interface ChatRepliesDeps {
  readonly sql: Queryable;
  readonly sender: ChatSender;
  readonly chatNumbers: Pick<ChatNumbers, 'list'>;
  readonly media: MediaCheck;
  readonly numbers: NumberReader;
}

/** Once the window is closed, and while a template has no answer. */
const outsideWindow: readonly ReplyKind[] = ['template'];
const unanswered: readonly ReplyKind[] = ['text', 'template'];

/** Replies of people over chat: within the window everything, otherwise templates. */
export function chatReplies(deps: ChatRepliesDeps): ReplyChannel {
  const { sender, chatNumbers } = deps;
  return {
    async senders(accountId) {
      return (await chatNumbers.list(accountId)).map(({ phone, name }) => ({ sender: phone, name }));
    },

    async state({ accountId, sender: source, client: destination }) {
      try {
        const { window, problem } = await sender.window({ accountId, source, destination });
        const isOpen = problem === null || problem === 'unanswered';
        const closesAt = isOpen && window.clientAt !== null ? window.clientAt + DAY_MS : null;
        if (problem === null) return { kinds: replyKinds, problem, closesAt };
        return { kinds: isOpen ? unanswered : outsideWindow, problem, closesAt };
      } catch (error) {
        // A number that the account does not have any more, or an account that is suspended.
        if (error instanceof Refusal) return { kinds: [], problem: 'no-sender', closesAt: null };
        throw error;
      }
    },

    async estimate(reply) {
      const { content } = reply;
      const { price } =
        content.kind === 'template'
          ? await sender.checkTemplate({ ...addressesOf(reply), ...content })
          : await sender.checkFreeForm(freeFormOf(deps, reply, content), content.kind);
      return { price, parts: 1 };
    },

    async send(reply, sendKey) {
      const { content } = reply;
      const key = sendKey && showing(sendKey);
      return shownReply(
        content.kind === 'template'
          ? await sender.template({ ...addressesOf(reply), ...content }, key)
          : await sender.freeForm(freeFormOf(deps, reply, content), content.kind, key),
      );
    },
  };
}

const addressesOf = ({ accountId, sender: source, client: destination }: Reply) => ({
  accountId,
  source,
  destination,
});

const shownReply = ({ shipmentId, body }: Sent): SentReply => ({ shipmentId, text: body });

/** A key whose answer is made of the reply. */
const showing = (sendKey: SendKey<SentReply>): SendKey<Sent> => ({
  key: sendKey.key,
  row: (sent) => sendKey.row(shownReply(sent)),
});

type FreeForm = Exclude<Reply['content'], { kind: 'template' }>;

function freeFormOf(deps: ChatRepliesDeps, reply: Reply, content: FreeForm) {
  return {
    ...addressesOf(reply),
    content: async () => ({ ...(await read(deps, content)), ...(await quoted(deps, reply)) }),
  };
}

async function read(
  deps: ChatRepliesDeps,
  content: FreeForm,
): Promise<Extract<ChatContent, { kind: FreeForm['kind'] }>> {
  switch (content.kind) {
    case 'text':
      return { kind: 'text', body: readText(content.text) };
    case 'buttons':
      return readButtons(content, deps);
    case 'carousel':
      return readCarousel(content, deps);
  }
}

function readText(text: string): string {
  if (text.trim() === '') throw new Refusal('bad-field', 'missing', 'text', { reason: 'missing' });
  if (text.length > MAX_TEXT_MESSAGE) {
    throw new Refusal('bad-field', `over ${MAX_TEXT_MESSAGE} characters`, 'text', {
      reason: 'too-long',
      params: { max: MAX_TEXT_MESSAGE },
    });
  }
  return text;
}

async function quoted(
  { sql }: ChatRepliesDeps,
  { accountId, sender: phone, client, replyTo }: Reply,
): Promise<{ replyTo?: string }> {
  if (replyTo === undefined) return {};
  return { replyTo: await findQuoted(sql, { accountId, phone }, client, replyTo) };
}
