import type { Channel, MessageState } from '../../api/message-types.ts';
import { StatusBadge, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const tones: Readonly<Record<MessageState, Tone>> = {
  waiting: 'neutral',
  submitted: 'busy',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  cancelled: 'warning',
};

/** The outcome of a message, in a word of its channel. */
export function MessageStateBadge({
  state,
  channel,
}: {
  readonly state: MessageState;
  readonly channel: Channel;
}) {
  const { messages } = useTexts();
  const text = messages.statesOf[channel]?.[state] ?? messages.states[state];
  return <StatusBadge tone={tones[state]}>{text}</StatusBadge>;
}
