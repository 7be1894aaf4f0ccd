import { Card } from '../../components/card.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Plot } from './plot.tsx';
import type { Span } from './span.ts';
import type { Point } from './totals.ts';
import { MessagesChart } from './traffic-charts.tsx';

/** Messages by their outcome, over time. */
export function MessagesCard({
  points,
  step,
}: {
  readonly points: readonly Point[];
  readonly step: Span['step'];
}) {
  const { overview: t } = useTexts();
  return (
    <Card title={t.messages} lead={step === 'hour' ? t.messagesByHour : t.messagesByDay}>
      <Plot points={points} step={step}>
        <MessagesChart points={points} />
      </Plot>
    </Card>
  );
}
