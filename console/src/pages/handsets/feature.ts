import { defineFeature } from '../../define-feature.ts';

export const handsetsFeature = defineFeature({
  pages: [
    {
      path: '/handsets',
      role: 'sender',
      sandbox: true,
      load: () => import('./handsets.tsx'),
      title: (texts) => texts.handset.title,
      navigation: { section: 'home', order: 4 },
    },
  ],
});
