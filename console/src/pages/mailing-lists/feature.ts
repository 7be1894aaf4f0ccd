import { defineFeature } from '../../define-feature.ts';

export const mailingListsFeature = defineFeature({
  pages: [
    {
      path: '/mailing-lists',
      role: 'viewer',
      load: () => import('./mailing-lists.tsx'),
      title: (texts) => texts.shell.pages.mailingLists,
      navigation: { section: 'audience', order: 3 },
    },
    {
      path: '/mailing-lists/:id',
      role: 'viewer',
      load: () => import('./mailing-list.tsx'),
    },
  ],
});
