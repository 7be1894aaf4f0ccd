import { Select } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.tsx';
import { channelsWith, useChannelName } from './channels.ts';

/** Select for one channel; '' means all channels. `found` contains the channels of the displayed rows. */
export function ChannelFilter({
  value,
  found = [],
  onChange,
}: {
  readonly value: string;
  readonly found?: readonly string[];
  readonly onChange: (channel: string) => void;
}) {
  const { messages: t } = useTexts();
  const nameOf = useChannelName();
  const all = channelsWith(value === '' ? found : [...found, value]);
  return (
    <Select
      label={t.channel}
      placeholder={t.anyChannel}
      data={all.map((channel) => ({ value: channel, label: nameOf(channel) }))}
      value={value || null}
      onChange={(channel) => onChange(channel ?? '')}
      clearable
      w={{ base: '100%', xs: 110 }}
    />
  );
}
