import { defineFeature } from '../../define-feature.ts';

export const settingsFeature = defineFeature({
  pages: [
    {
      path: '/settings',
      role: 'everyone',
      withoutAccount: true,
      load: () => import('./settings.tsx'),
      title: (texts) => texts.account.title,
      navigation: { section: 'settings', group: 'you', order: 16 },
      parts: [
        { id: 'appearance', title: (texts) => texts.account.appearance },
        {
          id: 'password',
          title: (texts) => texts.account.changePassword,
          isShown: (session) => session.has_password,
        },
        {
          id: 'second-factor',
          title: (texts) => texts.account.secondFactor,
          synonyms: (texts) => texts.synonyms.secondFactor,
        },
        { id: 'sessions', title: (texts) => texts.account.sessions },
      ],
    },
    {
      path: '/data',
      role: 'owner',
      load: () => import('./data.tsx'),
      title: (texts) => texts.shell.data,
      navigation: { section: 'settings', group: 'data', order: 12 },
    },
  ],
});
