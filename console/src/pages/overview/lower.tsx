import { Card } from '../../components/card.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import type { Span } from '../../features/traffic/span.ts';
import type { Point } from '../../features/traffic/totals.ts';
import { SpendingChart } from '../../features/traffic/traffic-charts.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Prefixes } from './prefixes.tsx';

/** The lower part of the page: delivery by prefix, and spending by channel. */
export default function Lower({
  points,
  countedAt,
  span,
  chosen,
}: {
  readonly points: readonly Point[];
  /** Time of the figures, ISO 8601. */
  readonly countedAt: string | null;
  readonly span: Span;
  /** Selected channel; '' for all. */
  readonly chosen: string;
}) {
  const { overview: t } = useTexts();
  return (
    <>
      <Prefixes span={span} chosen={chosen} />
      <Card title={t.spending} lead={t.spendingHint}>
        <SpendingChart points={points} />
        {countedAt !== null && (
          <Muted size="xs">
            {t.countedAt} <Time at={countedAt} to="second" />
          </Muted>
        )}
      </Card>
    </>
  );
}
