import { type AlertKind, conditionOf } from './conditions/index.ts';
import type { ToldAlert } from './notifications.ts';

/** Example alert for a test of a rule of this kind. */
export const exampleOf = (kind: AlertKind, id: number, now: number): ToldAlert => ({
  id,
  kind,
  ...conditionOf(kind).example,
  beganAt: now,
  endedAt: null,
  times: 1,
});
