import { Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { Message } from '../../api/message-types.ts';
import { type KeysetPage, usePages } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { DataTable, RowsTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Section, TextLink } from '../../components/text.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useChannelName } from '../../features/messages/channels.ts';
import { useMessageColumns } from '../../features/messages/columns.tsx';
import { MessagePanel } from '../../features/messages/message-panel.tsx';
import { searchMessages } from '../../features/messages/search.ts';

const ROWS = 25;
const REFETCH_MS = 10_000;
const CONVERSATIONS = 5;
const ANY_CHANNEL = 'any';

/** Numbers and addresses of one person. */
interface OfPerson {
  readonly recipients: readonly string[];
}

/** Every message to a person, on every channel, the newest first. */
export function MessagesTo({ recipients }: OfPerson) {
  const t = useContactTexts();
  const pages = usePages(
    ['messages', 'to', recipients],
    (after) => messagesTo(recipients, after),
    REFETCH_MS,
  );
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Section title={t.everythingSent}>
      <DataTable
        caption={t.everythingSent}
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={useMessageColumns({ open: opened.open, toOne: recipients.length === 1 })}
        empty={<Empty icon={MessagesSquare} title={t.nothingSent} hint={t.nothingSentHint} />}
      />
      {opened.row && <MessagePanel opened={opened} />}
    </Section>
  );
}

/** Returns a page of the messages to several numbers and addresses. Its cursor has the place in the messages to each. */
async function messagesTo(recipients: readonly string[], after?: string): Promise<KeysetPage<Message>> {
  const places = after === undefined ? recipients.map(() => '') : (JSON.parse(after) as (string | null)[]);
  const found = await Promise.all(
    recipients.map(async (phone, index) => {
      const place = places[index];
      if (place === null) return { rows: [], next: null };
      return searchMessages({ phone, limit: ROWS }, place || undefined);
    }),
  );
  const all = found.flatMap(({ rows }, index) => rows.map((row) => ({ row, index })));
  const shown = all
    .toSorted((one, other) => (BigInt(one.row.id) > BigInt(other.row.id) ? -1 : 1))
    .slice(0, ROWS);
  const next = found.map(({ rows, next: following }, index) => {
    const taken = shown.filter((one) => one.index === index);
    if (taken.length === rows.length) return following;
    return taken.at(-1)?.row.id ?? places[index]!;
  });
  return {
    rows: shown.map(({ row }) => row),
    next: next.some((place) => place !== null) ? JSON.stringify(next) : null,
  };
}

/** Consents of a person by channel, for senders and owners. */
export function ConsentsOf({ recipients }: OfPerson) {
  const t = useContactTexts();
  const nameOf = useChannelName();
  const maySee = useMay('sender');
  const found = useQueries({
    queries: recipients.map((subject) => ({
      queryKey: ['post', '/v1/consents/search', subject],
      queryFn: () => client.POST('/v1/consents/search', { body: { subject } }),
      enabled: maySee,
      retry: false,
    })),
  });
  if (!maySee) return null;
  const rows = found.flatMap(({ data }, index) =>
    (data?.standing ?? []).map((standing) => ({ ...standing, subject: recipients[index]! })),
  );
  return (
    <Card title={t.consents}>
      <RowsTable
        caption={t.consents}
        rows={rows}
        empty={t.noConsents}
        rowKey={({ subject, channel, purpose }) => `${subject} ${channel} ${purpose}`}
        columns={[
          {
            title: t.consentTo,
            cell: ({ channel, purpose }) => (
              <>
                {channel === ANY_CHANNEL ? t.anyChannel : nameOf(channel)} · <bdi>{purpose}</bdi>
              </>
            ),
          },
          { title: t.recipient, wideOnly: true, cell: ({ subject }) => <bdi dir="ltr">{subject}</bdi> },
          {
            title: t.state,
            cell: ({ action }) => (
              <StatusBadge tone={action === 'given' ? 'good' : 'warning'}>
                {t.consentActions[action]}
              </StatusBadge>
            ),
          },
          { title: t.when, align: 'end', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  );
}

/** The latest conversations with a person. */
export function ConversationsWith({ recipients }: OfPerson) {
  const t = useContactTexts();
  const mayOpen = useMay('agent');
  const found = useQueries({
    queries: recipients.map((search) => ({
      queryKey: ['get', '/v1/conversations', { search, limit: CONVERSATIONS }],
      queryFn: () => client.GET('/v1/conversations', { query: { search, limit: CONVERSATIONS } }),
      enabled: mayOpen,
      retry: false,
    })),
  });
  const all = found
    .flatMap(({ data }) => data?.conversations ?? [])
    .filter(({ client: of }) => recipients.includes(of));
  if (all.length === 0) return null;
  return (
    <Card title={t.conversations}>
      <Stack gap="xs">
        {all.map(({ id, sender, last_text: text, last_at: at }) => (
          <div key={id}>
            <TextLink href={`/conversations?id=${id}`} fw={500}>
              <bdi dir="ltr">{sender}</bdi>
            </TextLink>{' '}
            <Muted span>
              <Time at={at} />
            </Muted>
            {text !== null && (
              <Muted lineClamp={1} dir="auto" ta="start">
                {text}
              </Muted>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  );
}
