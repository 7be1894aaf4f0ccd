import { Stack } from '@mantine/core';
import { Wallet } from 'lucide-react';
import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { Plot } from '../../features/traffic/plot.tsx';
import { Rates } from '../../features/traffic/rates.tsx';
import type { Span } from '../../features/traffic/span.ts';
import { FigureTile } from '../../features/traffic/tile.tsx';
import { TrafficTiles } from '../../features/traffic/tiles.tsx';
import { isLookedAt, type Overview, pointsOf } from '../../features/traffic/totals.ts';
import { MessagesChart, SpendingChart } from '../../features/traffic/traffic-charts.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Prefixes } from './prefixes.tsx';
import { Runway } from './runway.tsx';

/**
 * Totals of sent, delivered and failed messages and of cost, each compared with the earlier period; charts; delivery rates.
 */
export function Sums({
  data,
  before,
  span,
  chosen,
}: {
  readonly data: Overview;
  /** The same figures for the earlier period; undefined while they load. */
  readonly before: Overview | undefined;
  readonly span: Span;
  /** Selected channel; '' for all. */
  readonly chosen: string;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const { step } = span;
  const totals = data.totals.filter(isLookedAt(chosen));
  const points = pointsOf(data, step, chosen, zone, language);
  const failures = `/messages?${new URLSearchParams({
    state: 'failed',
    ...(chosen !== '' && { channel: chosen }),
  })}`;
  return (
    <Stack gap="lg">
      <TrafficTiles
        totals={totals}
        before={before?.totals.filter(isLookedAt(chosen))}
        span={span}
        failures={failures}
      >
        <FigureTile name={t.balance} icon={Wallet} hint={<Runway />}>
          <Runway value />
        </FigureTile>
      </TrafficTiles>
      {totals.length > 0 && (
        <>
          <Card title={t.messages} lead={step === 'hour' ? t.messagesByHour : t.messagesByDay}>
            <Plot points={points} step={step}>
              <MessagesChart points={points} />
            </Plot>
          </Card>
          <Rates totals={totals} before={before?.totals} weeks={span.weeksBefore} />
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
      )}
    </Stack>
  );
}
