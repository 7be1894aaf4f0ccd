import { defineFeature } from '../../define-feature.ts';

export const conversationSettingsFeature = defineFeature({
  pages: [
    {
      path: '/saved-replies',
      role: 'sender',
      load: () => import('./saved-replies.tsx'),
      title: (texts) => texts.shell.conversationPages.savedReplies,
      navigation: { section: 'settings', group: 'inbox', order: 9 },
    },
    {
      path: '/conversation-labels',
      role: 'sender',
      load: () => import('./labels.tsx'),
      title: (texts) => texts.shell.conversationPages.labels,
      navigation: { section: 'settings', group: 'inbox', order: 11 },
    },
    {
      path: '/conversation-rules',
      role: 'owner',
      load: () => import('./conversation-rules.tsx'),
      title: (texts) => texts.shell.conversationPages.rules,
      navigation: { section: 'settings', group: 'inbox', order: 10 },
    },
    {
      path: '/conversation-rules/new',
      role: 'owner',
      load: () => import('./conversation-rule.tsx'),
    },
    {
      path: '/conversation-rules/:id',
      role: 'owner',
      load: () => import('./conversation-rule.tsx'),
    },
    {
      path: '/conversation-hours',
      role: 'owner',
      load: () => import('./business-hours.tsx'),
      title: (texts) => texts.shell.conversationPages.hours,
      navigation: { section: 'settings', group: 'inbox', order: 8 },
    },
  ],
});
