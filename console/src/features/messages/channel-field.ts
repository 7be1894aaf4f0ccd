import type { FilterField } from '../../components/filter-bar.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { channelsWith, useChannelName } from './channels.ts';

/** Filter of a list by one channel. Channels of the displayed rows can be chosen too, if the console does not know them. */
export function useChannelField(
  chosen: string,
  rows: readonly { readonly channel: string }[] = [],
): FilterField<'channel'> {
  const { messages: t } = useTexts();
  const nameOf = useChannelName();
  const found = rows.map(({ channel }) => channel);
  const all = channelsWith(chosen === '' ? found : [...found, chosen]);
  return {
    kind: 'choice',
    name: 'channel',
    label: t.channel,
    choices: all.map((value) => ({ value, label: nameOf(value) })),
  };
}
