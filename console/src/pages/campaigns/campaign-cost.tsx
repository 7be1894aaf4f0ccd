import { Muted } from '../../components/text.tsx';
import { Amount, amountText } from '../../components/values.tsx';
import type { Campaign } from '../../features/campaigns/campaign.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

/** Net cost of a campaign, and the refunded amount including released reservations. */
export function CampaignCost({ campaign: { net_cost, refunded } }: { readonly campaign: Campaign }) {
  const { campaigns: t } = useTexts();
  const language = useLanguage();
  return (
    <>
      <Amount value={net_cost} unit />
      {Number(refunded) > 0 && <Muted size="xs">{t.refunded(amountText(refunded, language))}</Muted>}
    </>
  );
}
