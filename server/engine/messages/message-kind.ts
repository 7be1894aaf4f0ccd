import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import type { MessageKind } from '../carriers/route-conditions.ts';
import { type Lane, lanes } from './lanes.ts';

/** Returns what the messages of a send are, by their lane and the sending rule of their shipment. */
export function kindOf(lane: Lane, rule: SendingRule | null): MessageKind {
  if (lane === lanes.otp) return 'code';
  const isExempt = rule !== null && 'exempt' in rule;
  return lane === lanes.bulk && !isExempt ? 'marketing' : 'transactional';
}
