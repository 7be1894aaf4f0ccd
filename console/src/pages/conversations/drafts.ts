import type { TimelineItem } from '../../api/conversations.ts';

/** What somebody has written in a conversation and not sent, while this window is open. */
export interface ReplyDraft {
  readonly text: string;
  readonly mode: 'reply' | 'note';
  readonly quoted: TimelineItem | undefined;
}

const drafts = new Map<string, ReplyDraft>();
const none: ReplyDraft = { text: '', mode: 'reply', quoted: undefined };

export const draftOf = (conversation: string): ReplyDraft => drafts.get(conversation) ?? none;

export function keepDraft(conversation: string, draft: ReplyDraft): void {
  if (draft.text === '' && draft.mode === 'reply' && draft.quoted === undefined) drafts.delete(conversation);
  else drafts.set(conversation, draft);
}
