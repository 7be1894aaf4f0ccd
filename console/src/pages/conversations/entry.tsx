import { StickyNote } from 'lucide-react';
import type { ConversationLabel, TimelineItem } from '../../api/conversation-queries.ts';
import { Linked } from '../../features/handset/linked.tsx';
import { ClockTime } from '../../features/handset/screen.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Timeline entry that is not a message: a note, or one line about an action of a person or rule. */
export function Entry({
  item,
  labels,
}: {
  readonly item: TimelineItem;
  readonly labels: readonly ConversationLabel[];
}) {
  const { conversations: t } = useTexts();
  const { id, kind, at, by, text } = item;
  if (kind !== 'note') {
    return (
      <li id={`item-${id}`} className="timeline-entry">
        <span>{wordsOf(item, labels, t)}</span> <ClockTime at={at} />
      </li>
    );
  }
  return (
    <li id={`item-${id}`} className="timeline-note">
      <span className="timeline-note-head">
        <StickyNote size={14} aria-hidden />
        <span>
          {t.note}
          {by !== null && (
            <>
              {' · '}
              <bdi>{by}</bdi>
            </>
          )}
        </span>
        <ClockTime at={at} />
      </span>
      <p dir="auto">
        <Linked text={text ?? ''} />
      </p>
    </li>
  );
}

function wordsOf(
  item: TimelineItem,
  labels: readonly ConversationLabel[],
  t: Dictionary['conversations'],
): string {
  const { kind, rule_id: rule, assignee, failed, text } = item;
  const by = item.by ?? (rule === null ? null : t.byRule);
  const names = (ids: readonly string[]) =>
    ids.map((id) => labels.find((label) => label.id === id)?.name ?? t.deletedLabel).join(', ');
  switch (kind) {
    case 'opened':
      return t.entries.opened(by);
    case 'closed':
      return t.entries.closed(by);
    case 'assigned':
      return t.entries.assigned(by, assignee ?? '');
    case 'unassigned':
      return t.entries.unassigned(by);
    case 'labels':
      return t.entries.labels(by, names(item.labels_added), names(item.labels_removed));
    default:
      return failed !== null ? t.entries.failed(failed) : [t.entries.rule, text].filter(Boolean).join(': ');
  }
}
