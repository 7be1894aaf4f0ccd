import { Group } from '@mantine/core';
import { Card } from '../../components/card.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useChannelName } from '../messages/channels.ts';
import { type ListedCampaign, startOf, stateTones, useLiveCampaigns } from './campaign.ts';
import { useCampaignName } from './campaign-name.ts';
import { ProgressBar, ProgressText } from './campaign-progress.tsx';

/** The latest campaigns that are scheduled, running or paused. */
export default function UnderWay({ campaigns }: { readonly campaigns: readonly ListedCampaign[] }) {
  const { campaigns: t, overview } = useTexts();
  const { latest } = useLiveCampaigns(campaigns);
  return (
    <Card
      title={t.underWay}
      actions={
        <TextLink href="/campaigns" size="sm">
          {overview.allChannels}
        </TextLink>
      }
    >
      <ul className="plain-list campaigns-under-way">
        {campaigns.map((campaign) => (
          <OneUnderWay key={campaign.id} campaign={latest(campaign)} />
        ))}
      </ul>
    </Card>
  );
}

function OneUnderWay({ campaign }: { readonly campaign: ListedCampaign }) {
  const { campaigns: t } = useTexts();
  const nameOf = useChannelName();
  const name = useCampaignName(campaign);
  const { id, channel, state } = campaign;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <TextLink href={`/campaigns/${id}`} fw={600} size="sm" truncate>
          <bdi>{name}</bdi>
        </TextLink>
        <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge>
      </Group>
      {state !== 'scheduled' && <ProgressBar campaign={campaign} size="sm" />}
      <Group gap="xs" justify="space-between">
        {state === 'scheduled' ? (
          <Muted size="xs">
            {t.begins} <Time at={startOf(campaign)} />
          </Muted>
        ) : (
          <ProgressText campaign={campaign} />
        )}
        <Muted size="xs">{nameOf(channel)}</Muted>
      </Group>
    </li>
  );
}
