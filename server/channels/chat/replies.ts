import type { SendKey } from '../../api/send-keys/send-keys.ts';
import type { Queryable } from '../../database/connection.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { MediaCheck } from '../../kit/http/media-check.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import {
  type Reply,
  type ReplyChannel,
  type ReplyKind,
  replyKinds,
  type SentReply,
} from '../../modules/conversations/reply-channel.ts';
import { noSender, readReplyText } from '../../modules/conversations/text-replies.ts';
import type { Media } from '../../modules/media/media.ts';
import { type MediaFile, mediaState } from '../../modules/media/rows.ts';
import { isSendable, outgoingLimits } from '../../modules/media/rules.ts';
import type { ChatNumbers } from './business-numbers.ts';
import type { ChatContent, MediaContent } from './content.ts';
import { readButtons, readCarousel } from './free-form.ts';
import { findQuoted } from './quotes.ts';
import type { ChatSender, Sent } from './sender.ts';
import { DAY_MS } from './windows.ts';

/** Maximum characters of a text message (limit of the platform). */
const MAX_TEXT_MESSAGE = 4_096;
const MAX_CAPTION = 1_024;

interface ChatRepliesDeps {
  readonly sql: Queryable;
  readonly sender: ChatSender;
  readonly chatNumbers: Pick<ChatNumbers, 'list'>;
  readonly media: MediaCheck;
  readonly numbers: NumberReader;
  /** Uploaded files, and files of clients. */
  readonly files: Pick<Media, 'find'>;
}

/** Kinds of replies after the window has closed, and while a template is unanswered. */
const outsideWindow: readonly ReplyKind[] = ['template'];
const unanswered: readonly ReplyKind[] = ['text', 'media', 'template'];

/** Replies of people over chat: all kinds within the window, otherwise templates. */
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
        if (error instanceof Refusal) return noSender;
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
      const type = content.kind === 'media' ? (await fileOf(deps, reply, content)).kind : 'text';
      const key = sendKey && showing(sendKey, type);
      return shownReply(
        content.kind === 'template'
          ? await sender.template({ ...addressesOf(reply), ...content, isReply: true }, key)
          : await sender.freeForm(freeFormOf(deps, reply, content), content.kind, key),
        type,
      );
    },
  };
}

const addressesOf = ({ accountId, sender: source, client: destination }: Reply) => ({
  accountId,
  source,
  destination,
});

const shownReply = ({ shipmentId, body }: Sent, type: string): SentReply => ({
  shipmentId,
  type,
  text: body,
});

/** Returns a send key whose response is built from the reply. */
const showing = (sendKey: SendKey<SentReply>, type: string): SendKey<Sent> => ({
  key: sendKey.key,
  row: (sent) => sendKey.row(shownReply(sent, type)),
});

type FreeForm = Exclude<Reply['content'], { kind: 'template' }>;

function freeFormOf(deps: ChatRepliesDeps, reply: Reply, content: FreeForm) {
  return {
    ...addressesOf(reply),
    content: async () => ({ ...(await read(deps, reply, content)), ...(await quoted(deps, reply)) }),
  };
}

async function read(
  deps: ChatRepliesDeps,
  reply: Reply,
  content: FreeForm,
): Promise<Extract<ChatContent, { kind: FreeForm['kind'] }>> {
  switch (content.kind) {
    case 'text':
      return { kind: 'text', body: readReplyText(content.text, MAX_TEXT_MESSAGE) };
    case 'media':
      return readMedia(await fileOf(deps, reply, content), content.caption);
    case 'buttons':
      return readButtons(content, deps);
    case 'carousel':
      return readCarousel(content, deps);
  }
}

/** Returns a stored file of the account. Throws Refusal for other ids. */
async function fileOf(
  { files }: ChatRepliesDeps,
  { accountId }: Reply,
  { mediaId }: { readonly mediaId: number },
): Promise<MediaFile> {
  const file = await files.find(accountId, mediaId);
  if (file?.state === mediaState.stored) return file;
  throw badField('mediaId', 'there is no such file', 'unknown');
}

/**
 * Returns a file as a message. Throws Refusal for files that the platform does not accept: clients may send more types
 * and larger files than they can receive.
 */
function readMedia({ id, kind, mimeType, size, fileName }: MediaFile, caption: string): MediaContent {
  if (!isSendable(kind, mimeType)) {
    throw badField('mediaId', 'of a type that cannot be sent', 'file-type');
  }
  const largest = outgoingLimits[kind];
  if (size! > largest) {
    const params = { max: largest };
    throw badField('mediaId', `over ${largest} bytes`, 'too-large', params);
  }
  const max = kind === 'audio' || kind === 'sticker' ? 0 : MAX_CAPTION;
  if (caption.length > max) {
    const params = { max };
    throw badField('caption', `over ${max} characters`, 'too-long', params);
  }
  // Voice recordings in chat are Opus in Ogg, the only type that phones show as a voice note.
  const isVoice = kind === 'audio' && mimeType === 'audio/ogg';
  return { kind: 'media', body: caption, media: { id, kind, fileName, isVoice } };
}

async function quoted(
  { sql }: ChatRepliesDeps,
  { accountId, sender: phone, client, replyTo }: Reply,
): Promise<{ replyTo?: string }> {
  if (replyTo === undefined) return {};
  return { replyTo: await findQuoted(sql, { accountId, phone }, client, replyTo) };
}
