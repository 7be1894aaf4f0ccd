import { defineFeature } from '../../define-feature.ts';

export const sandboxFeature = defineFeature({
  pages: [
    {
      path: '/sandbox',
      role: 'sender',
      sandbox: true,
      load: () => import('./sandbox.tsx'),
      title: (texts) => texts.sandbox.title,
      navigation: { section: 'home', order: 3 },
    },
  ],
});
