import { defineFeature } from '../../define-feature.ts';

export const codesFeature = defineFeature({
  pages: [
    {
      path: '/codes',
      role: 'viewer',
      load: () => import('./codes.tsx'),
      title: (texts) => texts.shell.codes,
      navigation: { section: 'send', order: 2 },
    },
  ],
});
