import { jasmin } from '../api/jasmin/module.ts';
import { kannel } from '../api/kannel/module.ts';
import { mcp } from '../api/mcp/module.ts';
import { requests } from '../api/requests/module.ts';
import { sendKeys } from '../api/send-keys/module.ts';
import { smppServer } from '../api/smpp/module.ts';
import { twilio } from '../api/twilio/module.ts';
import { callbacks } from '../engine/callbacks/module.ts';
import { campaigns } from '../engine/campaigns/module.ts';
import { connectors } from '../engine/connectors/module.ts';
import { dispatch, signals } from '../engine/dispatch/module.ts';
import { peers } from '../engine/dispatch/peers/module.ts';
import { events } from '../engine/events/module.ts';
import { fallback } from '../engine/fallback/module.ts';
import { gate } from '../engine/gate/module.ts';
import { links } from '../engine/links/module.ts';
import { live } from '../engine/live/module.ts';
import { acceptance } from '../engine/messages/acceptance.ts';
import { messages } from '../engine/messages/module.ts';
import { suspension } from '../engine/suspension/module.ts';
import { testMessages } from '../engine/test-messages/module.ts';
import { work } from '../engine/work/module.ts';
import { accounts } from '../modules/accounts/module.ts';
import { alerts } from '../modules/alerts/module.ts';
import { audience } from '../modules/audience/module.ts';
import { authors } from '../modules/authors/module.ts';
import { budgets } from '../modules/budgets/module.ts';
import { consents } from '../modules/consents/module.ts';
import { conversations } from '../modules/conversations/module.ts';
import { dataSubjects } from '../modules/data-subjects/module.ts';
import { dlt } from '../modules/dlt/module.ts';
import { fraudGuard } from '../modules/fraud-guard/module.ts';
import { invitations } from '../modules/invitations/module.ts';
import { media } from '../modules/media/module.ts';
import { otp } from '../modules/otp/module.ts';
import { people } from '../modules/people/module.ts';
import { pictures } from '../modules/pictures/module.ts';
import { retention } from '../modules/retention/module.ts';
import { sendingPolicy } from '../modules/sending-policy/module.ts';

/** Every module that is no channel, in the order in which they open: each needs services of modules before it only. */
export const modules = [
  connectors,
  accounts,
  sendKeys,
  work,
  live,
  messages,
  peers,
  signals,
  budgets,
  events,
  callbacks,
  requests,
  fraudGuard,
  consents,
  audience,
  media,
  pictures,
  dlt,
  sendingPolicy,
  gate,
  retention,
  people,
  authors,
  conversations,
  links,
  dispatch,
  campaigns,
  acceptance,
  fallback,
  testMessages,
  suspension,
  kannel,
  jasmin,
  twilio,
  mcp,
  otp,
  alerts,
  invitations,
  dataSubjects,
  smppServer,
] as const;
