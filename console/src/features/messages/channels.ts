import type { Channel, Failure, FailureTexts } from '../../api/message-types.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** The channels that the console has a name for, in the order in which they are shown. */
const channels: readonly Channel[] = ['sms', 'chat', 'mail', 'voice'];

/** The known channels, followed by any other channels in `found`. */
export const channelsWith = (found: readonly string[]): readonly string[] => [
  ...new Set<string>([...channels, ...found]),
];

/** The names of channels. One that the console does not know is called what the service calls it. */
export function useChannelName(): (channel: string) => string {
  const names: Readonly<Record<string, string>> = useTexts().messages.channels;
  return (channel) => names[channel] ?? channel.charAt(0).toUpperCase() + channel.slice(1);
}

/** Failure reasons in the language of the console, or in the words of the service without a translation. */
export function useFailureTexts(): (failure: Pick<Failure, 'key'> & FailureTexts) => FailureTexts {
  const { words } = useTexts().failures;
  return (failure) => words[failure.key] ?? failure;
}
