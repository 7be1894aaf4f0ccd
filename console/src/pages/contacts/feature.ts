import { defineFeature } from '../../define-feature.ts';

export const contactsFeature = defineFeature({
  pages: [
    {
      path: '/contacts',
      role: 'viewer',
      load: () => import('./contact-lists.tsx'),
      title: (texts) => texts.shell.contacts,
      navigation: { section: 'audience', order: 1 },
    },
    {
      path: '/contacts/:id',
      role: 'viewer',
      load: () => import('./contact-list.tsx'),
    },
    {
      path: '/contacts/:id/import',
      role: 'sender',
      load: () => import('./contact-import.tsx'),
    },
    {
      path: '/imports/:id',
      role: 'viewer',
      load: () => import('./import-progress.tsx'),
    },
    {
      path: '/mailing-lists/:list/imports/:id',
      role: 'viewer',
      load: () => import('./import-progress.tsx'),
    },
    {
      path: '/recipients/:recipient',
      role: 'viewer',
      load: () => import('./recipient.tsx'),
    },
  ],
});
