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
      navigation: { section: 'settings', group: 'account', order: 3 },
    },
    {
      path: '/audit',
      role: 'owner',
      load: () => import('./audit-page.tsx'),
      title: (texts) => texts.shell.auditLog,
      synonyms: (texts) => texts.synonyms.audit,
      navigation: { section: 'settings', group: 'data', order: 15 },
    },
    {
      path: '/operator/people',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./team-page.tsx'),
      title: (texts) => texts.shell.operators,
      synonyms: (texts) => texts.synonyms.people,
      navigation: { section: 'operator', group: 'service', order: 14 },
    },
    {
      path: '/operator/audit',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./audit-page.tsx'),
      title: (texts) => texts.shell.operatorAuditLog,
      synonyms: (texts) => texts.synonyms.audit,
      navigation: { section: 'operator', group: 'service', order: 15 },
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
