import { BarChart, type BarChartProps } from '@mantine/charts';
import type { Channel } from '../../api/messages.ts';
import { channels } from '../../features/messages/channel-filter.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import type { Point } from './sums.ts';
import '@mantine/charts/styles.css';

const HEIGHT = 240;
const colours: Readonly<Record<Channel, string>> = {
  sms: 'petrol.6',
  chat: 'violet.5',
  mail: 'orange.6',
  voice: 'pink.6',
};
const digits = { maximumFractionDigits: 2 };
const still = { isAnimationActive: false };

/** Messages by their outcome, over time. */
export function MessagesChart({ points }: { readonly points: readonly Point[] }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const sum = (name: 'delivered' | 'underWay' | 'failed') =>
    points.reduce((all, point) => all + point[name], 0).toLocaleString(language);
  return (
    <Bars
      label={t.chartOf(sum('delivered'), sum('underWay'), sum('failed'))}
      points={points}
      series={[
        { name: 'delivered', label: t.delivered, color: 'teal.7' },
        { name: 'underWay', label: t.underWay, color: 'blue.5' },
        { name: 'failed', label: t.failed, color: 'red.7' },
      ]}
    />
  );
}

/** Credits by channel, over time. */
export function SpendingChart({ points }: { readonly points: readonly Point[] }) {
  const { overview: t, messages } = useTexts();
  const language = useLanguage();
  const spent = points.reduce(
    (all, point) => all + channels.reduce((sum, channel) => sum + point[channel], 0),
    0,
  );
  return (
    <Bars
      label={t.chartOfSpending(spent.toLocaleString(language, digits))}
      points={points}
      series={channels.map((name) => ({ name, label: messages.channels[name], color: colours[name] }))}
    />
  );
}

function Bars({
  label,
  points,
  series,
}: {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: BarChartProps['series'];
}) {
  const language = useLanguage();
  return (
    <div role="img" aria-label={label} dir="ltr" className="plot">
      <BarChart
        h={HEIGHT}
        data={[...points]}
        dataKey="label"
        type="stacked"
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={36}
        valueFormatter={(value) => value.toLocaleString(language, digits)}
        barProps={still}
        series={series}
      />
    </div>
  );
}
