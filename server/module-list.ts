import { accounts } from './accounts/module.ts';
import { alerts } from './alerts/module.ts';
import { audience } from './audience/module.ts';
import { authors } from './authors/module.ts';
import { budgets } from './budgets/module.ts';
import { campaigns } from './campaigns/module.ts';
import { connectors } from './connectors/module.ts';
import { consents } from './consents/module.ts';
import { conversations } from './conversations/module.ts';
import { dataSubjects } from './data-subjects/module.ts';
import { dispatch, signals } from './dispatch/module.ts';
import { events } from './events/module.ts';
import { fraudGuard } from './fraud-guard/module.ts';
import { gate } from './gate/module.ts';
import { links } from './links/module.ts';
import { live } from './live/module.ts';
import { media } from './media/module.ts';
import { acceptance } from './messages/acceptance.ts';
import { messages } from './messages/module.ts';
import { otp } from './otp/module.ts';
import { people } from './people/module.ts';
import { requests } from './requests/module.ts';
import { retention } from './retention/module.ts';
import { sendKeys } from './send-keys/module.ts';
import { sendingPolicy } from './sending-policy/module.ts';
import { suspension } from './suspension/module.ts';
import { work } from './work/module.ts';

/** Every module that is no channel, in the order in which they open: each needs services of modules before it only. */
export const modules = [
  connectors,
  accounts,
  sendKeys,
  work,
  live,
  messages,
  signals,
  budgets,
  events,
  requests,
  fraudGuard,
  consents,
  audience,
  media,
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
  suspension,
  otp,
  alerts,
  dataSubjects,
] as const;
