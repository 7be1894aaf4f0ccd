import { discardAnswer } from '../api/send-keys/store.ts';
import { SmppClients } from '../api/smpp/clients.ts';
import { TwilioNumbers } from '../api/twilio/numbers.ts';
import { channels } from '../channels/index.ts';
import type { Discarded, Discardings } from '../channels/module.ts';
import { livingProcesses } from '../database/processes.ts';
import { StatusCallbacks } from '../engine/callbacks/status-callbacks.ts';
import { discardConnectorPassword } from '../engine/connectors/connectors.ts';
import { LOOK_UP_ID } from '../engine/connectors/stored.ts';
import { LOOK_UP_KIND } from '../engine/connectors/v1/number-look-up.ts';
import { discardSealedEvents } from '../engine/events/lost-events.ts';
import { SecretTexts } from '../engine/messages/secret-text.ts';
import { SubjectRequests } from '../modules/data-subjects/requests.ts';
import { CLI_PREFIX, NO_ACCOUNT } from '../modules/people/audit.ts';
import { discardClientSecret } from '../modules/people/providers/providers.ts';
import { Sessions } from '../modules/people/sessions.ts';
import { SecondFactors } from '../modules/people/totp.ts';
import { type AppContext, createEventModule } from '../run/app-context.ts';
import { discardInstallationKey } from '../secrets/installation-keys.ts';
import { findLostValues, forgetLostKeys, keyAfterLoss, type LostValues } from '../secrets/lost.ts';
import { TEXTS } from '../secrets/text-storage.ts';
import { describeChange } from './audited.ts';
import { CommandError } from './with-app-context.ts';

const WEBHOOK_OFF = 'its signing secret was lost with the key: fetch the new one, then enable it';

/** By the sealed columns of the modules' tables. */
const ofModules: Discardings = {
  'installation_keys.sealed': {
    consequence:
      'created again: pending one-time codes, short links and removal pages in sent texts, and links and bounces of sent mails are no longer recognized; encrypted texts of messages are lost, and events with them',
    async discard({ tx }, [purpose]) {
      await discardInstallationKey(tx, String(purpose));
      if (purpose === TEXTS) await discardSealedEvents(tx);
      return undefined;
    },
  },
  'people.totp_secret': {
    consequence: 'second factors are removed with their recovery codes: these people set them up again',
    async discard({ tx, appContext, box }, [id]) {
      const personId = Number(id);
      await new SecondFactors(appContext.clock, box).remove(tx, personId);
      const [person] = await tx<{ account_id: number | null }[]>`
        SELECT account_id FROM people WHERE id = ${personId}`;
      return person && { accountId: person.account_id ?? NO_ACCOUNT, kind: 'people', id: personId };
    },
  },
  'sign_in_providers.client_secret': {
    consequence: 'sign-in providers are disabled until their client secret is set again and they are enabled',
    async discard({ tx }, [id]) {
      const row = await discardClientSecret(tx, Number(id));
      return row && { accountId: row.accountId ?? NO_ACCOUNT, kind: 'sign-in-providers', id: Number(id) };
    },
  },
  'sessions.provider_id_token': {
    consequence: 'sign-in providers may ask these people once whether they want to sign out',
    async discard({ tx }, [id]) {
      await Sessions.discardIdToken(tx, Number(id));
      return undefined;
    },
  },
  'event_endpoints.secret': {
    consequence: 'webhooks get another secret and are switched off until their owners enable them',
    async discard({ events }, [id]) {
      const row = await events.endpoints.replaceLostSecret(Number(id), WEBHOOK_OFF);
      return row && { accountId: row.account_id, kind: 'webhooks', id: row.id };
    },
  },
  'event_endpoints.old_secret': {
    consequence: 'webhooks are signed with their present secret alone',
    async discard({ events }, [id]) {
      const row = await events.endpoints.forgetOldSecret(Number(id));
      return row && { accountId: row.account_id, kind: 'webhooks', id: row.id };
    },
  },
  'status_callbacks.secret': {
    consequence: 'programs get no more status callbacks about the messages that these keys would sign',
    async discard({ tx }, [accountId, id]) {
      await StatusCallbacks.discard(tx, Number(accountId), Number(id));
      return undefined;
    },
  },
  'twilio_numbers.secret': {
    consequence:
      'incoming numbers call no application of the interface of Twilio until their programs set SmsUrl again',
    async discard({ tx }, [accountId, number]) {
      await TwilioNumbers.discard(tx, Number(accountId), String(number));
      return { accountId: Number(accountId), kind: 'incoming-number', id: String(number) };
    },
  },
  'connectors.password': {
    consequence:
      'connectors are disabled until operators set their passwords again and enable them; messages wait',
    async discard({ tx }, [name]) {
      await discardConnectorPassword(tx, String(name));
      return { accountId: NO_ACCOUNT, kind: 'connectors', id: String(name) };
    },
  },
  'number_look_ups.secrets': {
    consequence: 'networks of numbers are not looked up until operators set the look-up again',
    async discard({ tx }) {
      await tx`DELETE FROM number_look_ups`;
      return { accountId: NO_ACCOUNT, kind: LOOK_UP_KIND, id: String(LOOK_UP_ID) };
    },
  },
  'smpp_clients.password': {
    consequence: 'SMPP clients are disabled until their owners set their passwords again and enable them',
    async discard({ tx }, [id]) {
      const accountId = await SmppClients.discardPassword(tx, Number(id));
      return accountId === undefined ? undefined : { accountId, kind: 'smpp-clients', id: Number(id) };
    },
  },
  'messages.secret_text': {
    consequence: 'messages that wait fail with the code TEXT_LOST when they are due, and are refunded',
    async discard({ tx }, [accountId, id]) {
      await SecretTexts.discard(tx, Number(accountId), Number(id));
      return { accountId: Number(accountId), kind: 'messages', id: Number(id) };
    },
  },
  'data_subject_requests.sealed': {
    consequence: 'unfinished exports and erasures fail: owners have to request them again',
    async discard({ tx }, [accountId, id]) {
      await SubjectRequests.discard(tx, Number(accountId), Number(id));
      return { accountId: Number(accountId), kind: 'data-subject-requests', id: Number(id) };
    },
  },
  'send_keys.sealed_answer': {
    consequence:
      'requests of the last 24 hours that are sent again with their send key are refused, and not done twice',
    async discard({ tx }, [accountId, key]) {
      await discardAnswer(tx, Number(accountId), String(key));
      return undefined;
    },
  },
};

/** What is lost, as it is shown before and after it is discarded. */
export interface LostSecrets {
  readonly column: string;
  readonly count: number;
  readonly consequence: string;
}

/** By the sealed columns of all tables, those of channels too; a test shows that each is here. */
export async function allDiscardings(): Promise<Discardings> {
  const ofChannels = Array.from(channels, async ({ file }) => {
    const { discardings = {} } = (await import(file.href)) as { readonly discardings?: Discardings };
    return discardings;
  });
  return Object.assign({}, ofModules, ...(await Promise.all(ofChannels)));
}

export async function describeLost(lost: readonly LostValues[]): Promise<LostSecrets[]> {
  const discardings = await allDiscardings();
  return lost.map(({ column, rows }) => ({
    column,
    count: rows.length,
    consequence: discardings[column]!.consequence,
  }));
}

/** Finds what cannot be opened with the keys of this installation. */
export const findLostSecrets = ({ database, tables, secretKeys }: AppContext): Promise<LostValues[]> =>
  findLostValues(database.sql, tables.sealedColumns, secretKeys.source);

/**
 * Discards what cannot be opened any more, in the transaction of the command, and gives the installation a key that seals
 * from now on. Each row has an entry in the audit log of its account. Throws CommandError while another process runs, which
 * may still have the key.
 */
export async function discardLostSecrets(
  appContext: AppContext,
): Promise<{ lost: LostSecrets[]; keyId: string; forgotten: string[] }> {
  const { database, process, secretKeys, config, people } = appContext;
  const others = (await livingProcesses(database.sql)).filter(({ boot }) => boot !== process.boot);
  if (others.length > 0) {
    throw new CommandError(
      `process ${others.map(({ number }) => number).join(', ')} is running: stop every process first (one that was killed is forgotten after a minute)`,
    );
  }
  const box = keyAfterLoss(secretKeys, config.DATA_DIR);
  const tx = database.sql;
  const events = createEventModule({ ...appContext, secrets: box }, { allowPrivate: false, deliver: false });
  const found = await findLostValues(tx, appContext.tables.sealedColumns, secretKeys.source);
  const discardings = await allDiscardings();
  for (const { column, rows } of found) {
    for (const key of rows) {
      const row = await discardings[column]!.discard({ tx, appContext, box, events }, key);
      if (row) await auditLoss(people, column, row);
    }
  }
  const forgotten = await forgetLostKeys(tx, box);
  const lost = await describeLost(found);
  describeChange(appContext, {
    after: { discarded: Object.fromEntries(lost.map(({ column, count }) => [column, count])) },
  });
  return { lost, keyId: box.keyId, forgotten };
}

/** The entry of a row in the audit log of its account; the operator's has that of the command. */
async function auditLoss(
  { audit }: AppContext['people'],
  column: string,
  { accountId, kind, id }: Discarded,
): Promise<void> {
  await audit.write({
    accountId,
    username: `${CLI_PREFIX}secrets`,
    action: 'secret lost',
    kind,
    id,
    status: 200,
    after: { column },
  });
}
