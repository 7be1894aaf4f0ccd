import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { channels } from '../messages/channel-filter.tsx';
import type { Channel } from '../messages/types.ts';
import type { Point } from './sums.ts';

const HEIGHT = 240;
const colours: Readonly<Record<Channel, string>> = {
  sms: 'petrol.6',
  chat: 'violet.5',
  mail: 'orange.6',
  voice: 'pink.6',
};
const still = { isAnimationActive: false };

/** Messages by what became of them, over time. */
export function MessagesChart({ points }: { readonly points: readonly Point[] }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const text = (value: number) => value.toLocaleString(language);
  const sum = (name: 'delivered' | 'underWay' | 'failed') =>
    text(points.reduce((all, point) => all + point[name], 0));
  return (
    <div
      role="img"
      aria-label={t.chartOf(sum('delivered'), sum('underWay'), sum('failed'))}
      dir="ltr"
      className="plot"
    >
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
        valueFormatter={text}
        barProps={still}
        series={[
          { name: 'delivered', label: t.delivered, color: 'teal.7' },
          { name: 'underWay', label: t.underWay, color: 'blue.5' },
          { name: 'failed', label: t.failed, color: 'red.7' },
        ]}
      />
    </div>
  );
}

/** Credits by channel, over time. */
export function SpendingChart({ points }: { readonly points: readonly Point[] }) {
  const { overview: t, messages } = useTexts();
  const language = useLanguage();
  const text = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 2 });
  const spent = points.reduce(
    (all, point) => all + channels.reduce((sum, channel) => sum + point[channel], 0),
    0,
  );
  return (
    <div role="img" aria-label={t.chartOfSpending(text(spent))} dir="ltr" className="plot">
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
        valueFormatter={text}
        barProps={still}
        series={channels.map((name) => ({ name, label: messages.channels[name], color: colours[name] }))}
      />
    </div>
  );
}
