import { RingChart } from '../../components/charts/ring-chart.tsx';
import type { Campaign } from '../../features/campaigns/campaign.ts';
import { outcomesOf } from '../../features/campaigns/campaign-progress.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

/** Ring chart of the outcomes of a campaign. The legend has the same figures as text. */
export function OutcomeChart({ campaign }: { readonly campaign: Campaign }) {
  const texts = useTexts();
  const language = useLanguage();
  const parts = outcomesOf(campaign, texts).map(({ label, count, colour }) => ({
    text: `${label} ${count.toLocaleString(language)}`,
    value: count,
    color: `mantine-color-${colour.replace('.', '-')}`,
  }));
  return (
    <div role="img" aria-label={texts.campaigns.chartOf(parts.map(({ text }) => text).join(', '))}>
      <RingChart parts={parts} />
    </div>
  );
}
