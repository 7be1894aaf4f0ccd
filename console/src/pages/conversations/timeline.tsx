import { ActionIcon, Button } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ConversationLabel, TimelineItem } from '../../api/conversation-queries.ts';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Bubble, OutgoingBubble } from './bubble.tsx';
import { Entry } from './entry.tsx';
import { forgetReplies, useOutbox } from './outbox.ts';
import { isMessage, shownItems } from './shown.ts';
import { useInboxTimes } from './times.ts';
import type { Timeline } from './use-timeline.ts';

/** Distance from an end, in pixels, that counts as being at the end. */
const NEAR = 60;

/** Keeps the scroll position: at the end, the view follows new messages; pages loaded above do not move the content. */
function useScrolling(first: string | undefined, count: number) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const place = useRef({ isAtEnd: true, fromEnd: 0, first });
  const [isAtEnd, setAtEnd] = useState(true);
  function note() {
    const { scrollHeight, scrollTop, clientHeight } = box.current!;
    const fromEnd = scrollHeight - scrollTop;
    place.current = { ...place.current, isAtEnd: fromEnd - clientHeight < NEAR, fromEnd };
    setAtEnd(place.current.isAtEnd);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: after what is shown has changed
  useLayoutEffect(() => {
    const element = box.current!;
    if (place.current.isAtEnd) element.scrollTop = element.scrollHeight;
    else if (first !== place.current.first) element.scrollTop = element.scrollHeight - place.current.fromEnd;
    place.current.first = first;
    note();
  }, [first, count]);
  // Content changes its height when pictures load, and the window when a phone shows its keyboard.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (place.current.isAtEnd) box.current!.scrollTop = box.current!.scrollHeight;
    });
    observer.observe(content.current!);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const toEnd = () => {
    box.current!.scrollTop = box.current!.scrollHeight;
  };
  return { box, content, isAtEnd, note, toEnd };
}

/** Says what the client writes to those who do not see it. */
function useAnnouncement(items: readonly TimelineItem[]): string {
  const { conversations: t } = useTexts();
  const begun = useRef<number>(undefined);
  const last = items.findLast(({ kind }) => kind === 'received');
  begun.current ??= items.length === 0 ? undefined : Number(items.at(-1)!.id);
  const isNew = last !== undefined && begun.current !== undefined && Number(last.id) > begun.current;
  return isNew ? t.newMessage(last.text || (last.type ?? '')) : '';
}

/** Messages and actions of a conversation by day, with pending replies at the end. */
export function TimelineView({
  conversation,
  timeline,
  labels,
  onQuote,
}: {
  readonly conversation: string;
  readonly timeline: Timeline;
  readonly labels: readonly ConversationLabel[];
  readonly onQuote: ((item: TimelineItem) => void) | undefined;
}) {
  const { conversations: t } = useTexts();
  const { dayOf, day } = useInboxTimes();
  const { items = [], earlier, isLoading, error, more } = timeline;
  const outbox = useOutbox(conversation);
  const shipments = new Set(items.map(({ message }) => message?.shipment_id));
  const outgoing = outbox.filter(({ shipment }) => shipment === undefined || !shipments.has(shipment));
  const done = outbox.filter((one) => !outgoing.includes(one)).map(({ key }) => key);
  useEffect(() => forgetReplies(done));
  const shown = useMemo(() => shownItems(items), [items]);
  const first = items[0]?.id;
  const { box, content, isAtEnd, note, toEnd } = useScrolling(first, items.length + outgoing.length);
  const announcement = useAnnouncement(items);
  const onJump = useJump(items, earlier === null ? undefined : more);
  const actions = { onQuote, onJump, find: (id: string) => items.find((item) => item.id === id) };
  return (
    <div className="timeline-frame">
      <section
        ref={box}
        className="timeline"
        aria-label={t.timeline}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: needed for scrolling with the keyboard
        tabIndex={0}
        onScroll={() => {
          note();
          if (box.current!.scrollTop < NEAR && first !== undefined) more();
        }}
      >
        {earlier !== null && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={isLoading}
            onClick={more}
            className="timeline-earlier"
          >
            {t.earlier}
          </Button>
        )}
        <ErrorNote error={error} onRetry={() => void timeline.refresh()} />
        {timeline.items === undefined && error === null && <Loading />}
        <ol ref={content} className="timeline-items">
          {shown.map((one, index) => (
            <Fragment key={one.item.id}>
              {dayOf(one.item.at) !== (index > 0 && dayOf(shown[index - 1]!.item.at)) && (
                <li className="timeline-day">{day(one.item.at)}</li>
              )}
              {isMessage(one.item) ? (
                <Bubble shown={one} actions={actions} />
              ) : (
                <Entry item={one.item} labels={labels} />
              )}
            </Fragment>
          ))}
          {outgoing.map((one) => (
            <OutgoingBubble key={one.key} outgoing={one} />
          ))}
        </ol>
      </section>
      {!isAtEnd && (
        <ActionIcon
          className="timeline-end"
          variant="default"
          radius="xl"
          size={36}
          aria-label={t.toEnd}
          onClick={toEnd}
        >
          <ArrowDown size={18} aria-hidden />
        </ActionIcon>
      )}
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
    </div>
  );
}

/**
 * Scrolls to a message by its id, and loads earlier pages until it is found; `more` is undefined on the first page of the
 * conversation.
 */
function useJump(items: readonly TimelineItem[], more: (() => void) | undefined): (id: string) => void {
  const [wanted, setWanted] = useState<string>();
  const isThere = wanted !== undefined && items.some(({ id }) => id === wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads one page after the other
  useEffect(() => {
    if (wanted === undefined) return;
    if (!isThere && more) {
      more();
      return;
    }
    const element = document.getElementById(`item-${wanted}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
    setWanted(undefined);
  }, [wanted, isThere, items.length]);
  return setWanted;
}
