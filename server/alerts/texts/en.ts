import { connectorFaultTexts } from '../../connector-fault-texts.ts';
import type { FaultReason } from '../../connector-faults.ts';
import type { Measured } from '../condition.ts';
import type { AlertWords } from './words.ts';

/** The cause of a connector that is down, with the text of the protocol; '' when it is not known. */
const causeOf = ({ reason, detail }: Measured): string => {
  if (reason === undefined) return '';
  return `: ${connectorFaultTexts.en[reason as FaultReason]}${detail ? ` (${detail})` : ''}`;
};

export const en: AlertWords = {
  began: 'Alert',
  ended: 'Resolved',
  test: 'Test alert',
  holds: {
    'low-balance': ({ account, balance, below }) =>
      `The balance of ${account} is ${balance} credits (threshold ${below})`,
    'delivery-rate': ({ subject, rate, usual, messages }) =>
      `Delivery to ${subject} fell to ${rate} % (usually ${usual} %, ${messages} messages)`,
    'connector-delivery-rate': ({ subject, rate, usual, messages }) =>
      `Delivery over the connector ${subject} fell to ${rate} % (usually ${usual} %, ${messages} messages)`,
    webhook: ({ host, state, account }) =>
      `The webhook to ${host}${account ? ` of the account ${account}` : ''} ${state === 'off' ? 'was switched off' : 'is failing'}`,
    'code-fraud': ({ prefix, stopped }) => `The fraud guard stopped ${stopped} sends to ${prefix}`,
    'queue-age': ({ lane, minutes, messages }) =>
      `${messages} messages have been waiting for up to ${minutes} minutes (lane ${lane})`,
    'connector-down': ({ connector, state, ...cause }) =>
      state === 'free'
        ? `No process holds the connector ${connector}`
        : `The connector ${connector} is down${causeOf(cause)}`,
    'event-backlog': ({ minutes, events }) =>
      `${events} webhook events have been waiting for up to ${minutes} minutes`,
    quarantine: ({ results }) => `${results} results are in quarantine`,
    disk: ({ free_percent }) => `${free_percent} % of the disk is free`,
    'backup-age': ({ hours }) =>
      hours === 'never' ? 'There is no backup' : `The last backup is ${hours} hours old`,
  },
  times: (times) => `It began ${times} times since the last message.`,
  more: (count) => `and ${count} more`,
  since: (at) => `Since ${at}`,
  from: (from, to) => `From ${from} to ${to}`,
  account: (name) => `Account: ${name}`,
  rule: (name) => `Rule: ${name}`,
  seeConsole: (link) => `Rules and history: ${link}`,
  isTest: 'Somebody tests the rule. Nothing is wrong.',
};
