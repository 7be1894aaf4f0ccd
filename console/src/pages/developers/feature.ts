import { KeyRound, Webhook } from 'lucide-react';
import { defineFeature } from '../../define-feature.ts';

export const developersFeature = defineFeature({
  pages: [
    {
      path: '/tokens',
      role: 'owner',
      load: () => import('./tokens.tsx'),
      title: (texts) => texts.tokens.title,
      synonyms: (texts) => texts.synonyms.tokens,
      navigation: { section: 'developers', order: 1 },
    },
    {
      path: '/webhooks',
      role: 'viewer',
      load: () => import('./webhooks.tsx'),
      title: (texts) => texts.shell.webhooks,
      synonyms: (texts) => texts.synonyms.webhooks,
      navigation: { section: 'developers', order: 2 },
    },
    {
      path: '/webhooks/:id',
      role: 'viewer',
      load: () => import('./one-webhook.tsx'),
    },
    {
      path: '/requests',
      role: 'viewer',
      load: () => import('./request-log.tsx'),
      title: (texts) => texts.shell.requestLog,
      synonyms: (texts) => texts.synonyms.requests,
      navigation: { section: 'developers', order: 4 },
    },
    {
      path: '/docs',
      role: 'viewer',
      withoutAccount: true,
      title: (texts) => texts.shell.reference,
      synonyms: (texts) => texts.synonyms.reference,
      navigation: { section: 'developers', order: 5 },
    },
  ],
  actions: [
    {
      icon: KeyRound,
      title: (texts) => texts.shell.command.createToken,
      synonyms: (texts) => texts.synonyms.tokens,
      role: 'owner',
      href: '/tokens',
    },
    {
      icon: Webhook,
      title: (texts) => texts.shell.command.registerWebhook,
      synonyms: (texts) => texts.synonyms.webhooks,
      role: 'owner',
      href: '/webhooks',
    },
  ],
  moved: { '/reference': '/docs', '/reference/:operation': '/docs#:operation' },
});
