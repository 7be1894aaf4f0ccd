import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Subscriber } from './subscriber.ts';

/** Whether a subscriber may send, and who has stopped it if not. */
export function SubscriberState({ subscriber }: { readonly subscriber: Subscriber }) {
  const { subscribers: t } = useTexts();
  if (subscriber.suspended) return <StatusBadge tone="warning">{t.suspended}</StatusBadge>;
  if (subscriber.suspended_by_operator) {
    return <StatusBadge tone="bad">{t.suspendedByOperator}</StatusBadge>;
  }
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
