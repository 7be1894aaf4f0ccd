import type { Conversation, ReplyState } from '../../api/conversation-queries.ts';

/** A conversation that is open: with how its client can be answered now. */
export type OpenConversation = Conversation & { readonly replies: ReplyState };
