import { ActionIcon, Button, Group, Title, Tooltip } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { ArrowLeft, CheckCheck, Info, RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { byId, client } from '../../api/client.ts';
import { type Conversation, useConversationLabels } from '../../api/conversation-queries.ts';
import { ChannelIcon } from '../../features/messages/channel-icon.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useChange } from './assign.tsx';
import { Composer, useReplyDraft } from './composer.tsx';
import type { OpenConversation } from './conversation.ts';
import { ClientName, LabelBadge } from './names.tsx';
import { TimelineView } from './timeline.tsx';
import type { Timeline } from './use-timeline.ts';

/** Marks a conversation as read up to the last displayed message, while the window is visible. */
function useReading({ id, unread }: OpenConversation, lastId: string | undefined, isPaused: boolean) {
  const isVisible = useDocumentVisibility() === 'visible';
  const said = useRef('');
  useEffect(() => {
    const what = `${unread} ${lastId}`;
    if (unread === 0 || lastId === undefined || !isVisible || isPaused || said.current === what) return;
    said.current = what;
    // A failure leaves the conversation unread; the next message triggers another attempt.
    client.POST('/v1/conversations/{id}/read', { ...byId(id), body: { up_to: lastId } }).catch(() => {});
  }, [id, unread, lastId, isVisible, isPaused]);
}

/** A conversation: its client, its messages, and the input for a reply. */
export function Thread({
  conversation,
  timeline,
  keepsUnread,
  onBack,
  detailsShown,
  onDetails,
  onChanged,
}: {
  readonly conversation: OpenConversation;
  readonly timeline: Timeline;
  /** It was marked as unread, and stays so though it is still to be seen. */
  readonly keepsUnread: boolean;
  /** Returns to the list on narrow windows, where the list is hidden. */
  readonly onBack: (() => void) | undefined;
  readonly detailsShown: boolean;
  readonly onDetails: () => void;
  readonly onChanged: (row: Conversation) => void;
}) {
  const { conversations: t } = useTexts();
  const labels = useConversationLabels();
  const draft = useReplyDraft(conversation.id);
  const { replies, state, label_ids } = conversation;
  const change = useChange(conversation, onChanged);
  useReading(conversation, timeline.items?.at(-1)?.id, keepsUnread);
  const isClosed = state === 'closed';
  const mayQuote = conversation.channel === 'chat' && replies.kinds.includes('text');
  const detailsName = detailsShown ? t.hideDetails : t.showDetails;
  return (
    <>
      <header className="thread-bar">
        {onBack && (
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.backToList} onClick={onBack}>
            <ArrowLeft size={20} className="mirrored" />
          </ActionIcon>
        )}
        <div className="thread-title">
          <Title order={2} size="h5">
            <ClientName conversation={conversation} />
          </Title>
          <Group gap={6}>
            <ChannelIcon channel={conversation.channel} />
            {isClosed && <span className="thread-closed">{t.closed}</span>}
            {labels
              .filter(({ id }) => label_ids.includes(id))
              .map((label) => (
                <LabelBadge key={label.id} label={label} />
              ))}
          </Group>
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={isClosed ? <RotateCcw size={15} aria-hidden /> : <CheckCheck size={15} aria-hidden />}
          onClick={() => void change({ state: isClosed ? 'open' : 'closed' })}
        >
          {isClosed ? t.open : t.close}
        </Button>
        <Tooltip label={detailsName}>
          <ActionIcon
            variant={detailsShown ? 'light' : 'subtle'}
            color="gray"
            size="lg"
            aria-label={detailsName}
            aria-expanded={detailsShown}
            onClick={onDetails}
          >
            <Info size={19} />
          </ActionIcon>
        </Tooltip>
      </header>
      <TimelineView
        conversation={conversation.id}
        timeline={timeline}
        labels={labels}
        onQuote={
          mayQuote
            ? (item) => {
                draft.change({ mode: 'reply', quoted: item });
                document.querySelector<HTMLElement>('.composer textarea')?.focus();
              }
            : undefined
        }
      />
      <Composer conversation={conversation} draft={draft} onSent={() => void timeline.refresh()} />
    </>
  );
}
