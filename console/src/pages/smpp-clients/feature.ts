import { defineFeature } from '../../define-feature.ts';

export const smppClientsFeature = defineFeature({
  pages: [
    {
      path: '/smpp-clients',
      role: 'viewer',
      load: () => import('./smpp-clients.tsx'),
      title: (texts) => texts.shell.smppClients,
      synonyms: (texts) => texts.synonyms.smppClients,
      navigation: { section: 'developers', order: 3 },
    },
    {
      path: '/smpp-clients/:id',
      role: 'viewer',
      load: () => import('./one-client.tsx'),
    },
  ],
});
