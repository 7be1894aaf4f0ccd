import type { Channel, Failure, FailureTexts } from '../../api/messages.ts';
import { useTexts } from '../../i18n/texts.tsx';

/** The channels that the console has a name for, in the order in which they are shown. */
const channels: readonly Channel[] = ['sms', 'chat', 'mail', 'voice'];

/** Those, and whatever other channels of the service are among `found`. */
export const channelsWith = (found: readonly string[]): readonly string[] => [
  ...new Set<string>([...channels, ...found]),
];

/** The names of channels. One that the console does not know is called what the service calls it. */
export function useChannelName(): (channel: string) => string {
  const names: Readonly<Record<string, string>> = useTexts().messages.channels;
  return (channel) => names[channel] ?? channel.charAt(0).toUpperCase() + channel.slice(1);
}

/** Why messages fail, in the language of the console; where it has none, in the words of the service. */
export function useFailureTexts(): (failure: Pick<Failure, 'key'> & FailureTexts) => FailureTexts {
  const { words } = useTexts().failures;
  return (failure) => words[failure.key] ?? failure;
}
