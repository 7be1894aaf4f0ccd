import { MessagesCard } from '../../features/traffic/messages-card.tsx';
import { Rates } from '../../features/traffic/rates.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { FigureTile } from '../../features/traffic/tile.tsx';
import { TrafficTiles } from '../../features/traffic/tiles.tsx';
import type { Overview, Point } from '../../features/traffic/totals.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Runway } from './runway.tsx';

interface Traffic {
  /** Figures of the selected channels. */
  readonly totals: Overview['totals'];
  /** The same figures for the earlier period; undefined while they load. */
  readonly before: Overview['totals'] | undefined;
  readonly points: readonly Point[];
  readonly span: Span;
}

/** Balance, sent messages, delivery rate and cost, each compared with the earlier period. */
export function Strip(traffic: Traffic) {
  const { overview: t } = useTexts();
  return (
    <TrafficTiles {...traffic}>
      <FigureTile name={t.balance} hint={<Runway />}>
        <Runway value />
      </FigureTile>
    </TrafficTiles>
  );
}

/** Messages over time, and the delivery rates of the channels. */
export function Charts({ totals, before, points, span }: Traffic) {
  return (
    <>
      <MessagesCard points={points} step={span.step} />
      <Rates totals={totals} before={before} weeks={span.weeksBefore} />
    </>
  );
}
