import { Text } from '@mantine/core';
import type { Message } from '../../api/message-types.ts';
import type { Column } from '../../components/data-table.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useChannelName, useFailureTexts } from './channels.ts';
import { MessageStateBadge } from './state.tsx';

/**
 * Columns of a table of messages. `latest` returns the current state of a message; with `toOne`, the channel identifies a
 * row because all messages have the same recipient.
 */
export function useMessageColumns(
  latest: (message: Message) => Message = (message) => message,
  toOne = false,
): Column<Message>[] {
  const { messages: t } = useTexts();
  const nameOf = useChannelName();
  return [
    {
      title: toOne ? t.oneTitle : t.to,
      cell: (row) => (
        <TextLink href={`/messages/${row.id}`} fw={600}>
          {toOne ? nameOf(row.channel) : <Phone number={row.phone} />}
        </TextLink>
      ),
    },
    { title: t.state, cell: (row) => <StateCell message={latest(row)} /> },
    {
      title: t.text,
      wideOnly: true,
      cell: (row) => (
        <Text size="sm" lineClamp={1} maw={340} dir="auto" {...(!row.text && { c: 'dimmed' })}>
          {row.text || (row.text_removed ? t.textRemoved : '–')}
        </Text>
      ),
    },
    {
      title: t.from,
      wideOnly: true,
      cell: (row) => (
        <Text size="sm" span>
          <Phone number={row.source} />
          <Muted size="xs" component="div">
            {nameOf(row.channel)}
          </Muted>
        </Text>
      ),
    },
    { title: t.price, align: 'end', wideOnly: true, cell: (row) => <Amount value={row.price} /> },
    {
      title: t.accepted,
      cell: (row) => (
        <Text size="sm" span>
          <Time at={row.accepted_at} />
        </Text>
      ),
    },
  ];
}

function StateCell({ message }: { readonly message: Message }) {
  const textsOf = useFailureTexts();
  const { state, channel, failure } = message;
  return (
    <>
      <MessageStateBadge state={state} channel={channel} />
      {state === 'failed' && failure && (
        <Muted size="xs" mt={4} lineClamp={2} maw={280}>
          {textsOf(failure).why}
        </Muted>
      )}
    </>
  );
}
