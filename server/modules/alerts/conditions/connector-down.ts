import { listConnectorStates } from '../../../engine/dispatch/connector-states.ts';
import { connectorFaultTexts } from '../../../kit/connector-fault-texts.ts';
import type { FaultReason } from '../../../kit/connector-faults.ts';
import { type AlertLanguage, defineCondition, type Measured } from '../condition.ts';

/** The cause of a connector that is down, with the text of the protocol; '' when it is not known. */
const causeOf = (language: AlertLanguage, { reason, detail }: Measured): string =>
  reason === undefined
    ? ''
    : `: ${connectorFaultTexts[language][reason as FaultReason]}${detail ? ` (${detail})` : ''}`;

/** A connector to a carrier is down, or no process holds it. */
export const connectorDown = defineCondition({
  kind: 'connector-down',
  of: ['operator'],
  reads: [],
  thresholds: {},
  forMinutes: 2,
  example: {
    subject: 'carrier',
    measured: { connector: 'carrier', state: 'down', reason: 'access', detail: 'bind: ESME_RINVPASWD' },
  },
  holds: {
    en: ({ connector, state, ...cause }) =>
      state === 'free'
        ? `No process holds the connector ${connector}`
        : `The connector ${connector} is down${causeOf('en', cause)}`,
    he: ({ connector, state, ...cause }) =>
      state === 'free'
        ? `אף תהליך אינו מחזיק בחיבור ${connector}`
        : `החיבור ${connector} מנותק${causeOf('he', cause)}`,
  },
  async measure({ sql, network }, rules) {
    const enabled = new Set([...network.smsConnectors(), ...network.callTrunks()].map(({ name }) => name));
    const states = await listConnectorStates(sql);
    const down = states.filter(
      // A removed business number has no holder either, so `free` counts only for configured connectors and trunks.
      ({ name, state }) => state === 'down' || (state === 'free' && enabled.has(name)),
    );
    return rules.flatMap(({ id }) =>
      down.map(({ name, state, problem }) => ({
        ruleId: id,
        subject: name,
        measured: {
          connector: name,
          state,
          ...(problem && { reason: problem.reason, detail: problem.detail }),
        },
      })),
    );
  },
});
