import type { MessageState } from '../../api/messages.ts';
import { StatusBadge, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

const tones: Readonly<Record<MessageState, Tone>> = {
  waiting: 'neutral',
  handed_over: 'busy',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  cancelled: 'warning',
};

/** The outcome of a message, in a word. */
export function MessageStateBadge({ state }: { readonly state: MessageState }) {
  const { messages } = useTexts();
  return <StatusBadge tone={tones[state]}>{messages.states[state]}</StatusBadge>;
}
