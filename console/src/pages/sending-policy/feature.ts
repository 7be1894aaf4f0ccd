import { defineFeature } from '../../define-feature.ts';

export const sendingPolicyFeature = defineFeature({
  pages: [
    {
      path: '/sending-policy',
      role: 'owner',
      load: () => import('./sending-policy.tsx'),
      title: (texts) => texts.shell.sendingPolicy,
      synonyms: (texts) => texts.synonyms.sendingPolicy,
      navigation: { section: 'settings', group: 'sending', order: 7 },
    },
  ],
});
