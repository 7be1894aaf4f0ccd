import { Stack } from '@mantine/core';
import { Megaphone, Send } from 'lucide-react';
import { useList } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { writtenText } from '../../components/direction.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useOpened } from '../../components/use-opened.ts';
import { Phone, StatusBadge, Time } from '../../components/values.tsx';
import {
  type Campaign,
  type ListedCampaign,
  startOf,
  stateTones,
  useLiveCampaigns,
} from '../../features/campaigns/campaign.ts';
import { useCampaignName } from '../../features/campaigns/campaign-name.ts';
import { ProgressBar, ProgressText } from '../../features/campaigns/campaign-progress.tsx';
import { useChannelField } from '../../features/messages/channel-field.ts';
import { useChannelName } from '../../features/messages/channels.ts';
import { useOtherTexts } from '../../features/messages/other-message.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignCost } from './campaign-cost.tsx';
import { CampaignPanel } from './campaign-panel.tsx';
import { Drafts } from './draft-list.tsx';

const ROWS = 20;
const REFETCH_MS = 15_000;

/** Campaigns of every channel, with bars that move. */
export default function Campaigns() {
  const { campaigns: t } = useTexts();
  const maySend = useMay('sender');
  const filters = useFilters(['name', 'channel']);
  const { name, channel } = filters.values;
  const pages = useList('/v1/campaigns', ({ campaigns }) => campaigns, {
    query: { name, channel: channel as Campaign['channel'] | '', limit: ROWS },
    refetchMs: REFETCH_MS,
  });
  const { latest, keep } = useLiveCampaigns(pages.rows ?? []);
  const channelField = useChannelField(channel, pages.rows);
  const sendButton = maySend && (
    <Action icon={Send} mirrored href={channel === '' ? '/send' : `/send?channel=${channel}`}>
      {t.send}
    </Action>
  );
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Page lead={t.lead} actions={sendButton}>
      {maySend && <Drafts />}
      <FilterBar filters={filters} fields={[channelField]}>
        <SearchField
          key={String(name === '')}
          label={t.find}
          value={name}
          onSearch={(text) => filters.set('name', text)}
          maxLength={50}
          {...writtenText}
        />
      </FilterBar>
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={[
          {
            title: t.name,
            onPhone: 'title',
            cell: (row) => <NameCell campaign={latest(row)} onOpen={() => opened.open(row)} />,
          },
          {
            title: t.progress,
            onPhone: 'text',
            width: '34%',
            cell: (row) => (
              <Stack gap={4} className="campaign-progress">
                <ProgressBar campaign={latest(row)} />
                <ProgressText campaign={latest(row)} />
              </Stack>
            ),
          },
          {
            title: t.state,
            onPhone: 'end',
            cell: (row) => (
              <StatusBadge tone={stateTones[latest(row).state]}>{t.states[latest(row).state]}</StatusBadge>
            ),
          },
          {
            title: t.cost,
            align: 'end',
            cell: (row) => <CampaignCost campaign={latest(row)} />,
          },
          {
            title: t.actions,
            align: 'end',
            cell: (row) => <CampaignActions campaign={latest(row)} compact onChange={keep} />,
          },
        ]}
        empty={
          <Empty filters={filters} icon={Megaphone} title={t.none} action={sendButton} hint={t.noneHint} />
        }
      />
      <CampaignPanel opened={opened} latest={latest} onChange={keep} />
    </Page>
  );
}

function NameCell({ campaign, onOpen }: { readonly campaign: ListedCampaign; readonly onOpen: () => void }) {
  const nameOf = useChannelName();
  const name = useCampaignName(campaign);
  const { seconds } = useOtherTexts();
  const { id, source, channel, accepted_at, state, fallback_for } = campaign;
  return (
    <>
      <RowLink href={`/campaigns/${id}`} fw={600} onOpen={onOpen}>
        <bdi>{name}</bdi>
      </RowLink>
      <Muted size="xs">
        {nameOf(channel)}
        {fallback_for !== null && ` · ${seconds}`}
        {source !== null && (
          <>
            {' '}
            · <Phone number={source} />
          </>
        )}{' '}
        · <Time at={state === 'scheduled' ? startOf(campaign) : accepted_at} />
      </Muted>
    </>
  );
}
