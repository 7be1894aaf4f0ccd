import type { ReactNode } from 'react';
import { Amount, Count } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { Span } from './span.ts';
import { Change, FigureTile, Points } from './tile.tsx';
import { type Overview, type Point, rateOf, sumOf } from './totals.ts';

type Totals = Overview['totals'];

/**
 * A strip of figures: sent messages, the share of delivered ones, and cost, each compared with the earlier period; `children` precede
 * them.
 */
export function TrafficTiles({
  totals,
  before,
  points,
  span: { weeksBefore: weeks },
  children,
}: {
  readonly totals: Totals;
  /** The same figures for the earlier period; undefined while they load. */
  readonly before: Totals | undefined;
  /** The hours or days of the period. */
  readonly points: readonly Point[];
  readonly span: Span;
  readonly children?: ReactNode;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const sum = sumOf(totals);
  const past = before && sumOf(before);
  const rate = rateOf(sum);
  const pastRate = past && rateOf(past);
  const good = sum.delivered + sum.read;
  return (
    <div className="tiles">
      {children}
      <FigureTile
        name={t.sent}
        trend={points.map(({ delivered, underWay, failed }) => delivered + underWay + failed)}
        hint={<Change now={sum.sent} before={past?.sent} weeks={weeks} wanted />}
      >
        <Count value={sum.sent} />
      </FigureTile>
      <FigureTile
        name={t.deliveryRate}
        trend={points.flatMap(({ delivered, failed }) =>
          delivered + failed === 0 ? [] : [delivered / (delivered + failed)],
        )}
        hint={
          rate === undefined || pastRate === undefined ? (
            t.deliveredHint(good.toLocaleString(language))
          ) : (
            <Points now={rate} before={pastRate} weeks={weeks} />
          )
        }
      >
        {rate === undefined ? '–' : percentOf(good, good + sum.failed, language)}
      </FigureTile>
      <FigureTile
        name={t.spent}
        trend={points.map(({ spent }) => spent)}
        hint={<Change now={sum.spent} before={past?.spent} weeks={weeks} />}
      >
        <Amount value={sum.spent.toFixed(2)} unit />
      </FigureTile>
    </div>
  );
}
