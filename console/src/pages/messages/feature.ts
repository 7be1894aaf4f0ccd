import { defineFeature } from '../../define-feature.ts';

export const messagesFeature = defineFeature({
  pages: [
    {
      path: '/messages',
      role: 'viewer',
      load: () => import('./messages.tsx'),
      title: (texts) => texts.messages.title,
      navigation: { section: 'messages', order: 1 },
    },
    {
      path: '/messages/:id',
      role: 'viewer',
      load: () => import('./message.tsx'),
    },
  ],
});
