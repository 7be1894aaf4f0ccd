import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Plot } from '../../features/traffic/plot.tsx';
import { Rates } from '../../features/traffic/rates.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { FigureTile } from '../../features/traffic/tile.tsx';
import { TrafficTiles } from '../../features/traffic/tiles.tsx';
import { isLookedAt, type Overview, pointsOf } from '../../features/traffic/totals.ts';
import { MessagesChart } from '../../features/traffic/traffic-charts.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Runway } from './runway.tsx';

interface Traffic {
  readonly data: Overview;
  /** The same figures for the earlier period; undefined while they load. */
  readonly before: Overview | undefined;
  readonly span: Span;
  /** Selected channel; '' for all. */
  readonly chosen: string;
}

/** Balance, sent messages, delivery rate and cost, each compared with the earlier period. */
export function Strip({ data, before, span, chosen }: Traffic) {
  const { overview: t } = useTexts();
  const points = usePoints({ data, span, chosen });
  return (
    <TrafficTiles
      totals={data.totals.filter(isLookedAt(chosen))}
      before={before?.totals.filter(isLookedAt(chosen))}
      points={points}
      span={span}
    >
      <FigureTile name={t.balance} hint={<Runway />}>
        <Runway value />
      </FigureTile>
    </TrafficTiles>
  );
}

const usePoints = ({ data, span, chosen }: Pick<Traffic, 'data' | 'span' | 'chosen'>) =>
  pointsOf(data, span.step, chosen, useTimeZone(), useLanguage());

/** Messages over time, and the delivery rates of the channels. */
export function Charts({ data, before, span, chosen }: Traffic) {
  const { overview: t } = useTexts();
  const points = usePoints({ data, span, chosen });
  return (
    <>
      <Card title={t.messages} lead={span.step === 'hour' ? t.messagesByHour : t.messagesByDay}>
        <Plot points={points} step={span.step}>
          <MessagesChart points={points} />
        </Plot>
      </Card>
      <Rates
        totals={data.totals.filter(isLookedAt(chosen))}
        before={before?.totals}
        weeks={span.weeksBefore}
      />
    </>
  );
}
