import { useTimeZone } from '../../api/session-context.ts';
import { BarChart } from '../../components/charts/bar-chart.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { localeOf } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useLinkTexts } from './texts.ts';

interface Row {
  readonly at: string;
  readonly clicks: { readonly person: number; readonly preview: number; readonly bot: number };
}

const HOUR_MS = 3_600_000;
/** Hours in a row that each have their bar; of a longer time those with clicks have. */
const MAX_HOURS = 72;

/** Clicks by hour in the account's time zone; the same as a table for those who cannot see it. */
export function ClicksChart({ rows }: { readonly rows: readonly Row[] }) {
  const t = useLinkTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const label = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: zone,
    day: 'numeric',
    // Numeric months in Hebrew, because a plot runs from left to right and digits have no text direction.
    month: language === 'he' ? 'numeric' : 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const known = new Map(rows.map((row) => [Date.parse(row.at), row.clicks.person]));
  const [first, last] = [Date.parse(rows[0]!.at), Date.parse(rows.at(-1)!.at)];
  const hours =
    last - first < MAX_HOURS * HOUR_MS
      ? Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, index) => first + index * HOUR_MS)
      : [...known.keys()];
  const data = hours.map((at) => ({ time: label.format(at), clicks: known.get(at) ?? 0 }));
  const total = data.reduce((sum, { clicks }) => sum + clicks, 0).toLocaleString(language);
  return (
    <>
      <BarChart
        height={240}
        whole
        bars={data.map(({ time, clicks }) => ({ label: time, values: { clicks } }))}
        series={[{ name: 'clicks', label: t.clicks, color: 'chart-1' }]}
      />
      <RowsTable
        hidden
        caption={`${t.byHour}. ${t.chartText(total)}`}
        rows={data.filter(({ clicks }) => clicks > 0)}
        rowKey={({ time }) => time}
        columns={[
          { title: t.time, cell: ({ time }) => time },
          { title: t.clicks, cell: ({ clicks }) => clicks },
        ]}
      />
    </>
  );
}
