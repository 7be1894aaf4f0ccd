import { defineFeature } from '../../define-feature.ts';

export const startFeature = defineFeature({
  pages: [
    {
      path: '/start',
      role: 'sender',
      sandbox: true,
      load: () => import('./start.tsx'),
      isFirst: true,
      title: (texts) => texts.start.title,
      navigation: { section: 'home', order: 2 },
    },
  ],
});
