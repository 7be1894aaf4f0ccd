import type { AlertKind, Condition } from '../condition.ts';
import { backupAge } from './backup-age.ts';
import { codeFraud } from './code-fraud.ts';
import { connectorDown } from './connector-down.ts';
import { connectorDeliveryRate, deliveryRate } from './delivery-rate.ts';
import { disk } from './disk.ts';
import { eventBacklog } from './event-backlog.ts';
import { lowBalance } from './low-balance.ts';
import { quarantine } from './quarantine.ts';
import { queueAge } from './queue-age.ts';
import { webhook } from './webhook.ts';

const all: readonly Condition[] = [
  lowBalance,
  deliveryRate,
  webhook,
  codeFraud,
  queueAge,
  connectorDown,
  connectorDeliveryRate,
  eventBacklog,
  quarantine,
  disk,
  backupAge,
];

const byKind = new Map(all.map((condition) => [condition.kind, condition]));

/** The condition of a kind. */
export const conditionOf = (kind: AlertKind): Condition => byKind.get(kind)!;

/** The conditions that rules of accounts can have, or with true the operator's. */
export const conditionsOf = (isOperator: boolean): readonly Condition[] =>
  all.filter(({ of }) => of.includes(isOperator ? 'operator' : 'account'));
