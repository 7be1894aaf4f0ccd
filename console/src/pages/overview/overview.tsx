import { Button, Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { ChartColumn, CircleCheck, CircleX, Coins, type LucideIcon, Send } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { useSession, useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useFilters } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched, Loading } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Count, Time } from '../../components/values.tsx';
import { channelsWith, useChannelName } from '../../features/messages/channels.ts';
import { AskZone } from '../../features/preferences/zones.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { Queue } from './queue.tsx';
import { RecentFailures } from './recent-failures.tsx';
import {
  type Overview as Data,
  isLookedAt,
  type Period,
  type Point,
  periods,
  pointsOf,
  queryOf,
  sumOf,
} from './sums.ts';
import './overview.css';

const MessagesChart = lazy(async () => ({ default: (await import('./charts.tsx')).MessagesChart }));
const SpendingChart = lazy(async () => ({ default: (await import('./charts.tsx')).SpendingChart }));

const REFETCH_MS = 10_000;

/** What was sent, delivered, failed and spent; what waits, and what failed last. */
export default function Overview() {
  const { overview: t } = useTexts();
  const nameOf = useChannelName();
  const { account, role } = useSession();
  const filters = useFilters(['period', 'channel']);
  const period = periods.find((one) => one === filters.values.period) ?? 'day';
  const { channel } = filters.values;
  const query = queryOf(period, Date.now(), useTimeZone());
  const overview = api.useQuery(
    'get',
    '/v1/overview',
    { params: { query } },
    { refetchInterval: REFETCH_MS, placeholderData: (before: Data | undefined) => before },
  );
  return (
    <Page
      title={t.title}
      lead={t.lead(account?.name ?? '')}
      actions={
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t.channel}
            value={channel}
            onChange={(value) => filters.set('channel', value)}
            data={[
              { value: '', label: t.allChannels },
              ...channelsWith((overview.data?.totals ?? []).map((total) => total.channel)).map((value) => ({
                value,
                label: nameOf(value),
              })),
            ]}
          />
          <SegmentedControl
            size="xs"
            aria-label={t.period}
            value={period}
            onChange={(value) => filters.set('period', value === 'day' ? '' : value)}
            data={periods.map((value) => ({ value, label: t.periods[value] }))}
          />
        </Group>
      }
    >
      <AskZone />
      <Fetched query={overview} lines={8}>
        {(data) => <Sums data={data} period={period} chosen={channel} />}
      </Fetched>
      {overview.data?.totals.length === 0 && (
        <Paper withBorder>
          <Empty
            icon={ChartColumn}
            title={t.none}
            hint={t.noneHint}
            action={
              atLeast(role, 'sender') && (
                <Button component={Link} href="/send">
                  {t.send}
                </Button>
              )
            }
          />
        </Paper>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="side-by-side">
        <Queue />
        <RecentFailures />
      </SimpleGrid>
    </Page>
  );
}

function Sums({
  data,
  period,
  chosen,
}: {
  readonly data: Data;
  readonly period: Period;
  /** The channel that is looked at; '' is all of them. */
  readonly chosen: string;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const step = period === 'day' ? 'hour' : 'day';
  const totals = data.totals.filter(isLookedAt(chosen));
  const sum = sumOf(totals);
  const points = pointsOf(data, step, chosen, zone, language);
  const delivered = sum.delivered + sum.read;
  const share = (part: number, of: number) => percentOf(part, of, language);
  const failures = `/messages?${new URLSearchParams({
    state: 'failed',
    ...(chosen !== '' && { channel: chosen }),
  })}`;
  return (
    <Stack gap="lg">
      <div className="tiles">
        <Tile name={t.sent} icon={Send} hint={t.sentHint(sum.accepted.toLocaleString(language))}>
          <Count value={sum.sent} />
        </Tile>
        <Tile
          name={t.delivered}
          icon={CircleCheck}
          hint={t.deliveredHint(share(delivered, delivered + sum.failed))}
        >
          <Count value={delivered} />
        </Tile>
        <Tile
          name={t.failed}
          icon={CircleX}
          hint={
            <>
              {t.failedHint(share(sum.failed, sum.accepted))}
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
        </Tile>
        <Tile name={t.spent} icon={Coins} hint={t.spentHint}>
          <Amount value={String(sum.spent)} />
        </Tile>
      </div>
      {totals.length > 0 && (
        <>
          <Card title={t.messages} lead={step === 'hour' ? t.messagesByHour : t.messagesByDay}>
            <Plot points={points} step={step}>
              <MessagesChart points={points} />
            </Plot>
          </Card>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="side-by-side">
            <Card title={t.spending} lead={t.spendingHint}>
              <Suspense fallback={<Skeleton height={240} />}>
                <SpendingChart points={points} />
              </Suspense>
            </Card>
            <Card title={t.byChannel}>
              <ByChannel totals={totals} />
              {data.counted_at !== null && (
                <Muted size="xs">
                  {t.countedAt} <Time at={data.counted_at} to="second" />
                </Muted>
              )}
            </Card>
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}

function Tile({
  name,
  icon: Icon,
  hint,
  children,
}: {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" className="tile" component="section" aria-label={name}>
      <span className="tile-name">
        <Icon size={16} aria-hidden />
        {name}
      </span>
      <span className="tile-value">{children}</span>
      <span className="tile-hint">{hint}</span>
    </Paper>
  );
}

/** A plot, and what it shows as a table for those who want the numbers. */
function Plot({
  points,
  step,
  children,
}: {
  readonly points: readonly Point[];
  readonly step: 'hour' | 'day';
  readonly children: ReactNode;
}) {
  const { overview: t } = useTexts();
  return (
    <>
      <Suspense fallback={<Loading />}>{children}</Suspense>
      <details className="plot-table">
        <summary>{t.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard too */}
        <section tabIndex={0} aria-label={t.asTable}>
          <RowsTable
            caption={t.asTable}
            verticalSpacing={4}
            rows={points}
            rowKey={({ at }) => at}
            columns={[
              { title: t.time, cell: ({ at }) => <Time at={at} to={step === 'hour' ? 'minute' : 'date'} /> },
              { title: t.delivered, align: 'end', cell: ({ delivered }) => <Count value={delivered} /> },
              { title: t.underWay, align: 'end', cell: ({ underWay }) => <Count value={underWay} /> },
              { title: t.failed, align: 'end', cell: ({ failed }) => <Count value={failed} /> },
              {
                title: t.spent,
                align: 'end',
                cell: ({ spent }) => <Amount value={String(spent)} />,
              },
            ]}
          />
        </section>
      </details>
    </>
  );
}

function ByChannel({ totals }: { readonly totals: Data['totals'] }) {
  const { overview: t } = useTexts();
  const nameOf = useChannelName();
  return (
    <RowsTable
      caption={t.byChannel}
      minWidth={300}
      verticalSpacing="sm"
      rows={totals}
      rowKey={({ channel }) => channel}
      columns={[
        { title: t.channel, rowHeader: true, cell: ({ channel }) => nameOf(channel) },
        { title: t.accepted, align: 'end', cell: ({ accepted }) => <Count value={accepted} /> },
        { title: t.delivered, align: 'end', cell: (row) => <Count value={row.delivered + row.read} /> },
        { title: t.failed, align: 'end', cell: ({ failed }) => <Count value={failed} /> },
        { title: t.spent, align: 'end', cell: ({ spent }) => <Amount value={spent} /> },
      ]}
    />
  );
}
