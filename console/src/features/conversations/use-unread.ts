import { useConversationCounts } from '../../api/conversation-queries.ts';
import { useMay, useSession } from '../../api/session-context.ts';

/** Number of conversations with unread messages; 0 for people without the right to reply. */
export function useUnread(): number {
  const answers = useMay('agent');
  const { account } = useSession();
  return useConversationCounts(answers && account !== null)?.unread ?? 0;
}
