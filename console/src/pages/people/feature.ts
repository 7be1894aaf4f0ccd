import { UserPlus } from 'lucide-react';
import { defineFeature } from '../../define-feature.ts';

export const peopleFeature = defineFeature({
  pages: [
    {
      path: '/people',
      role: 'owner',
      load: () => import('./team-page.tsx'),
      title: (texts) => texts.shell.people,
      synonyms: (texts) => texts.synonyms.people,
      navigation: { section: 'account', order: 4 },
    },
    {
      path: '/audit',
      role: 'owner',
      load: () => import('./audit-page.tsx'),
      title: (texts) => texts.shell.auditLog,
      synonyms: (texts) => texts.synonyms.audit,
      navigation: { section: 'account', order: 5 },
    },
    {
      path: '/operator/people',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./team-page.tsx'),
      title: (texts) => texts.shell.operators,
      navigation: { section: 'operator', order: 13 },
    },
    {
      path: '/operator/audit',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./audit-page.tsx'),
      title: (texts) => texts.shell.operatorAuditLog,
      navigation: { section: 'operator', order: 14 },
    },
  ],
  actions: [
    {
      icon: UserPlus,
      title: (texts) => texts.shell.command.addPerson,
      synonyms: (texts) => texts.synonyms.people,
      role: 'owner',
      href: '/people',
    },
  ],
});
