import { defineFeature } from '../../define-feature.ts';

export const walletFeature = defineFeature({
  pages: [
    {
      path: '/wallet',
      role: 'viewer',
      load: () => import('./wallet.tsx'),
      title: (texts) => texts.wallet.title,
      synonyms: (texts) => texts.synonyms.wallet,
      navigation: { section: 'settings', group: 'account', order: 2 },
    },
  ],
});
