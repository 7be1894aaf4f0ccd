import type { Channels } from '../../channels/contract/channels.ts';
import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { ConversationAbout, Event } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import { type Entry, insertEntry } from './entries.ts';
import {
  type Actor,
  type Conversation,
  type ConversationState,
  conversationColumns,
  stateNumber,
} from './rows.ts';

export interface ChangeDeps extends Pick<Context, 'ids' | 'clock'> {
  readonly channels: Channels;
  readonly events: Pick<Events, 'record'>;
}

/** Changes to a conversation; undefined keeps the value. */
export interface ConversationChange {
  readonly state?: ConversationState | undefined;
  /** A person of the account; null: unassigned. */
  readonly assignee?: { readonly id: number; readonly name: string } | null | undefined;
  /** Labels of the account. */
  readonly labelIds?: readonly number[] | undefined;
}

/** Fields of a conversation in events. */
export const aboutConversation = (
  channels: Channels,
  { id, channel, sender, client }: Pick<Conversation, 'id' | 'channel' | 'sender' | 'client'>,
): ConversationAbout => ({
  conversation_id: id,
  channel: channels.of(channel).name,
  from: client,
  to: sender,
});

/**
 * Changes a conversation that the transaction has locked, records an entry and an event for each change, and returns
 * the new state. Closing it also marks it as read.
 *
 * @param ruleId the rule that made the change; undefined if a person did
 */
export async function changeConversation(
  tx: TransactionSql,
  deps: ChangeDeps,
  accountId: number,
  before: Conversation,
  change: ConversationChange,
  by: Actor,
  ruleId: number | null = null,
): Promise<Conversation> {
  const { ids, clock, channels, events } = deps;
  const at = clock.now();
  const changes = changesOf(before, change);
  for (const { kind, details } of changes) {
    const entry = { id: ids.next(), kind, by, ruleId, details };
    await insertEntry(tx, accountId, before.id, entry);
  }
  const isClosing = changes.some(({ kind }) => kind === 'closed');
  const labelIds = change.labelIds ?? before.label_ids;
  const assigneeId = change.assignee === undefined ? before.assignee_id : (change.assignee?.id ?? null);
  const [after] = await tx<Conversation[]>`
    UPDATE conversations SET assignee_id = ${assigneeId}, label_ids = ${numbers([...new Set(labelIds)])}::bigint[],
      state = ${change.state === undefined ? before.state : stateNumber(change.state)},
      unread = CASE WHEN ${isClosing} THEN 0 ELSE unread END, changed_at = ${at}
    WHERE account_id = ${accountId} AND id = ${before.id}
    RETURNING ${conversationColumns(tx)}`;
  const about = aboutConversation(channels, before);
  await events.record(
    tx,
    accountId,
    changes.flatMap(({ kind }): Event[] => {
      switch (kind) {
        case 'closed':
          return [{ type: 'conversation.closed', at, data: { ...about, by: by.name } }];
        case 'opened':
          return [{ type: 'conversation.opened', at, data: { ...about, reopened: true } }];
        case 'assigned':
        case 'unassigned': {
          const assignee = change.assignee?.name ?? null;
          const data = { ...about, assignee_id: assigneeId, assignee, by: by.name };
          return [{ type: 'conversation.assigned', at, data }];
        }
        default:
          return [];
      }
    }),
  );
  return after!;
}

/** Returns the differences, as entries. */
function changesOf(
  before: Conversation,
  { state, assignee, labelIds }: ConversationChange,
): Pick<Entry, 'kind' | 'details'>[] {
  const changes: Pick<Entry, 'kind' | 'details'>[] = [];
  if (state !== undefined && stateNumber(state) !== before.state) {
    changes.push({ kind: state === 'closed' ? 'closed' : 'opened', details: null });
  }
  if (assignee !== undefined && (assignee?.id ?? null) !== before.assignee_id) {
    changes.push(
      assignee
        ? { kind: 'assigned', details: { assignee_id: assignee.id, assignee: assignee.name } }
        : { kind: 'unassigned', details: null },
    );
  }
  if (labelIds !== undefined) {
    const added = labelIds.filter((id) => !before.label_ids.includes(id));
    const removed = before.label_ids.filter((id) => !labelIds.includes(id));
    if (added.length + removed.length > 0) changes.push({ kind: 'labels', details: { added, removed } });
  }
  return changes;
}
