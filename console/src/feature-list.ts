import type { ActionEntry, PageEntry } from './define-feature.ts';
import { alertsFeature } from './pages/alerts/feature.ts';
import { blacklistFeature } from './pages/blacklist/feature.ts';
import { campaignsFeature } from './pages/campaigns/feature.ts';
import { codesFeature } from './pages/codes/feature.ts';
import { consentsFeature } from './pages/consents/feature.ts';
import { contactsFeature } from './pages/contacts/feature.ts';
import { conversationSettingsFeature } from './pages/conversation-settings/feature.ts';
import { conversationsFeature } from './pages/conversations/feature.ts';
import { developersFeature } from './pages/developers/feature.ts';
import { generalFeature } from './pages/general/feature.ts';
import { handsetsFeature } from './pages/handsets/feature.ts';
import { linksFeature } from './pages/links/feature.ts';
import { mailTemplatesFeature } from './pages/mail-templates/feature.ts';
import { mailingListsFeature } from './pages/mailing-lists/feature.ts';
import { messagesFeature } from './pages/messages/feature.ts';
import { operatorFeature } from './pages/operator/feature.ts';
import { overviewFeature } from './pages/overview/feature.ts';
import { peopleFeature } from './pages/people/feature.ts';
import { personalDataFeature } from './pages/personal-data/feature.ts';
import { sandboxFeature } from './pages/sandbox/feature.ts';
import { sendFeature } from './pages/send/feature.ts';
import { sendingPolicyFeature } from './pages/sending-policy/feature.ts';
import { settingsFeature } from './pages/settings/feature.ts';
import { smppClientsFeature } from './pages/smpp-clients/feature.ts';
import { sourcesFeature } from './pages/sources/feature.ts';
import { startFeature } from './pages/start/feature.ts';
import { subscribersFeature } from './pages/subscribers/feature.ts';
import { templatesFeature } from './pages/templates/feature.ts';
import { walletFeature } from './pages/wallet/feature.ts';

/** All features. The first page that a person may open is their start page; actions of the search keep this order. */
const features = [
  overviewFeature,
  operatorFeature,
  conversationsFeature,
  startFeature,
  sandboxFeature,
  handsetsFeature,
  sendFeature,
  campaignsFeature,
  messagesFeature,
  contactsFeature,
  mailingListsFeature,
  blacklistFeature,
  conversationSettingsFeature,
  templatesFeature,
  mailTemplatesFeature,
  generalFeature,
  walletFeature,
  subscribersFeature,
  peopleFeature,
  sourcesFeature,
  codesFeature,
  linksFeature,
  sendingPolicyFeature,
  alertsFeature,
  settingsFeature,
  personalDataFeature,
  consentsFeature,
  developersFeature,
  smppClientsFeature,
];

export const pages: readonly PageEntry[] = features.flatMap(({ pages }) => pages);
export const actions: readonly ActionEntry[] = features.flatMap(({ actions }) => actions);
/** Current address of each earlier address, in the order in which they are looked up. */
export const movedPages: readonly (readonly [before: string, now: string])[] = features.flatMap(({ moved }) =>
  Object.entries(moved),
);
