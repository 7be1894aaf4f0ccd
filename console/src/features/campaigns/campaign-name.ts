import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useHides } from '../../components/hidden-note.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Campaign } from './campaign.ts';

/** Display name of a campaign: its name, else the subject of its emails, else its id. */
export function useCampaignName({
  id,
  channel,
  campaign_name,
}: Pick<Campaign, 'id' | 'channel' | 'campaign_name'>): string {
  const { campaigns: t } = useTexts();
  const hides = useHides('message-text');
  const mail = useAnswer('/v1/mail/campaigns/{id}', byId(id), {
    enabled: campaign_name === null && channel === 'mail' && !hides,
  });
  return campaign_name ?? mail.data?.subject ?? t.noName(id);
}
