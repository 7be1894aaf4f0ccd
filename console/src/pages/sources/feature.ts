import { defineFeature } from '../../define-feature.ts';

export const sourcesFeature = defineFeature({
  pages: [
    {
      path: '/sources',
      role: 'viewer',
      load: () => import('./sources.tsx'),
      title: (texts) => texts.shell.senders,
      synonyms: (texts) => texts.synonyms.senders,
      navigation: { section: 'settings', group: 'sending', order: 6 },
    },
    {
      path: '/operator/senders',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./sender-requests.tsx'),
      title: (texts) => texts.shell.senderRequests,
      navigation: { section: 'operator', group: 'customers', order: 3 },
    },
  ],
});
