import { defineFeature } from '../../define-feature.ts';
import { useUnread } from '../../features/conversations/use-unread.ts';

export const conversationsFeature = defineFeature({
  pages: [
    {
      path: '/conversations',
      role: 'agent',
      load: () => import('./conversations.tsx'),
      title: (texts) => texts.conversations.title,
      navigation: {
        section: 'conversations',
        order: 1,
        label: (texts) => texts.conversations.inbox,
        badge: { useCount: useUnread, text: (texts, count) => texts.conversations.unreadTotal(count) },
      },
    },
  ],
  moved: { '/conversations/:id': '/conversations?id=:id' },
});
