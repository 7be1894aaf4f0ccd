import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { CircleAlert, CornerUpLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TimelineItem } from '../../api/conversation-queries.ts';
import type { ChatContent } from '../../api/sandbox-phone.ts';
import { useMay } from '../../api/session-context.ts';
import { errorText } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { ChatMessage } from '../../features/handset/chat-message.tsx';
import { Linked } from '../../features/handset/linked.tsx';
import { ClockTime } from '../../features/handset/screen.tsx';
import { useFailureTexts } from '../../features/messages/channels.ts';
import { chatContentOf } from '../../features/messages/content.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { MediaFile } from './media.tsx';
import { forgetReplies, type Outgoing, retryReply } from './outbox.ts';
import { Received } from './received.tsx';
import type { ShownItem } from './shown.ts';
import { Ticks } from './ticks.tsx';

/** Actions of a message. */
interface BubbleActions {
  /** Quotes the message in the reply; undefined while quoting is not possible. */
  readonly onQuote: ((item: TimelineItem) => void) | undefined;
  /** Shows the message that another one quotes. */
  readonly onJump: (id: string) => void;
  readonly find: (id: string) => TimelineItem | undefined;
}

/** A message of the timeline. */
export function Bubble({ shown, actions }: { readonly shown: ShownItem; readonly actions: BubbleActions }) {
  const { item, reactions, edited, isDeleted } = shown;
  const { conversations: t } = useTexts();
  const isMine = item.kind !== 'received';
  return (
    <li id={`item-${item.id}`} tabIndex={-1} className={`bubble-row ${isMine ? 'mine' : ''}`}>
      <span className="visually-hidden">{isMine ? t.from.us : t.from.client}: </span>
      {item.reply_to !== null && <Quoted id={item.reply_to} actions={actions} />}
      <div className="bubble-line" data-deleted={isDeleted || undefined}>
        <Content item={item} text={edited ?? item.text ?? ''} />
        {!isMine && item.channel === 'chat' && actions.onQuote && (
          <Tooltip label={t.quote}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              className="bubble-quote"
              aria-label={t.quote}
              onClick={() => actions.onQuote?.(item)}
            >
              <CornerUpLeft size={15} className="mirrored" />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {reactions.length > 0 && (
        <span className="bubble-reactions">
          {reactions.map((emoji) => (
            <span key={emoji} role="img" aria-label={t.reacted(emoji)}>
              {emoji}
            </span>
          ))}
        </span>
      )}
      <Foot item={item}>
        {edited !== undefined && <span>{t.edited}</span>}
        {isDeleted && <span>{t.deleted}</span>}
      </Foot>
      <Failure item={item} />
    </li>
  );
}

function Content({ item, text }: { readonly item: TimelineItem; readonly text: string }) {
  const { conversations: t, messages } = useTexts();
  const { kind, chat, channel, type } = item;
  if (item.text_removed) {
    return (
      <div className={`bubble ${kind === 'received' ? 'received' : 'sent'}`}>
        <p className="bubble-kind">{messages.textRemoved}</p>
      </div>
    );
  }
  if (chat?.media) {
    const { media_id: id, kind: media, file_name: name, voice } = chat.media;
    return (
      <div className="bubble sent" dir="auto">
        <MediaFile type={media} id={id} isVoice={voice} name={name} />
        {text !== '' && <Linked text={text} />}
      </div>
    );
  }
  if (chat && chat.kind !== 'text') return <ChatMessage content={chatContentOf(chat)} />;
  if (kind === 'sent') {
    return (
      <div className="bubble sent">
        {channel === 'voice' && <p className="bubble-kind">{t.call}</p>}
        <p dir="auto">
          <Linked text={text} />
        </p>
      </div>
    );
  }
  const alone = type === 'reaction' || type === 'edited' || type === 'deleted';
  return (
    <div className={`bubble ${kind === 'echo' ? 'sent' : 'received'}`} dir="auto">
      {alone ? <About type={type} text={text} /> : <Received item={item} text={text} />}
    </div>
  );
}

/** A reaction, edit or deletion whose message is not loaded yet. */
function About({ type, text }: { readonly type: 'reaction' | 'edited' | 'deleted'; readonly text: string }) {
  const { conversations: t } = useTexts();
  if (type === 'reaction') return t.reacted(text);
  return (
    <>
      <p className="bubble-kind">{type === 'edited' ? t.editedAnother : t.deletedAnother}</p>
      {text !== '' && <p dir="auto">{text}</p>}
    </>
  );
}

/** Author, time and status of a message. */
function Foot({ item, children }: { readonly item: TimelineItem; readonly children: ReactNode }) {
  const { conversations: t } = useTexts();
  const mayOpen = useMay('viewer');
  const { at, by, automatic, kind, message, id } = item;
  const time = <ClockTime at={at} />;
  return (
    <span className="bubble-foot">
      {kind === 'echo' && <span>{t.echo}</span>}
      {automatic && <span>{t.automatic}</span>}
      {by !== null && <bdi>{by}</bdi>}
      {children}
      {message && mayOpen ? (
        <TextLink href={`/messages/${id}`} inherit c="inherit">
          {time}
          <span className="visually-hidden"> {t.messagePage}</span>
        </TextLink>
      ) : (
        time
      )}
      {message && <Ticks state={message.state} />}
    </span>
  );
}

function Failure({ item: { message } }: { readonly item: TimelineItem }) {
  const textsOf = useFailureTexts();
  if (message?.state !== 'failed' || !message.failure) return null;
  const { why, todo } = textsOf(message.failure);
  return (
    <p className="bubble-failure">
      <CircleAlert size={14} aria-hidden />
      <span>
        {why} {todo}
      </span>
    </p>
  );
}

/** The message that another one quotes. */
function Quoted({ id, actions: { find, onJump } }: { readonly id: string; readonly actions: BubbleActions }) {
  const { conversations: t, messages } = useTexts();
  const quoted = find(id);
  const text = quoted?.text_removed ? messages.textRemoved : (quoted?.text ?? '');
  return (
    <button type="button" className="bubble-quoted" onClick={() => onJump(id)}>
      <span className="visually-hidden">{t.quoted}: </span>
      <span dir="auto">{text || t.quotedEarlier}</span>
    </button>
  );
}

/** A reply that the timeline does not have yet. */
export function OutgoingBubble({ outgoing }: { readonly outgoing: Outgoing }) {
  const texts = useTexts();
  const { conversations: t } = texts;
  const { content, at, state, error, key } = outgoing;
  return (
    <li className="bubble-row mine">
      <span className="visually-hidden">{t.from.us}: </span>
      {isPlain(content) ? (
        <div className="bubble sent" dir="auto">
          <Linked text={content.body} />
        </div>
      ) : (
        <ChatMessage content={content} />
      )}
      <span className="bubble-foot">
        {state === 'failed' ? (
          <span>{t.notSent}</span>
        ) : (
          <>
            <span>{state === 'sending' && t.sending}</span>
            <ClockTime at={at} />
            <Ticks state="waiting" />
          </>
        )}
      </span>
      {state === 'failed' && (
        <div role="alert" className="bubble-failed">
          <p className="bubble-failure">
            <CircleAlert size={14} aria-hidden />
            <span>{errorText(error, texts)}</span>
          </p>
          <Group gap="xs">
            <Button size="compact-xs" variant="default" onClick={() => void retryReply(outgoing)}>
              {t.again}
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => forgetReplies([key])}>
              {t.discard}
            </Button>
          </Group>
        </div>
      )}
    </li>
  );
}

const isPlain = ({ header, footer, buttons, cards }: ChatContent): boolean =>
  header === null && footer === '' && buttons.length === 0 && cards.length === 0;
