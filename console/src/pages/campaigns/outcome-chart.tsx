import { DonutChart } from '@mantine/charts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { Campaign } from './campaign.ts';
import { outcomesOf } from './campaign-progress.tsx';
import '@mantine/charts/styles.css';

/** Ring chart of the outcomes of a campaign. The legend has the same figures as text. */
export default function OutcomeChart({ campaign }: { readonly campaign: Campaign }) {
  const texts = useTexts();
  const language = useLanguage();
  const parts = outcomesOf(campaign, texts);
  const list = parts.map(({ label, count }) => `${label} ${count.toLocaleString(language)}`).join(', ');
  return (
    <div role="img" aria-label={texts.campaigns.chartOf(list)} dir="ltr">
      <DonutChart
        data={parts.map(({ label, count, colour }) => ({
          name: label,
          value: count,
          color: colour,
        }))}
        size={150}
        thickness={22}
        paddingAngle={parts.length > 1 ? 2 : 0}
        withTooltip
        tooltipDataSource="segment"
        valueFormatter={(value) => value.toLocaleString(language)}
        pieProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
