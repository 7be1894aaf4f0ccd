import { defineFeature } from '../../define-feature.ts';
import { useOpenAlerts, useOpenOperatorAlerts } from '../../features/alerts/use-open-alerts.ts';
import type { FirstTexts } from '../../i18n/en.ts';

const openAlerts = ({ shell }: FirstTexts, count: number) => shell.openAlerts(count);

export const alertsFeature = defineFeature({
  pages: [
    {
      path: '/alerts',
      role: 'viewer',
      load: () => import('./alerts.tsx'),
      title: (texts) => texts.shell.alerts,
      navigation: {
        section: 'settings',
        group: 'account',
        order: 5,
        badge: { useCount: useOpenAlerts, text: openAlerts },
      },
    },
    {
      path: '/alerts/new',
      role: 'owner',
      load: () => import('./alert-rule.tsx'),
    },
    {
      path: '/alerts/:id',
      role: 'owner',
      load: () => import('./alert-rule.tsx'),
    },
    {
      path: '/operator/alerts',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./alerts.tsx'),
      title: (texts) => texts.shell.operatorAlerts,
      navigation: {
        section: 'operator',
        group: 'service',
        order: 11,
        badge: { useCount: useOpenOperatorAlerts, text: openAlerts },
      },
    },
    {
      path: '/operator/alerts/new',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./alert-rule.tsx'),
    },
    {
      path: '/operator/alerts/:id',
      role: 'operator',
      withoutAccount: true,
      load: () => import('./alert-rule.tsx'),
    },
  ],
});
