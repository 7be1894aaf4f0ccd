import type { Dictionary } from './en.ts';
import { account } from './he/account.ts';
import { audit } from './he/audit.ts';
import { campaigns } from './he/campaigns.ts';
import { codes } from './he/codes.ts';
import { common } from './he/common.ts';
import { blacklist, contacts } from './he/contacts.ts';
import { failures } from './he/failures.ts';
import { filters } from './he/filters.ts';
import { handset } from './he/handset.ts';
import { links } from './he/links.ts';
import { mailbox, mailCampaigns, mailLists, mailTokens } from './he/mail.ts';
import { messages } from './he/messages.ts';
import { operator } from './he/operator.ts';
import { overview } from './he/overview.ts';
import { people } from './he/people.ts';
import { programPassword } from './he/program-password.ts';
import { reference } from './he/reference.ts';
import { requests } from './he/requests.ts';
import { send } from './he/send.ts';
import { shell } from './he/shell.ts';
import { signIn } from './he/sign-in.ts';
import { senderRequests, sources } from './he/sources.ts';
import { start } from './he/start.ts';
import { subscribers } from './he/subscribers.ts';
import { templates } from './he/templates.ts';
import { tokens } from './he/tokens.ts';
import { wallet } from './he/wallet.ts';
import { webhooks } from './he/webhooks.ts';

export const he: Dictionary = {
  common,
  shell,
  signIn,
  account,
  start,
  handset,
  filters,
  wallet,
  subscribers,
  contacts,
  blacklist,
  overview,
  send,
  campaigns,
  messages,
  failures,
  templates,
  tokens,
  webhooks,
  requests,
  reference,
  operator,
  people,
  programPassword,
  audit,
  codes,
  sources,
  senderRequests,
  links,
  mailLists,
  mailCampaigns,
  mailbox,
  mailTokens,
};
