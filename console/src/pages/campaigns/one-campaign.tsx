import { useParams } from 'wouter';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { type CampaignDetail, useLiveCampaigns } from '../../features/campaigns/campaign.ts';
import { useCampaignName } from '../../features/campaigns/campaign-name.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CampaignButtons, CampaignLead, CampaignView, useCampaign } from './campaign-view.tsx';
import { FailedRecipients } from './failed-recipients.tsx';

/** One campaign: its progress, the outcomes of its messages, the reasons of failures, and what its channel adds. */
export default function OneCampaign() {
  const { campaigns: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const { query, isSingle } = useCampaign(id);
  if (!query.data) {
    return (
      <Page title={t.noName(id)}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  return <Shown key={id} read={query.data} isSingle={isSingle} />;
}

function Shown({ read, isSingle }: { readonly read: CampaignDetail; readonly isSingle: boolean }) {
  const { latest, keep } = useLiveCampaigns([read]);
  const campaign = latest(read);
  const { id, progress } = campaign;
  return (
    <Page
      title={useCampaignName(campaign)}
      lead={<CampaignLead campaign={campaign} />}
      actions={<CampaignButtons campaign={campaign} isSingle={isSingle} onChange={keep} />}
    >
      <CampaignView campaign={campaign} isSingle={isSingle} />
      {progress !== null && progress.failed > 0 && !isSingle && <FailedRecipients id={id} />}
    </Page>
  );
}
