import { Box, Stack, TextInput } from '@mantine/core';
import { Megaphone, Search, Send } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { usePages } from '../../api/pages.ts';
import { atLeast } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { writtenText } from '../../components/direction.ts';
import { FilterBar, isOneOf, NothingFound, useFilters } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { ProgressBar, ProgressText } from '../../features/campaigns/progress.tsx';
import { isOpen, type Shipment, stateTones } from '../../features/campaigns/shipment.ts';
import { ChannelFilter, channels } from '../../features/messages/channel-filter.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { ShipmentActions } from './shipment-actions.tsx';
import '../../features/campaigns/campaigns.css';

/** As many as one stream can watch. */
const ROWS = 20;
const REFETCH_MS = 15_000;

/** Sends to many of every channel, with bars that move. */
export default function Campaigns() {
  const { campaigns: t } = useTexts();
  const { role } = useSession();
  const filters = useFilters(['name', 'channel']);
  const { name, channel } = filters.values;
  const [fresh, setFresh] = useState<Readonly<Record<string, Shipment>>>({});
  const query = {
    ...(name !== '' && { name }),
    ...(isOneOf(channels, channel) && { channel }),
    limit: ROWS,
  };
  const pages = usePages(
    ['get', '/v1/shipments', query],
    async (after) => {
      const { data } = await client.GET('/v1/shipments', {
        params: { query: { ...query, ...(after !== undefined && { after }) } },
      });
      setFresh({});
      return { rows: data!.shipments, next: data!.next };
    },
    REFETCH_MS,
  );
  const keep = (shipment: Shipment) => setFresh((before) => ({ ...before, [shipment.id]: shipment }));
  const open = (pages.rows ?? []).filter(isOpen);
  useLive({ shipments: open.map(({ id }) => id).join() }, { shipment: (data) => keep(data as Shipment) });
  const latest = (row: Shipment) => fresh[row.id] ?? row;
  const sendButton = atLeast(role, 'sender') && (
    <Action icon={Send} mirrored href="/send">
      {t.send}
    </Action>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={sendButton}>
      <FilterBar filters={filters}>
        <NameFilter key={name} value={name} onSearch={(value) => filters.set('name', value)} />
        <ChannelFilter value={channel} onChange={(value) => filters.set('channel', value)} />
      </FilterBar>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          { title: t.name, cell: (row) => <NameCell shipment={latest(row)} /> },
          {
            title: t.progress,
            width: '34%',
            cell: (row) => (
              <Stack gap={4} className="campaign-progress">
                <ProgressBar shipment={latest(row)} />
                <ProgressText shipment={latest(row)} />
              </Stack>
            ),
          },
          {
            title: t.state,
            wideOnly: true,
            cell: (row) => (
              <StatusBadge tone={stateTones[latest(row).state]}>{t.states[latest(row).state]}</StatusBadge>
            ),
          },
          { title: t.cost, align: 'end', wideOnly: true, cell: (row) => <Amount value={latest(row).cost} /> },
          {
            title: t.actions,
            wideOnly: true,
            align: 'end',
            cell: (row) => <ShipmentActions shipment={latest(row)} compact onChange={keep} />,
          },
        ]}
        empty={
          <NothingFound filters={filters}>
            <Empty icon={Megaphone} title={t.none} action={sendButton}>
              {t.noneHint}
            </Empty>
          </NothingFound>
        }
      />
    </Page>
  );
}

function NameCell({ shipment }: { readonly shipment: Shipment }) {
  const { campaigns: t, messages } = useTexts();
  const { id, campaign_name, source, channel, accepted_at, due_at, state } = shipment;
  return (
    <>
      <TextLink href={channel === 'mail' ? `/mail-campaigns/${id}` : `/campaigns/${id}`} fw={600}>
        <bdi>{campaign_name ?? t.noName(id)}</bdi>
      </TextLink>
      <Muted size="xs">
        {messages.channels[channel]}
        {source !== null && (
          <>
            {' '}
            · <Phone number={source} />
          </>
        )}{' '}
        · <Time at={state === 'scheduled' ? due_at : accepted_at} />
      </Muted>
      <Box hiddenFrom="sm" mt={4}>
        <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge>
      </Box>
    </>
  );
}

function NameFilter({
  value,
  onSearch,
}: {
  readonly value: string;
  readonly onSearch: (name: string) => void;
}) {
  const { campaigns: t } = useTexts();
  const [typed, setTyped] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <TextInput
        type="search"
        label={t.find}
        {...writtenText}
        leftSection={<Search size={16} aria-hidden />}
        maxLength={50}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        w={{ base: '100%', xs: 260 }}
      />
    </form>
  );
}
