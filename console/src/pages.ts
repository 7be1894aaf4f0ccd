import {
  Building2,
  Code,
  House,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Send,
  UserRoundCog,
  Users,
} from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { PersonRole } from '../../server/api/access/roles.ts';
import type { Dictionary } from './i18n/en.ts';

/** A page of the console. Its script loads when the page is first opened. */
export interface PageEntry {
  /** Path in the syntax of wouter: `/messages/:id`. */
  readonly path: string;
  readonly component: LazyExoticComponent<ComponentType>;
  /** Least role that can open the page. */
  readonly role: PersonRole | 'everybody';
  /** Only in installations with a sandbox. */
  readonly sandbox?: true;
  /** About oneself or the installation: an operator sees it without having chosen an account. */
  readonly withoutAccount?: true;
}

type Load = Parameters<typeof lazy<ComponentType>>[0];

const page = (
  path: string,
  role: PageEntry['role'],
  load: Load,
  only: Pick<PageEntry, 'sandbox' | 'withoutAccount'> = {},
): PageEntry => ({ path, role, component: lazy(load), ...only });

const sandbox = { sandbox: true } as const;
const withoutAccount = { withoutAccount: true } as const;

/** All pages. The first page that a person may open is their start page. */
export const pages: readonly PageEntry[] = [
  page('/', 'viewer', () => import('./pages/overview/overview.tsx')),
  page('/operator', 'operator', () => import('./pages/operator/home.tsx'), withoutAccount),
  page('/conversations', 'agent', () => import('./pages/conversations/conversations.tsx')),
  page('/start', 'sender', () => import('./pages/start/start.tsx'), sandbox),
  page('/sandbox', 'sender', () => import('./pages/sandbox/sandbox.tsx'), sandbox),
  page('/handsets', 'sender', () => import('./pages/handsets/handsets.tsx'), sandbox),
  page('/send', 'sender', () => import('./pages/send/send.tsx')),
  page('/campaigns', 'viewer', () => import('./pages/campaigns/campaigns.tsx')),
  page('/campaigns/:id', 'viewer', () => import('./pages/campaigns/one-campaign.tsx')),
  page('/messages', 'viewer', () => import('./pages/messages/messages.tsx')),
  page('/messages/:id', 'viewer', () => import('./pages/messages/message.tsx')),
  page('/contacts', 'viewer', () => import('./pages/contacts/contact-lists.tsx')),
  page('/contacts/:id', 'viewer', () => import('./pages/contacts/contact-list.tsx')),
  page('/contacts/:id/import', 'sender', () => import('./pages/contacts/contact-import.tsx')),
  page('/imports/:id', 'viewer', () => import('./pages/contacts/import-progress.tsx')),
  page('/mailing-lists', 'viewer', () => import('./pages/mailing-lists/mailing-lists.tsx')),
  page('/mailing-lists/:id', 'viewer', () => import('./pages/mailing-lists/mailing-list.tsx')),
  page('/mailing-lists/:id/import', 'sender', () => import('./pages/mailing-lists/mailing-list-import.tsx')),
  page('/mailing-lists/:list/imports/:id', 'viewer', () => import('./pages/contacts/import-progress.tsx')),
  page('/recipients/:recipient', 'viewer', () => import('./pages/contacts/recipient.tsx')),
  page('/blacklist', 'viewer', () => import('./pages/blacklist/blacklist.tsx')),
  page('/blacklist/import', 'sender', () => import('./pages/blacklist/blacklist-import.tsx')),
  page('/saved-replies', 'sender', () => import('./pages/conversation-settings/saved-replies.tsx')),
  page('/conversation-labels', 'sender', () => import('./pages/conversation-settings/labels.tsx')),
  page('/conversation-rules', 'owner', () => import('./pages/conversation-settings/conversation-rules.tsx')),
  page(
    '/conversation-rules/new',
    'owner',
    () => import('./pages/conversation-settings/conversation-rule.tsx'),
  ),
  page(
    '/conversation-rules/:id',
    'owner',
    () => import('./pages/conversation-settings/conversation-rule.tsx'),
  ),
  page('/conversation-hours', 'owner', () => import('./pages/conversation-settings/business-hours.tsx')),
  page('/templates', 'viewer', () => import('./pages/templates/template-list.tsx')),
  page('/templates/new', 'sender', () => import('./pages/templates/edit-template.tsx')),
  page('/templates/:id', 'viewer', () => import('./pages/templates/one-template.tsx')),
  page('/templates/:id/edit', 'sender', () => import('./pages/templates/edit-template.tsx')),
  page('/mail-templates', 'viewer', () => import('./pages/mail-templates/mail-template-list.tsx')),
  page('/mail-templates/new', 'sender', () => import('./pages/mail-templates/edit-mail-template.tsx')),
  page('/mail-templates/:id', 'sender', () => import('./pages/mail-templates/edit-mail-template.tsx')),
  page('/wallet', 'viewer', () => import('./pages/wallet/wallet.tsx')),
  page('/subscribers', 'viewer', () => import('./pages/subscribers/subscribers.tsx')),
  page('/subscribers/:id', 'viewer', () => import('./pages/subscribers/one-subscriber.tsx')),
  page('/people', 'owner', () => import('./pages/people/team-page.tsx')),
  page('/audit', 'owner', () => import('./pages/people/audit-page.tsx')),
  page('/sources', 'viewer', () => import('./pages/sources/sources.tsx')),
  page('/codes', 'viewer', () => import('./pages/codes/codes.tsx')),
  page('/links', 'viewer', () => import('./pages/links/links.tsx')),
  page('/links/:id', 'viewer', () => import('./pages/links/links-of-shipment.tsx')),
  page('/sending-policy', 'owner', () => import('./pages/sending-policy/sending-policy.tsx')),
  page('/alerts', 'viewer', () => import('./pages/alerts/alerts.tsx')),
  page('/alerts/new', 'owner', () => import('./pages/alerts/alert-rule.tsx')),
  page('/alerts/:id', 'owner', () => import('./pages/alerts/alert-rule.tsx')),
  page('/settings', 'everybody', () => import('./pages/settings/settings.tsx'), withoutAccount),
  page('/data', 'owner', () => import('./pages/settings/data.tsx')),
  page('/personal-data', 'owner', () => import('./pages/personal-data/personal-data.tsx')),
  page('/personal-data/:id', 'owner', () => import('./pages/personal-data/data-request.tsx')),
  page('/consents', 'owner', () => import('./pages/consents/consents.tsx')),
  page('/tokens', 'owner', () => import('./pages/developers/tokens.tsx')),
  page('/webhooks', 'viewer', () => import('./pages/developers/webhooks.tsx')),
  page('/webhooks/:id', 'viewer', () => import('./pages/developers/one-webhook.tsx')),
  page('/requests', 'viewer', () => import('./pages/developers/request-log.tsx')),
  page('/operator/accounts', 'operator', () => import('./pages/operator/accounts.tsx'), withoutAccount),
  page(
    '/operator/accounts/:id',
    'operator',
    () => import('./pages/operator/one-account.tsx'),
    withoutAccount,
  ),
  page('/operator/senders', 'operator', () => import('./pages/sources/sender-requests.tsx'), withoutAccount),
  page('/operator/prices', 'operator', () => import('./pages/operator/prices.tsx'), withoutAccount),
  page(
    '/operator/destinations',
    'operator',
    () => import('./pages/operator/destinations.tsx'),
    withoutAccount,
  ),
  page('/operator/network', 'operator', () => import('./pages/operator/network.tsx'), withoutAccount),
  page('/operator/connectors', 'operator', () => import('./pages/operator/connectors.tsx'), withoutAccount),
  page('/operator/chat', 'operator', () => import('./pages/operator/chat-numbers.tsx'), withoutAccount),
  page(
    '/operator/webhooks',
    'operator',
    () => import('./pages/operator/failing-webhooks.tsx'),
    withoutAccount,
  ),
  page('/operator/work', 'operator', () => import('./pages/operator/work.tsx'), withoutAccount),
  page(
    '/operator/sandbox',
    'operator',
    () => import('./pages/operator/simulated-networks.tsx'),
    withoutAccount,
  ),
  page('/operator/people', 'operator', () => import('./pages/people/team-page.tsx'), withoutAccount),
  page('/operator/alerts', 'operator', () => import('./pages/alerts/alerts.tsx'), withoutAccount),
  page('/operator/alerts/new', 'operator', () => import('./pages/alerts/alert-rule.tsx'), withoutAccount),
  page('/operator/alerts/:id', 'operator', () => import('./pages/alerts/alert-rule.tsx'), withoutAccount),
  page('/operator/audit', 'operator', () => import('./pages/people/audit-page.tsx'), withoutAccount),
];

/** The API reference: a page of the service, not of the console. */
export const DOCS = '/docs';

type Label = (texts: Dictionary) => string;

export type NavigationGroup = keyof Dictionary['shell']['groups'];

interface NavigationPages {
  readonly icon: LucideIcon;
  /** Whether a browser that keeps no choice shows its pages. */
  readonly opened?: true;
  readonly pages: readonly (readonly [path: string, label: Label])[];
}

/** The navigation, by group; pages that it does not have are reached from others. */
export const navigation: Readonly<Record<NavigationGroup, NavigationPages>> = {
  home: {
    icon: House,
    opened: true,
    pages: [
      ['/', (texts) => texts.overview.title],
      ['/start', (texts) => texts.start.title],
      ['/sandbox', (texts) => texts.sandbox.title],
      ['/handsets', (texts) => texts.handset.title],
    ],
  },
  conversations: {
    icon: MessagesSquare,
    opened: true,
    pages: [
      ['/conversations', (texts) => texts.conversations.inbox],
      ['/saved-replies', (texts) => texts.shell.conversationPages.savedReplies],
      ['/conversation-rules', (texts) => texts.shell.conversationPages.rules],
      ['/conversation-labels', (texts) => texts.shell.conversationPages.labels],
      ['/conversation-hours', (texts) => texts.shell.conversationPages.hours],
    ],
  },
  send: {
    icon: Send,
    opened: true,
    pages: [
      ['/send', (texts) => texts.shell.compose],
      ['/codes', (texts) => texts.shell.codes],
    ],
  },
  campaigns: {
    icon: Megaphone,
    opened: true,
    pages: [
      ['/campaigns', (texts) => texts.campaigns.title],
      ['/messages', (texts) => texts.messages.title],
      ['/links', (texts) => texts.shell.links],
    ],
  },
  audience: {
    icon: Users,
    opened: true,
    pages: [
      ['/contacts', (texts) => texts.shell.contacts],
      ['/mailing-lists', (texts) => texts.mailLists.title],
      ['/blacklist', (texts) => texts.shell.blacklist],
    ],
  },
  templates: {
    icon: LayoutTemplate,
    pages: [
      ['/mail-templates', (texts) => texts.mailTemplates.title],
      ['/templates', (texts) => texts.templates.title],
      ['/sources', (texts) => texts.shell.senders],
    ],
  },
  developers: {
    icon: Code,
    pages: [
      ['/tokens', (texts) => texts.tokens.title],
      ['/webhooks', (texts) => texts.shell.webhooks],
      ['/requests', (texts) => texts.shell.requestLog],
      [DOCS, (texts) => texts.shell.reference],
    ],
  },
  account: {
    icon: UserRoundCog,
    pages: [
      ['/wallet', (texts) => texts.wallet.title],
      ['/alerts', (texts) => texts.shell.alerts],
      ['/subscribers', (texts) => texts.shell.subscribers],
      ['/people', (texts) => texts.shell.people],
      ['/audit', (texts) => texts.shell.auditLog],
      ['/data', (texts) => texts.shell.data],
      ['/personal-data', (texts) => texts.shell.personalData],
      ['/consents', (texts) => texts.shell.consents],
      ['/sending-policy', (texts) => texts.shell.sendingPolicy],
      ['/settings', (texts) => texts.account.navigation],
    ],
  },
  operator: {
    icon: Building2,
    opened: true,
    pages: [
      ['/operator', (texts) => texts.operatorTitles.home],
      ['/operator/accounts', (texts) => texts.operatorTitles.accounts],
      ['/operator/senders', (texts) => texts.shell.senderRequests],
      ['/operator/prices', (texts) => texts.operatorTitles.prices],
      ['/operator/destinations', (texts) => texts.operatorTitles.destinations],
      ['/operator/alerts', (texts) => texts.shell.operatorAlerts],
      ['/operator/network', (texts) => texts.operatorTitles.network],
      ['/operator/connectors', (texts) => texts.operatorTitles.connectors],
      ['/operator/chat', (texts) => texts.operatorTitles.chat],
      ['/operator/webhooks', (texts) => texts.operatorTitles.webhooks],
      ['/operator/work', (texts) => texts.operatorTitles.work],
      ['/operator/sandbox', (texts) => texts.operatorTitles.sandbox],
      ['/operator/people', (texts) => texts.shell.operators],
      ['/operator/audit', (texts) => texts.shell.operatorAuditLog],
    ],
  },
};

/** Addresses that pages had before, and those that they have now. Queries are kept. */
export const movedPages: Readonly<Record<string, string>> = {
  '/conversations/:id': '/conversations?id=:id',
  '/reference': DOCS,
  '/reference/:operation': `${DOCS}#:operation`,
  '/mail-campaigns': '/campaigns?channel=mail',
  '/mail-campaigns/new': '/send?channel=mail',
  '/mail-campaigns/:id': '/campaigns/:id',
};
