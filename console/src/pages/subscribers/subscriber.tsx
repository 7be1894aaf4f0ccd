import type { Answer } from '../../api/operations.ts';
import { StatusBadge } from '../../components/values.tsx';
import { useSubscriberTexts } from './texts.ts';

/** A subscriber as the service shows it. */
export type Subscriber = Answer<'/v1/subscribers'>['subscribers'][number];

export const SUBSCRIBERS = '/v1/subscribers';
export const SUBSCRIBER = '/v1/subscribers/{id}';

/** Whether a subscriber may send, and who suspended it if not. */
export function SubscriberState({ subscriber }: { readonly subscriber: Subscriber }) {
  const t = useSubscriberTexts();
  if (subscriber.suspended) return <StatusBadge tone="warning">{t.suspended}</StatusBadge>;
  if (subscriber.suspended_by_operator) return <StatusBadge tone="bad">{t.suspendedByOperator}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
