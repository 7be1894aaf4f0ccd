import { defineFeature } from '../../define-feature.ts';

export const overviewFeature = defineFeature({
  pages: [
    {
      path: '/',
      role: 'viewer',
      load: () => import('./overview.tsx'),
      isFirst: true,
      title: (texts) => texts.overview.title,
      navigation: { section: 'home', order: 1, exact: true },
    },
  ],
});
