import type { Condition } from '../condition.ts';
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

/** Every kind of rule, in the order in which APIs name them. */
const all = [
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
] as const;

export type AlertKind = (typeof all)[number]['kind'];

/** Everything that rules can be about. */
export const alertKinds = all.map(({ kind }) => kind) as [AlertKind, ...AlertKind[]];

/** Every condition. */
export const conditions: readonly Condition<AlertKind>[] = all;

const byKind = new Map<AlertKind, Condition<AlertKind>>(all.map((condition) => [condition.kind, condition]));

/** The condition of a kind. */
export const conditionOf = (kind: AlertKind): Condition<AlertKind> => byKind.get(kind)!;

/** Conditions that rules of accounts, or with `true` of the operator, can have. Kinds that only they have come first. */
export const conditionsOf = (isOperator: boolean): readonly Condition<AlertKind>[] =>
  conditions
    .filter(({ of }) => of.includes(isOperator ? 'operator' : 'account'))
    .toSorted((one, other) => one.of.length - other.of.length);
