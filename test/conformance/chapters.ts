import type { Chapter } from './row.ts';
import { amendments } from './rows/amendments.ts';
import { blacklist } from './rows/blacklist.ts';
import { bulk } from './rows/bulk.ts';
import { cancel } from './rows/cancel.ts';
import { chatButtons } from './rows/chat-buttons.ts';
import { chatCampaign } from './rows/chat-campaign.ts';
import { chatCarousel } from './rows/chat-carousel.ts';
import { chatDecisions } from './rows/chat-decisions.ts';
import { chatEvents } from './rows/chat-events.ts';
import { chatLimits } from './rows/chat-limits.ts';
import { chatPlatform } from './rows/chat-platform.ts';
import { chatTemplateMessage } from './rows/chat-template-message.ts';
import { chatTemplateStates } from './rows/chat-template-states.ts';
import { chatTemplates } from './rows/chat-templates.ts';
import { chatWindows } from './rows/chat-windows.ts';
import { codes } from './rows/codes.ts';
import { contactLists } from './rows/contact-lists.ts';
import { credit } from './rows/credit.ts';
import { deliveryStatuses } from './rows/delivery-statuses.ts';
import { docs } from './rows/docs.ts';
import { events } from './rows/events.ts';
import { jasmin } from './rows/jasmin.ts';
import { kannel } from './rows/kannel.ts';
import { mailApi } from './rows/mail-api.ts';
import { mailSending } from './rows/mail-sending.ts';
import { mailStates } from './rows/mail-states.ts';
import { mcp } from './rows/mcp.ts';
import { numbersAndTexts } from './rows/numbers-and-texts.ts';
import { operations } from './rows/operations.ts';
import { reports } from './rows/reports.ts';
import { requestStatuses } from './rows/request-statuses.ts';
import { requests } from './rows/requests.ts';
import { sandbox } from './rows/sandbox.ts';
import { send } from './rows/send.ts';
import { signedIn } from './rows/sign-in.ts';
import { smppServer } from './rows/smpp-server.ts';
import { subscribers } from './rows/subscribers.ts';
import { twilio } from './rows/twilio.ts';
import { v1 } from './rows/v1.ts';
import { verifiedPhones } from './rows/verified-phones.ts';
import { voice } from './rows/voice.ts';

/** In the order of the document. */
export const chapters = [
  chatTemplates,
  chatTemplateStates,
  chatTemplateMessage,
  chatCampaign,
  chatButtons,
  chatCarousel,
  chatWindows,
  chatLimits,
  chatDecisions,
  chatEvents,
  chatPlatform,
  send,
  bulk,
  voice,
  codes,
  contactLists,
  subscribers,
  reports,
  verifiedPhones,
  blacklist,
  cancel,
  mailApi,
  mailStates,
  mailSending,
  operations,
  requests,
  signedIn,
  amendments,
  requestStatuses,
  deliveryStatuses,
  numbersAndTexts,
  credit,
  events,
  sandbox,
  v1,
  smppServer,
  kannel,
  jasmin,
  twilio,
  mcp,
  docs,
] as const satisfies readonly Chapter[];

type KeyOf<C extends Chapter> = C extends Chapter ? `${C['key']}.${C['rows'][number]['id']}` : never;

/** A row as tests name it: the key of its chapter and its id. */
export type RowKey = KeyOf<(typeof chapters)[number]>;
