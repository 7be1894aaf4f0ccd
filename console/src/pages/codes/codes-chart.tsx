import { useTimeZone } from '../../api/session-context.ts';
import { BarChart } from '../../components/charts/bar-chart.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { localeOf } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useCodeTexts } from './texts.ts';

interface Row {
  readonly at: string;
  readonly sent: number;
  readonly verified: number;
  readonly stopped: number;
}

const HOUR_MS = 3_600_000;

/** Codes by the hour or, of the account's time zone, the day; the same as a table for those who cannot see it. */
export function CodesChart({
  rows,
  from,
  to,
  byDay,
}: {
  readonly rows: readonly Row[];
  readonly from: string;
  readonly to: string;
  readonly byDay: boolean;
}) {
  const t = useCodeTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const label = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: zone,
    ...(byDay
      ? { day: 'numeric', month: language === 'he' ? 'numeric' : 'short' }
      : { hour: '2-digit', minute: '2-digit' }),
  });
  // Every hour has its bar, also those without codes.
  const bars = new Map<string, { time: string; used: number; unused: number; stopped: number }>();
  const begin = Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS;
  for (let at = begin; at <= Date.parse(to); at += HOUR_MS) {
    const time = label.format(at);
    const key = byDay ? time : String(at);
    if (!bars.has(key)) bars.set(key, { time, used: 0, unused: 0, stopped: 0 });
  }
  for (const { at, sent, verified, stopped } of rows) {
    const time = label.format(Date.parse(at));
    const bar = bars.get(byDay ? time : String(Date.parse(at)));
    if (!bar) continue;
    bar.used += verified;
    bar.unused += sent - verified;
    bar.stopped += stopped;
  }
  const data = [...bars.values()];
  const sum = (of: 'used' | 'unused' | 'stopped') =>
    data.reduce((total, bar) => total + bar[of], 0).toLocaleString(language);
  return (
    <>
      <BarChart
        height={280}
        whole
        bars={data.map(({ time, ...values }) => ({ label: time, values }))}
        series={[
          { name: 'used', label: t.used, color: 'good' },
          { name: 'unused', label: t.unused, color: 'ink-off' },
          { name: 'stopped', label: t.stopped, color: 'bad' },
        ]}
      />
      <RowsTable
        hidden
        caption={`${t.chart}. ${t.chartText(sum('used'), sum('unused'), sum('stopped'))}`}
        rows={data.filter((bar) => bar.used + bar.unused + bar.stopped > 0)}
        rowKey={(bar) => bar.time}
        columns={[
          { title: t.time, cell: (bar) => bar.time },
          { title: t.used, cell: (bar) => bar.used },
          { title: t.unused, cell: (bar) => bar.unused },
          { title: t.stopped, cell: (bar) => bar.stopped },
        ]}
      />
    </>
  );
}
