import { CircleCheck, CircleX, Coins, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextLink } from '../../components/text.tsx';
import { Amount, Count } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { Span } from './span.ts';
import { Change, FigureTile, Points } from './tile.tsx';
import { type Overview, rateOf, sumOf } from './totals.ts';

type Totals = Overview['totals'];

/**
 * Tiles for sent, delivered and failed messages and for cost, each compared with the earlier period; `children` precede
 * them.
 */
export function TrafficTiles({
  totals,
  before,
  span: { weeksBefore: weeks },
  failures,
  children,
}: {
  readonly totals: Totals;
  /** The same figures for the earlier period; undefined while they load. */
  readonly before: Totals | undefined;
  readonly span: Span;
  /** Address of the list of failed messages. */
  readonly failures?: string;
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
        icon={Send}
        hint={<Change now={sum.sent} before={past?.sent} weeks={weeks} wanted />}
      >
        <Count value={sum.sent} />
      </FigureTile>
      <FigureTile
        name={t.deliveryRate}
        icon={CircleCheck}
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
        name={t.failed}
        icon={CircleX}
        hint={
          <>
            {t.failedHint(percentOf(sum.failed, sum.accepted, language))}
            {sum.failed > 0 && failures !== undefined && (
              <>
                {' · '}
                <TextLink href={failures} size="xs" inherit={false}>
                  {t.failedLink}
                </TextLink>
              </>
            )}
          </>
        }
      >
        <Count value={sum.failed} />
      </FigureTile>
      <FigureTile
        name={t.spent}
        icon={Coins}
        hint={<Change now={sum.spent} before={past?.spent} weeks={weeks} />}
      >
        <Amount value={sum.spent.toFixed(2)} unit />
      </FigureTile>
    </div>
  );
}
