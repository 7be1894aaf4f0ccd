import { defineFeature } from '../../define-feature.ts';

export const consentsFeature = defineFeature({
  pages: [
    {
      path: '/consents',
      role: 'owner',
      load: () => import('./consents.tsx'),
      title: (texts) => texts.shell.consents,
      navigation: { section: 'account', order: 8 },
    },
  ],
});
