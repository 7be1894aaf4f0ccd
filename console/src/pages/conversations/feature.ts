import { defineFeature } from '../../define-feature.ts';
import { useUnread } from '../../features/conversations/use-unread.ts';

export const conversationsFeature = defineFeature({
  pages: [
    {
      path: '/conversations',
      role: 'agent',
      load: () => import('./conversations.tsx'),
      title: (texts) => texts.shell.pages.conversations,
      navigation: {
        section: 'inbox',
        order: 1,
        label: (texts) => texts.shell.pages.inbox,
        badge: { useCount: useUnread, text: (texts, count) => texts.shell.unreadConversations(count) },
      },
    },
  ],
  moved: { '/conversations/:id': '/conversations?id=:id' },
});
