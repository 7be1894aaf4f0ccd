import { account } from './en/account.ts';
import { audit } from './en/audit.ts';
import { campaigns } from './en/campaigns.ts';
import { codes } from './en/codes.ts';
import { common } from './en/common.ts';
import { blacklist, contacts } from './en/contacts.ts';
import { failures } from './en/failures.ts';
import { filters } from './en/filters.ts';
import { handset } from './en/handset.ts';
import { links } from './en/links.ts';
import { mailbox, mailCampaigns, mailLists, mailTokens } from './en/mail.ts';
import { messages } from './en/messages.ts';
import { operator } from './en/operator.ts';
import { overview } from './en/overview.ts';
import { people } from './en/people.ts';
import { programPassword } from './en/program-password.ts';
import { reference } from './en/reference.ts';
import { requests } from './en/requests.ts';
import { send } from './en/send.ts';
import { shell } from './en/shell.ts';
import { signIn } from './en/sign-in.ts';
import { senderRequests, sources } from './en/sources.ts';
import { start } from './en/start.ts';
import { subscribers } from './en/subscribers.ts';
import { templates } from './en/templates.ts';
import { tokens } from './en/tokens.ts';
import { wallet } from './en/wallet.ts';
import { webhooks } from './en/webhooks.ts';

/** Every text of the console, by page. English is the form that the other languages have to have. */
export const en = {
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

export type Dictionary = typeof en;
