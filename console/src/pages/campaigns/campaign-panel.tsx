import { Stack } from '@mantine/core';
import { SidePanel } from '../../components/side-panel.tsx';
import { Fetched } from '../../components/states.tsx';
import type { Opened } from '../../components/use-opened.ts';
import type { Campaign, CampaignDetail, ListedCampaign } from '../../features/campaigns/campaign.ts';
import { useCampaignName } from '../../features/campaigns/campaign-name.ts';
import { CampaignButtons, CampaignLead, CampaignView, useCampaign } from './campaign-view.tsx';

/** The open campaign of the list, in the side panel. Its page also has the failed recipients. */
export function CampaignPanel({
  opened,
  latest,
  onChange,
}: {
  readonly opened: Opened<ListedCampaign>;
  /** Returns the current state of a campaign of the list. */
  readonly latest: (row: ListedCampaign) => ListedCampaign;
  readonly onChange: (campaign: Campaign) => void;
}) {
  return opened.row ? <Shown row={latest(opened.row)} opened={opened} onChange={onChange} /> : null;
}

function Shown({
  row,
  opened,
  onChange,
}: {
  readonly row: ListedCampaign;
  readonly opened: Opened<ListedCampaign>;
  readonly onChange: (campaign: Campaign) => void;
}) {
  const { id } = row;
  const { query } = useCampaign(id);
  // The live stream of the list knows more than the last answer.
  const campaign: CampaignDetail | undefined = query.data && { ...query.data, ...row };
  const path = `/campaigns/${id}`;
  return (
    <SidePanel
      opened={opened}
      title={useCampaignName(row)}
      id={id}
      json={campaign}
      link={path}
      page={path}
      foot={campaign && <CampaignButtons campaign={campaign} isSingle={false} onChange={onChange} />}
    >
      <Fetched query={query}>
        {() =>
          campaign && (
            <Stack gap="lg">
              <CampaignLead campaign={campaign} />
              <CampaignView campaign={campaign} isSingle={false} isNarrow />
            </Stack>
          )
        }
      </Fetched>
    </SidePanel>
  );
}
