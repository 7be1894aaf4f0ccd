import { defineFeature } from '../../define-feature.ts';

export const contactsFeature = defineFeature({
  pages: [
    {
      path: '/recipients',
      role: 'viewer',
      load: () => import('./people.tsx'),
      title: (texts) => texts.shell.pages.recipients,
      navigation: { section: 'audience', order: 1 },
    },
    {
      path: '/recipients/import',
      role: 'sender',
      load: () => import('./import-page.tsx'),
    },
    {
      path: '/recipients/:recipient',
      role: 'viewer',
      load: () => import('./recipient.tsx'),
    },
    {
      path: '/contacts',
      role: 'viewer',
      load: () => import('./contact-lists.tsx'),
      title: (texts) => texts.shell.contacts,
      navigation: { section: 'audience', order: 2 },
    },
    {
      path: '/contacts/:id',
      role: 'viewer',
      load: () => import('./contact-list.tsx'),
    },
    {
      path: '/contacts/:contactList/import',
      role: 'sender',
      load: () => import('./import-page.tsx'),
    },
    {
      path: '/mailing-lists/:mailList/import',
      role: 'sender',
      load: () => import('./import-page.tsx'),
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
  ],
});
