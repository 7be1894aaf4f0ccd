import { Ban, Check, CheckCheck, CircleAlert, Clock3 } from 'lucide-react';
import type { MessageState } from '../../api/message-types.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const icons = {
  waiting: Clock3,
  submitted: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  cancelled: Ban,
} satisfies Record<MessageState, unknown>;

/** How far a message is, as phones show it; its name for those who do not see it. */
export function Ticks({ state }: { readonly state: MessageState }) {
  const { conversations: t } = useTexts();
  const Icon = icons[state];
  return (
    <span className="ticks" data-state={state} title={t.ticks[state]}>
      <Icon size={14} role="img" aria-label={t.ticks[state]} />
    </span>
  );
}
