import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { NothingFound } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { SubscriberActions } from './actions.tsx';
import { AddSubscriber } from './add-subscriber.tsx';
import { SubscriberState } from './state.tsx';

const ROWS = 50;

/** The accounts under the account, with their balances. */
export default function Subscribers() {
  const { subscribers: t } = useTexts();
  const { role, acting } = useSession();
  // An owner who works as a subscriber of his: there is nothing below that.
  if (acting && role !== 'operator') {
    return (
      <Page title={t.title}>
        <Empty>{t.notHere}</Empty>
      </Page>
    );
  }
  return <OfAccount mayChange={atLeast(role, 'owner')} />;
}

function OfAccount({ mayChange }: { readonly mayChange: boolean }) {
  const { subscribers: t } = useTexts();
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), 250);
  const pages = usePages(['get', '/v1/subscribers', search], async (after) => {
    const { data } = await client.GET('/v1/subscribers', {
      params: { query: { limit: ROWS, search, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.subscribers, next: data!.next };
  });
  const add = (
    <Button leftSection={<UserPlus size={17} />} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={mayChange && add}>
      <TextInput
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<Search size={16} />}
        maw={340}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (row) => (
              <>
                <Anchor component={Link} href={`/subscribers/${row.id}`} fw={600} size="sm">
                  <bdi>{row.name}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  <bdi dir="ltr">{row.username}</bdi>
                </Text>
              </>
            ),
          },
          {
            key: 'state',
            title: t.state,
            cell: (row) => <SubscriberState subscriber={row} />,
            wideOnly: true,
          },
          {
            key: 'since',
            title: t.since,
            cell: (row) => <Time at={row.created_at} to="date" />,
            wideOnly: true,
          },
          { key: 'balance', title: t.balance, align: 'end', cell: (row) => <Amount value={row.balance} /> },
          ...(mayChange
            ? [
                {
                  key: 'actions',
                  title: '',
                  align: 'end' as const,
                  width: 56,
                  cell: (row: Parameters<typeof SubscriberActions>[0]['subscriber']) => (
                    <SubscriberActions subscriber={row} />
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <NothingFound filters={{ any: search !== '' }}>
            <Empty title={t.none} action={mayChange && add}>
              {t.noneHint}
            </Empty>
          </NothingFound>
        }
      />
      <AddSubscriber opened={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}
