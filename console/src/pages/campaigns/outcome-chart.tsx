import { RingChart } from '../../components/charts/ring-chart.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { Campaign } from './campaign.ts';
import { outcomesOf } from './campaign-progress.tsx';

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
