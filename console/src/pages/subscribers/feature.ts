import { defineFeature } from '../../define-feature.ts';

export const subscribersFeature = defineFeature({
  pages: [
    {
      path: '/subscribers',
      role: 'viewer',
      load: () => import('./subscribers.tsx'),
      title: (texts) => texts.shell.subscribers,
      navigation: { section: 'settings', group: 'account', order: 4 },
    },
    {
      path: '/subscribers/:id',
      role: 'viewer',
      load: () => import('./one-subscriber.tsx'),
    },
  ],
});
