import { Group, Text } from '@mantine/core';
import type { Message } from '../../api/message-types.ts';
import type { Column } from '../../components/data-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { RowTime } from '../../components/row-time.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount, Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChannelIcon } from './channel-icon.tsx';
import { useChannelName, useFailureTexts } from './channels.ts';
import { MessageStateBadge } from './state.tsx';

/**
 * Columns of a table of messages. A message opens in the side panel, and on phones on its page. `latest` returns the current
 * state of a message; with `toOne`, the channel identifies a row because all messages have the same recipient.
 */
export function useMessageColumns({
  open,
  latest = (message) => message,
  toOne = false,
}: {
  readonly open: (message: Message) => void;
  readonly latest?: (message: Message) => Message;
  readonly toOne?: boolean;
}): (Column<Message> | false)[] {
  const { messages: t, common } = useTexts();
  const nameOf = useChannelName();
  return [
    {
      title: toOne ? t.oneTitle : t.to,
      onPhone: 'title',
      cell: (row) => (
        <RowLink href={`/messages/${row.id}`} fw={600} onOpen={() => open(row)}>
          {toOne ? nameOf(row.channel) : <CutPhone number={row.phone} />}
        </RowLink>
      ),
    },
    { title: t.state, onPhone: 'start', cell: (row) => <StateCell message={latest(row)} /> },
    {
      title: t.text,
      width: '28%',
      cut: true,
      onPhone: 'text',
      cell: (row) => (
        <Text size="sm" dir="auto" className="foreign-text" {...(!row.text && { c: 'dimmed' })}>
          {row.text || (row.text_removed ? t.textRemoved : '–')}
        </Text>
      ),
    },
    {
      title: t.from,
      wideOnly: 'widest',
      cell: (row) => <CutPhone number={row.source} />,
    },
    !toOne && {
      title: t.channel,
      hiddenTitle: true,
      onPhone: 'mark',
      cell: (row) => (
        <Group c="dimmed">
          <ChannelIcon channel={row.channel} />
        </Group>
      ),
    },
    {
      title: common.inCredits(t.price),
      align: 'end',
      wideOnly: 'widest',
      cell: (row) => <Amount value={row.price} />,
    },
    {
      title: t.accepted,
      onPhone: 'end',
      cell: (row) => (
        <Muted span>
          <RowTime at={row.accepted_at} />
        </Muted>
      ),
    },
  ];
}

/** A number, address or sender, which may be long. */
const CutPhone = (phone: { readonly number: string }) => (
  <span className="cell-cut foreign-text" dir="ltr">
    <Phone {...phone} />
  </span>
);

function StateCell({ message }: { readonly message: Message }) {
  const textsOf = useFailureTexts();
  const { state, channel, failure } = message;
  const why = state === 'failed' && failure ? textsOf(failure).why : undefined;
  return (
    <Group gap={6} wrap="nowrap">
      <MessageStateBadge state={state} channel={channel} />
      {why !== undefined && (
        <Muted size="xs" lineClamp={1} maw={240} title={why} className="hidden-on-phones">
          {why}
        </Muted>
      )}
    </Group>
  );
}
