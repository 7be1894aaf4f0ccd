import { defineFeature } from '../../define-feature.ts';

export const consentsFeature = defineFeature({
  pages: [
    {
      path: '/consents',
      role: 'owner',
      load: () => import('./consents.tsx'),
      title: (texts) => texts.shell.consents,
      navigation: { section: 'settings', group: 'data', order: 14 },
    },
  ],
});
