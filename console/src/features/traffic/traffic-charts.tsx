import { BarChart } from '../../components/charts/bar-chart.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { channelsWith, useChannelName } from '../messages/channels.ts';
import type { Point } from './totals.ts';

const HEIGHT = 240;
const colours: Readonly<Record<string, string>> = {
  sms: 'chart-1',
  chat: 'chart-2',
  mail: 'chart-3',
  voice: 'chart-4',
};
const digits = { maximumFractionDigits: 2 };

/** Messages by their outcome, over time. */
export function MessagesChart({ points }: { readonly points: readonly Point[] }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const sum = (name: 'delivered' | 'underWay' | 'failed') =>
    points.reduce((all, point) => all + point[name], 0).toLocaleString(language);
  return (
    <div role="img" aria-label={t.chartOf(sum('delivered'), sum('underWay'), sum('failed'))} className="plot">
      <BarChart
        height={HEIGHT}
        whole
        bars={points.map(({ label, delivered, underWay, failed }) => ({
          label,
          values: { delivered, underWay, failed },
        }))}
        series={[
          { name: 'delivered', label: t.delivered, color: 'good' },
          { name: 'underWay', label: t.underWay, color: 'busy' },
          { name: 'failed', label: t.failed, color: 'bad' },
        ]}
      />
    </div>
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
    <div role="img" aria-label={t.chartOfSpending(spent.toLocaleString(language, digits))} className="plot">
      <BarChart
        height={HEIGHT}
        bars={points.map(({ label, spentOn }) => ({ label, values: spentOn }))}
        series={channels.map((channel) => ({
          name: channel,
          label: nameOf(channel),
          color: colours[channel] ?? 'gray-6',
        }))}
      />
    </div>
  );
}
