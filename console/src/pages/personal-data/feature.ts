import { defineFeature } from '../../define-feature.ts';

export const personalDataFeature = defineFeature({
  pages: [
    {
      path: '/personal-data',
      role: 'owner',
      load: () => import('./personal-data.tsx'),
      title: (texts) => texts.shell.personalData,
      navigation: { section: 'account', order: 7 },
    },
    {
      path: '/personal-data/:id',
      role: 'owner',
      load: () => import('./data-request.tsx'),
    },
  ],
});
