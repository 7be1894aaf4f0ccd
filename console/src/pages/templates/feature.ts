import { MessagesSquare } from 'lucide-react';
import { defineFeature } from '../../define-feature.ts';

export const templatesFeature = defineFeature({
  pages: [
    {
      path: '/templates',
      role: 'viewer',
      load: () => import('./template-list.tsx'),
      title: (texts) => texts.shell.pages.chatTemplates,
      navigation: { section: 'send', order: 4 },
    },
    {
      path: '/templates/new',
      role: 'sender',
      load: () => import('./edit-template.tsx'),
    },
    {
      path: '/templates/:id',
      role: 'viewer',
      load: () => import('./one-template.tsx'),
    },
    {
      path: '/templates/:id/edit',
      role: 'sender',
      load: () => import('./edit-template.tsx'),
    },
  ],
  actions: [
    {
      icon: MessagesSquare,
      title: (texts) => texts.shell.command.newTemplate,
      role: 'sender',
      href: '/templates/new',
    },
  ],
});
