import type { TimelineItem } from '../../api/conversation-queries.ts';
import type { AttachedFile } from './attach.tsx';

/** Unsent reply of a conversation, kept while this window is open. */
export interface ReplyDraft {
  readonly text: string;
  readonly mode: 'reply' | 'note';
  readonly quoted: TimelineItem | undefined;
  readonly file: AttachedFile | undefined;
}

const drafts = new Map<string, ReplyDraft>();
const none: ReplyDraft = { text: '', mode: 'reply', quoted: undefined, file: undefined };

export const draftOf = (conversation: string): ReplyDraft => drafts.get(conversation) ?? none;

export function keepDraft(conversation: string, draft: ReplyDraft): void {
  const { text, mode, quoted, file } = draft;
  if (text === '' && mode === 'reply' && !quoted && !file) drafts.delete(conversation);
  else drafts.set(conversation, draft);
}
