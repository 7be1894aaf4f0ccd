import { defineFeature } from '../../define-feature.ts';

export const personalDataFeature = defineFeature({
  pages: [
    {
      path: '/personal-data',
      role: 'owner',
      load: () => import('./personal-data.tsx'),
      title: (texts) => texts.shell.personalData,
      navigation: { section: 'settings', group: 'data', order: 13 },
    },
    {
      path: '/personal-data/:id',
      role: 'owner',
      load: () => import('./data-request.tsx'),
    },
  ],
});
