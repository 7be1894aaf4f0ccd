import { MailPlus } from 'lucide-react';
import { defineFeature } from '../../define-feature.ts';

export const mailTemplatesFeature = defineFeature({
  pages: [
    {
      path: '/mail-templates',
      role: 'viewer',
      load: () => import('./mail-template-list.tsx'),
      title: (texts) => texts.shell.pages.mailTemplates,
      navigation: { section: 'send', order: 3 },
    },
    {
      path: '/mail-templates/new',
      role: 'sender',
      load: () => import('./edit-mail-template.tsx'),
    },
    {
      path: '/mail-templates/:id',
      role: 'sender',
      load: () => import('./edit-mail-template.tsx'),
    },
  ],
  actions: [
    {
      icon: MailPlus,
      title: (texts) => texts.shell.command.newMailTemplate,
      role: 'sender',
      href: '/mail-templates/new',
    },
  ],
});
