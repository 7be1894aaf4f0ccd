import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { type Overview, pointsOf } from '../../features/traffic/totals.ts';
import { SpendingChart } from '../../features/traffic/traffic-charts.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Prefixes } from './prefixes.tsx';

/** The lower part of the page: delivery by prefix, and spending by channel. */
export default function Lower({
  data,
  span,
  chosen,
}: {
  readonly data: Overview;
  readonly span: Span;
  /** Selected channel; '' for all. */
  readonly chosen: string;
}) {
  const { overview: t } = useTexts();
  const points = pointsOf(data, span.step, chosen, useTimeZone(), useLanguage());
  return (
    <>
      <Prefixes span={span} chosen={chosen} />
      <Card title={t.spending} lead={t.spendingHint}>
        <SpendingChart points={points} />
        {data.counted_at !== null && (
          <Muted size="xs">
            {t.countedAt} <Time at={data.counted_at} to="second" />
          </Muted>
        )}
      </Card>
    </>
  );
}
