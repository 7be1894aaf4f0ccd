import { requestsTables } from '../api/requests/tables.ts';
import { sendKeysTables } from '../api/send-keys/tables.ts';
import type { Channel } from '../channels/contract/channel.ts';
import { Tables } from '../database/define-tables.ts';
import { databaseTables } from '../database/tables.ts';
import { campaignsTables } from '../engine/campaigns/tables.ts';
import { connectorsTables } from '../engine/connectors/tables.ts';
import { dispatchTables } from '../engine/dispatch/tables.ts';
import { eventsTables } from '../engine/events/tables.ts';
import { gateTables } from '../engine/gate/tables.ts';
import { linksTables } from '../engine/links/tables.ts';
import { messagesTables } from '../engine/messages/tables.ts';
import { workTables } from '../engine/work/tables.ts';
import { accountsTables } from '../modules/accounts/tables.ts';
import { alertsTables } from '../modules/alerts/tables.ts';
import { audienceTables } from '../modules/audience/tables.ts';
import { budgetsTables } from '../modules/budgets/tables.ts';
import { consentsTables } from '../modules/consents/tables.ts';
import { conversationsTables } from '../modules/conversations/tables.ts';
import { dataSubjectsTables } from '../modules/data-subjects/tables.ts';
import { fraudGuardTables } from '../modules/fraud-guard/tables.ts';
import { loginThrottleTables } from '../modules/login-throttle/tables.ts';
import { mediaTables } from '../modules/media/tables.ts';
import { otpTables } from '../modules/otp/tables.ts';
import { peopleTables } from '../modules/people/tables.ts';
import { retentionTables } from '../modules/retention/tables.ts';
import { sendingPolicyTables } from '../modules/sending-policy/tables.ts';
import { secretsTables } from '../secrets/tables.ts';

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
