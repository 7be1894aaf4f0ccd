import { defineFeature } from '../../define-feature.ts';

export const blacklistFeature = defineFeature({
  pages: [
    {
      path: '/blacklist',
      role: 'viewer',
      load: () => import('./blacklist.tsx'),
      title: (texts) => texts.shell.blacklist,
      synonyms: (texts) => texts.synonyms.blacklist,
      navigation: { section: 'audience', order: 4 },
    },
    {
      path: '/blacklist/import',
      role: 'sender',
      load: () => import('./blacklist-import.tsx'),
    },
  ],
});
