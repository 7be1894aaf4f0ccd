import { BarChart, type BarChartProps } from '@mantine/charts';
import { wholeTicks } from '../../components/charts.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { channelsWith, useChannelName } from '../messages/channels.ts';
import type { Point } from './totals.ts';
import '@mantine/charts/styles.css';

const HEIGHT = 240;
const colours: Readonly<Record<string, string>> = {
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
      yAxisProps={wholeTicks}
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
  const { overview: t } = useTexts();
  const language = useLanguage();
  const nameOf = useChannelName();
  const spent = points.reduce((all, point) => all + point.spent, 0);
  const channels = channelsWith(points.flatMap(({ spentOn }) => Object.keys(spentOn)));
  return (
    <Bars
      label={t.chartOfSpending(spent.toLocaleString(language, digits))}
      points={points.map((point) => ({
        ...point,
        ...Object.fromEntries(channels.map((channel) => [channel, point.spentOn[channel] ?? 0])),
      }))}
      series={channels.map((channel) => ({
        name: channel,
        label: nameOf(channel),
        color: colours[channel] ?? 'gray.6',
      }))}
    />
  );
}

function Bars({
  label,
  points,
  series,
  yAxisProps = {},
}: {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: BarChartProps['series'];
  readonly yAxisProps?: BarChartProps['yAxisProps'];
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
        yAxisProps={yAxisProps}
        valueFormatter={(value) => value.toLocaleString(language, digits)}
        barProps={still}
        series={series}
      />
    </div>
  );
}
