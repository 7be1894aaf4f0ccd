import { defineFeature } from '../../define-feature.ts';

export const campaignsFeature = defineFeature({
  pages: [
    {
      path: '/campaigns',
      role: 'viewer',
      load: () => import('./campaigns.tsx'),
      title: (texts) => texts.shell.pages.campaigns,
      navigation: { section: 'messages', order: 2 },
    },
    {
      path: '/campaigns/:id',
      role: 'viewer',
      load: () => import('./one-campaign.tsx'),
    },
  ],
  moved: { '/mail-campaigns': '/campaigns?channel=mail', '/mail-campaigns/:id': '/campaigns/:id' },
});
