import { Select } from '@mantine/core';
import type { Channel } from '../../api/messages.ts';
import { useTexts } from '../../i18n/texts.tsx';

export const channels: readonly Channel[] = ['sms', 'chat', 'mail', 'voice'];

/** A choice of one channel; '' is all of them. */
export function ChannelFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (channel: string) => void;
}) {
  const { messages: t } = useTexts();
  return (
    <Select
      label={t.channel}
      placeholder={t.anyChannel}
      data={channels.map((channel) => ({ value: channel, label: t.channels[channel] }))}
      value={channels.find((channel) => channel === value) ?? null}
      onChange={(channel) => onChange(channel ?? '')}
      clearable
      w={{ base: '100%', xs: 110 }}
    />
  );
}
