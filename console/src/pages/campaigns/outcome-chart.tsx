import { DonutChart } from '@mantine/charts';
import { outcomesOf } from '../../features/campaigns/progress.tsx';
import type { Shipment } from '../../features/campaigns/shipment.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import '@mantine/charts/styles.css';

/** The outcomes of a send as a ring. The legend beside it says the same in words. */
export default function OutcomeChart({ shipment }: { readonly shipment: Shipment }) {
  const texts = useTexts();
  const language = useLanguage();
  const parts = outcomesOf(shipment, texts);
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
