import type { TimelineItem } from '../../api/conversation-queries.ts';

/** A timeline item with later reactions, edits and deletions. */
export interface ShownItem {
  readonly item: TimelineItem;
  /** Emoji of the client and of the business phone, the last of each. */
  readonly reactions: readonly string[];
  /** Latest edited text; undefined without an edit. */
  readonly edited: string | undefined;
  readonly isDeleted: boolean;
}

type About = 'reaction' | 'edited' | 'deleted';
const isAbout = (type: string | null): type is About =>
  type === 'reaction' || type === 'edited' || type === 'deleted';

/**
 * The items of a timeline, the oldest first, with reactions, edits and deletions at the messages that they are about. One that is
 * about a message which is not among them stays an item.
 */
export function shownItems(items: readonly TimelineItem[]): ShownItem[] {
  const ids = new Set(items.map(({ id }) => id));
  const isAttached = ({ type, about_id }: TimelineItem) =>
    isAbout(type) && about_id !== null && ids.has(about_id);
  const about = Map.groupBy(items.filter(isAttached), ({ about_id }) => about_id!);
  return items
    .filter((item) => !isAttached(item))
    .map((item) => {
      const later = about.get(item.id) ?? [];
      const reactions = new Map(
        later.filter(({ type }) => type === 'reaction').map(({ kind, text }) => [kind, text ?? '']),
      );
      return {
        item,
        reactions: [...reactions.values()].filter((emoji) => emoji !== ''),
        edited: later.findLast(({ type }) => type === 'edited')?.text ?? undefined,
        isDeleted: later.some(({ type }) => type === 'deleted'),
      };
    });
}

/** Whether an item is a message, of the client or to them. */
export const isMessage = ({ kind }: TimelineItem): boolean =>
  kind === 'received' || kind === 'echo' || kind === 'sent';
