import {
  Activity,
  BadgeCheck,
  Ban,
  BookOpenText,
  BriefcaseBusiness,
  Building2,
  CirclePlay,
  FileClock,
  FlaskConical,
  History,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  Link2,
  type LucideIcon,
  Mails,
  Megaphone,
  MessagesSquare,
  Network,
  ScrollText,
  Send,
  ShieldUser,
  Smartphone,
  Tags,
  Unplug,
  UserRoundCog,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Role } from './api/session.ts';
import type { Dictionary } from './i18n/en.ts';

/** A page of the console. Its script is fetched when it is opened first. */
export interface PageEntry {
  /** As wouter reads it: `/messages/:id`. */
  readonly path: string;
  readonly component: LazyExoticComponent<ComponentType>;
  /** Who may see it, from this role on. */
  readonly role: Role;
  /** Where the sandbox is only. */
  readonly sandbox?: true;
  /** About oneself or the installation: an operator sees it without having chosen an account. */
  readonly withoutAccount?: true;
  /** Its place in the navigation; pages without it are reached from others. */
  readonly navigation?: {
    readonly group: keyof Dictionary['shell']['groups'];
    readonly label: (texts: Dictionary) => string;
    readonly icon: LucideIcon;
  };
}

/** Every page, in the order of the navigation. The first that somebody may see is where they begin. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    component: lazy(() => import('./pages/overview/overview.tsx')),
    role: 'viewer',
    navigation: { group: 'home', label: (texts) => texts.overview.title, icon: LayoutDashboard },
  },
  {
    path: '/start',
    component: lazy(() => import('./pages/start/start.tsx')),
    role: 'sender',
    sandbox: true,
    navigation: { group: 'start', label: (texts) => texts.start.title, icon: CirclePlay },
  },
  {
    path: '/handsets',
    component: lazy(() => import('./pages/handsets/handsets.tsx')),
    role: 'sender',
    sandbox: true,
    navigation: { group: 'start', label: (texts) => texts.handset.title, icon: Smartphone },
  },
  {
    path: '/send',
    component: lazy(() => import('./pages/send/send.tsx')),
    role: 'sender',
    navigation: { group: 'send', label: (texts) => texts.send.title, icon: Send },
  },
  {
    path: '/campaigns',
    component: lazy(() => import('./pages/campaigns/campaigns.tsx')),
    role: 'viewer',
    navigation: { group: 'send', label: (texts) => texts.campaigns.title, icon: Megaphone },
  },
  { path: '/campaigns/:id', role: 'viewer', component: lazy(() => import('./pages/campaigns/one.tsx')) },
  {
    path: '/messages',
    component: lazy(() => import('./pages/messages/messages.tsx')),
    role: 'viewer',
    navigation: { group: 'send', label: (texts) => texts.messages.title, icon: MessagesSquare },
  },
  { path: '/messages/:id', role: 'viewer', component: lazy(() => import('./pages/messages/message.tsx')) },
  {
    path: '/contacts',
    component: lazy(() => import('./pages/contacts/lists.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.contacts.title, icon: Users },
  },
  { path: '/contacts/:id', role: 'viewer', component: lazy(() => import('./pages/contacts/list.tsx')) },
  {
    path: '/contacts/:id/import',
    component: lazy(() => import('./pages/contacts/import.tsx')),
    role: 'sender',
  },
  { path: '/imports/:id', role: 'viewer', component: lazy(() => import('./pages/contacts/progress.tsx')) },
  {
    path: '/mailing-lists',
    component: lazy(() => import('./pages/mailing-lists/lists.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.mailLists.title, icon: Mails },
  },
  {
    path: '/mailing-lists/:id',
    component: lazy(() => import('./pages/mailing-lists/list.tsx')),
    role: 'viewer',
  },
  {
    path: '/mailing-lists/:id/import',
    component: lazy(() => import('./pages/mailing-lists/import.tsx')),
    role: 'sender',
  },
  {
    path: '/mailing-lists/:list/imports/:id',
    component: lazy(() => import('./pages/contacts/progress.tsx')),
    role: 'viewer',
  },
  {
    path: '/blacklist',
    component: lazy(() => import('./pages/blacklist/blacklist.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.blacklist.title, icon: Ban },
  },
  {
    path: '/blacklist/import',
    component: lazy(() => import('./pages/blacklist/import.tsx')),
    role: 'sender',
  },
  {
    path: '/templates',
    component: lazy(() => import('./pages/templates/list.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.templates.title, icon: LayoutTemplate },
  },
  { path: '/templates/new', role: 'sender', component: lazy(() => import('./pages/templates/edit.tsx')) },
  { path: '/templates/:id', role: 'viewer', component: lazy(() => import('./pages/templates/one.tsx')) },
  {
    path: '/templates/:id/edit',
    component: lazy(() => import('./pages/templates/edit.tsx')),
    role: 'sender',
  },
  {
    path: '/wallet',
    component: lazy(() => import('./pages/wallet/wallet.tsx')),
    role: 'viewer',
    navigation: { group: 'account', label: (texts) => texts.wallet.title, icon: Wallet },
  },
  {
    path: '/subscribers',
    component: lazy(() => import('./pages/subscribers/subscribers.tsx')),
    role: 'viewer',
    navigation: { group: 'account', label: (texts) => texts.subscribers.title, icon: Network },
  },
  {
    path: '/subscribers/:id',
    component: lazy(() => import('./pages/subscribers/one-subscriber.tsx')),
    role: 'viewer',
  },
  {
    path: '/people',
    component: lazy(() => import('./pages/people/people.tsx')),
    role: 'owner',
    navigation: { group: 'account', label: (texts) => texts.people.title, icon: UserRoundCog },
  },
  {
    path: '/audit',
    component: lazy(() => import('./pages/people/audit.tsx')),
    role: 'owner',
    navigation: { group: 'account', label: (texts) => texts.audit.title, icon: History },
  },
  {
    path: '/sources',
    component: lazy(() => import('./pages/sources/sources.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.sources.title, icon: BadgeCheck },
  },
  {
    path: '/codes',
    component: lazy(() => import('./pages/codes/codes.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.codes.title, icon: KeyRound },
  },
  {
    path: '/links',
    component: lazy(() => import('./pages/links/list.tsx')),
    role: 'viewer',
    navigation: { group: 'audience', label: (texts) => texts.links.title, icon: Link2 },
  },
  { path: '/links/:id', role: 'viewer', component: lazy(() => import('./pages/links/one.tsx')) },
  {
    path: '/settings',
    component: lazy(() => import('./pages/settings/settings.tsx')),
    role: 'viewer',
    withoutAccount: true,
    navigation: { group: 'account', label: (texts) => texts.account.navigation, icon: Wrench },
  },
  {
    path: '/tokens',
    component: lazy(() => import('./pages/developers/tokens.tsx')),
    role: 'owner',
    navigation: { group: 'developers', label: (texts) => texts.tokens.title, icon: KeyRound },
  },
  {
    path: '/webhooks',
    component: lazy(() => import('./pages/developers/webhooks.tsx')),
    role: 'viewer',
    navigation: { group: 'developers', label: (texts) => texts.webhooks.title, icon: Webhook },
  },
  {
    path: '/webhooks/:id',
    component: lazy(() => import('./pages/developers/one-webhook.tsx')),
    role: 'viewer',
  },
  {
    path: '/requests',
    component: lazy(() => import('./pages/developers/requests.tsx')),
    role: 'viewer',
    navigation: { group: 'developers', label: (texts) => texts.requests.title, icon: ScrollText },
  },
  {
    path: '/reference',
    component: lazy(() => import('./pages/reference/reference.tsx')),
    role: 'viewer',
    withoutAccount: true,
    navigation: { group: 'developers', label: (texts) => texts.reference.title, icon: BookOpenText },
  },
  {
    path: '/reference/:operation',
    component: lazy(() => import('./pages/reference/reference.tsx')),
    role: 'viewer',
    withoutAccount: true,
  },
  {
    path: '/operator/accounts',
    component: lazy(() => import('./pages/operator/accounts.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.accounts.title, icon: Building2 },
  },
  {
    path: '/operator/accounts/:id',
    component: lazy(() => import('./pages/operator/one-account.tsx')),
    role: 'operator',
    withoutAccount: true,
  },
  {
    path: '/operator/senders',
    component: lazy(() => import('./pages/sources/sender-requests.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.senderRequests.title, icon: BadgeCheck },
  },
  {
    path: '/operator/prices',
    component: lazy(() => import('./pages/operator/prices.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.prices.title, icon: Tags },
  },
  {
    path: '/operator/network',
    component: lazy(() => import('./pages/operator/network.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.network.title, icon: Activity },
  },
  {
    path: '/operator/chat',
    component: lazy(() => import('./pages/operator/chat-numbers.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.chat.title, icon: BriefcaseBusiness },
  },
  {
    path: '/operator/webhooks',
    component: lazy(() => import('./pages/operator/off-webhooks.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.webhooks.title, icon: Unplug },
  },
  {
    path: '/operator/sandbox',
    component: lazy(() => import('./pages/operator/sandbox.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.operator.sandbox.title, icon: FlaskConical },
  },
  {
    path: '/operator/people',
    component: lazy(() => import('./pages/people/operators.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.people.operatorsTitle, icon: ShieldUser },
  },
  {
    path: '/operator/audit',
    component: lazy(() => import('./pages/people/operator-audit.tsx')),
    role: 'operator',
    withoutAccount: true,
    navigation: { group: 'operator', label: (texts) => texts.audit.operatorTitle, icon: FileClock },
  },
];

/** Addresses that pages had before, and those that they have now. Queries are kept. */
export const movedPages: Readonly<Record<string, string>> = {
  '/mail-campaigns': '/campaigns?channel=mail',
  '/mail-campaigns/new': '/send?channel=mail',
  '/mail-campaigns/:id': '/campaigns/:id',
};
