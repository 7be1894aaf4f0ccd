import { Skeleton, Stack } from '@mantine/core';
import { CircleCheck, CircleX, Coins, Send, Wallet } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Count, Time } from '../../components/values.tsx';
import { Plot } from '../../features/traffic/plot.tsx';
import { Rates } from '../../features/traffic/rates.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { Change, FigureTile, Points } from '../../features/traffic/tile.tsx';
import { isLookedAt, type Overview, pointsOf, rateOf, sumOf } from '../../features/traffic/totals.ts';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { Runway } from './runway.tsx';

const MessagesChart = lazy(async () => ({
  default: (await import('../../features/traffic/charts.tsx')).MessagesChart,
}));
const SpendingChart = lazy(async () => ({
  default: (await import('../../features/traffic/charts.tsx')).SpendingChart,
}));

/** What was sent, delivered, failed and spent, each against before; the plots; the delivery rates. */
export function Sums({
  data,
  before,
  span,
  chosen,
}: {
  readonly data: Overview;
  /** The same so many weeks before; undefined while it is fetched. */
  readonly before: Overview | undefined;
  readonly span: Span;
  /** The channel that is looked at; '' is all of them. */
  readonly chosen: string;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const { step } = span;
  const totals = data.totals.filter(isLookedAt(chosen));
  const sum = sumOf(totals);
  const past = before && sumOf(before.totals.filter(isLookedAt(chosen)));
  const points = pointsOf(data, step, chosen, zone, language);
  const rate = rateOf(sum);
  const pastRate = past && rateOf(past);
  const failures = `/messages?${new URLSearchParams({
    state: 'failed',
    ...(chosen !== '' && { channel: chosen }),
  })}`;
  const change = (of: 'sent' | 'failed' | 'spent') => (
    <Change now={sum[of]} before={past?.[of]} weeks={span.weeksBefore} wanted={of === 'sent'} />
  );
  return (
    <Stack gap="lg">
      <div className="tiles">
        <FigureTile name={t.balance} icon={Wallet} hint={<Runway />}>
          <Runway value />
        </FigureTile>
        <FigureTile name={t.sent} icon={Send} hint={change('sent')}>
          <Count value={sum.sent} />
        </FigureTile>
        <FigureTile
          name={t.deliveryRate}
          icon={CircleCheck}
          hint={
            rate === undefined || pastRate === undefined ? (
              t.deliveredHint((sum.delivered + sum.read).toLocaleString(language))
            ) : (
              <Points now={rate} before={pastRate} weeks={span.weeksBefore} />
            )
          }
        >
          {rate === undefined
            ? '–'
            : percentOf(sum.delivered + sum.read, sum.delivered + sum.read + sum.failed, language)}
        </FigureTile>
        <FigureTile
          name={t.failed}
          icon={CircleX}
          hint={
            <>
              {t.failedHint(percentOf(sum.failed, sum.accepted, language))}
              {sum.failed > 0 && (
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
        <FigureTile name={t.spent} icon={Coins} hint={change('spent')}>
          <Amount value={sum.spent.toFixed(2)} />
        </FigureTile>
      </div>
      {totals.length > 0 && (
        <>
          <Card title={t.messages} lead={step === 'hour' ? t.messagesByHour : t.messagesByDay}>
            <Plot points={points} step={step}>
              <MessagesChart points={points} />
            </Plot>
          </Card>
          <Rates totals={totals} before={before?.totals} weeks={span.weeksBefore} />
          <Card title={t.spending} lead={t.spendingHint}>
            <Suspense fallback={<Skeleton height={240} />}>
              <SpendingChart points={points} />
            </Suspense>
            {data.counted_at !== null && (
              <Muted size="xs">
                {t.countedAt} <Time at={data.counted_at} to="second" />
              </Muted>
            )}
          </Card>
        </>
      )}
    </Stack>
  );
}
