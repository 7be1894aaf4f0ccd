import { defineFeature } from '../../define-feature.ts';

export const generalFeature = defineFeature({
  pages: [
    {
      path: '/account',
      role: 'viewer',
      load: () => import('./general.tsx'),
      title: (texts) => texts.shell.general,
      synonyms: (texts) => texts.synonyms.account,
      navigation: { section: 'settings', group: 'account', order: 1 },
      parts: [
        {
          id: 'time-zone',
          title: (texts) => texts.account.accountZone,
          synonyms: (texts) => texts.synonyms.timeZone,
        },
        { id: 'logo', title: (texts) => texts.shell.logo },
      ],
    },
  ],
});
