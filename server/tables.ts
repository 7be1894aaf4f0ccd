import { accountsTables } from './accounts/tables.ts';
import { alertsTables } from './alerts/tables.ts';
import { audienceTables } from './audience/tables.ts';
import { budgetsTables } from './budgets/tables.ts';
import { campaignsTables } from './campaigns/tables.ts';
import type { Channel } from './channel-contract/channel.ts';
import { connectorsTables } from './connectors/tables.ts';
import { consentsTables } from './consents/tables.ts';
import { conversationsTables } from './conversations/tables.ts';
import { dataSubjectsTables } from './data-subjects/tables.ts';
import { Tables } from './database/define-tables.ts';
import { databaseTables } from './database/tables.ts';
import { dispatchTables } from './dispatch/tables.ts';
import { eventsTables } from './events/tables.ts';
import { fraudGuardTables } from './fraud-guard/tables.ts';
import { gateTables } from './gate/tables.ts';
import { linksTables } from './links/tables.ts';
import { loginThrottleTables } from './login-throttle/tables.ts';
import { mediaTables } from './media/tables.ts';
import { messagesTables } from './messages/tables.ts';
import { otpTables } from './otp/tables.ts';
import { peopleTables } from './people/tables.ts';
import { requestsTables } from './requests/tables.ts';
import { retentionTables } from './retention/tables.ts';
import { secretsTables } from './secrets/tables.ts';
import { sendKeysTables } from './send-keys/tables.ts';
import { sendingPolicyTables } from './sending-policy/tables.ts';
import { workTables } from './work/tables.ts';

/** The tables of the modules and of these channels. */
export const tablesOf = (channels: Iterable<Pick<Channel, 'tables' | 'migrations'>>): Tables =>
  new Tables(
    [
      databaseTables,
      secretsTables,
      accountsTables,
      peopleTables,
      loginThrottleTables,
      sendKeysTables,
      workTables,
      budgetsTables,
      requestsTables,
      eventsTables,
      fraudGuardTables,
      consentsTables,
      mediaTables,
      audienceTables,
      linksTables,
      sendingPolicyTables,
      gateTables,
      connectorsTables,
      messagesTables,
      conversationsTables,
      dispatchTables,
      campaignsTables,
      otpTables,
      alertsTables,
      retentionTables,
      dataSubjectsTables,
      ...Array.from(channels, ({ tables }) => tables ?? {}),
    ],
    Array.from(channels, ({ migrations }) => migrations ?? []).flat(),
  );
