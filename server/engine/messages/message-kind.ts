import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { MessageKind } from '../carriers/route-conditions.ts';
import { type Lane, lanes } from './lanes.ts';

/** Whether the messages of a lane are one-time codes. */
export const isCode = (lane: Lane): boolean => lane === lanes.otp;

/** Returns what the messages of a send are, by their lane and the sending rule of their shipment. */
export function kindOf(lane: Lane, rule: SendingRule | null): MessageKind {
  if (isCode(lane)) return 'code';
  const isExempt = rule !== null && 'exempt' in rule;
  return lane === lanes.bulk && !isExempt ? 'marketing' : 'transactional';
}
