import { defineFeature } from '../../define-feature.ts';

export const linksFeature = defineFeature({
  pages: [
    {
      path: '/links',
      role: 'viewer',
      load: () => import('./links.tsx'),
      title: (texts) => texts.shell.links,
      navigation: { section: 'messages', order: 3 },
    },
    {
      path: '/links/:id',
      role: 'viewer',
      load: () => import('./links-of-shipment.tsx'),
    },
  ],
});
