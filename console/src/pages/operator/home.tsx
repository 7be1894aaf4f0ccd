import { Alert, Anchor, Group, SimpleGrid, Stack } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { DayFilters, useTimeSpan } from '../../components/day-filters.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Amount, Count, StatusBadge, type Tone } from '../../components/values.tsx';
import { MessagesCard } from '../../features/traffic/messages-card.tsx';
import { Rates } from '../../features/traffic/rates.tsx';
import { spanOf } from '../../features/traffic/span.ts';
import { TrafficTiles } from '../../features/traffic/tiles.tsx';
import { pointsOf } from '../../features/traffic/totals.ts';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useOperatorTexts } from './texts.ts';

type Overview = Answer<'/v1/operator/overview'>;
type Account = Overview['accounts'][number];
type Carrier = Answer<'/v1/operator/carriers'>['carriers'][number];

const REFETCH_MS = 10_000;
/** Maximum age of a due message in seconds; an older one is an alert. */
const MAX_DUE_S = 60;
/** Portfolios with problems that are counted at most. */
const MAX_PORTFOLIOS = 200;
const tones: Readonly<Record<Carrier['state'], Tone>> = { up: 'good', down: 'bad', free: 'warning' };

/**
 * Operator's first page: pending actions, traffic compared with the earlier period, connections, queues, the largest
 * accounts.
 */
export default function Home() {
  const { home: t } = useOperatorTexts();
  const { overview } = useTexts();
  const language = useLanguage();
  const filters = useFilters(['from', 'until']);
  const zone = useTimeZone();
  const span = spanOf(useTimeSpan(filters.values), Date.now(), zone);
  const keepBefore = { placeholderData: (before: Overview | undefined) => before };
  const query = useAnswer(
    '/v1/operator/overview',
    { query: span.query },
    { refetchInterval: REFETCH_MS, ...keepBefore },
  );
  const before = useAnswer('/v1/operator/overview', { query: span.before }, keepBefore);
  return (
    <Page
      lead={t.lead}
      actions={
        <Group gap="sm" align="flex-end">
          <DayFilters filters={filters} none={overview.lastDay} />
        </Group>
      }
    >
      <Alerts low={query.data?.low_balances ?? []} />
      <Fetched query={query} lines={8}>
        {(data) => {
          const points = pointsOf(data, span.step, '', zone, language);
          return (
            <Stack gap="lg">
              <TrafficTiles totals={data.totals} before={before.data?.totals} points={points} span={span} />
              {data.totals.length > 0 && (
                <>
                  <MessagesCard points={points} step={span.step} />
                  <Rates totals={data.totals} before={before.data?.totals} weeks={span.weeksBefore} />
                </>
              )}
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="side-by-side">
                <Accounts title={t.topAccounts} none={t.noTraffic} accounts={data.accounts} />
                <Accounts title={t.lowBalances} none={t.noLowBalances} accounts={data.low_balances} />
              </SimpleGrid>
            </Stack>
          );
        }}
      </Fetched>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="side-by-side">
        <Connections />
        <Queues />
      </SimpleGrid>
    </Page>
  );
}

/** Problems that need an action now, each with a link to its page. */
function Alerts({ low }: { readonly low: readonly Account[] }) {
  const { home: t } = useOperatorTexts();
  const often = { refetchInterval: REFETCH_MS };
  const carriers = useAnswer('/v1/operator/carriers', {}, often);
  const queues = useAnswer('/v1/operator/queues', {}, often);
  const webhooks = useAnswer('/v1/operator/webhooks', {}, often);
  const requests = useAnswer('/v1/operator/source-requests', {}, often);
  const chat = useAnswer(
    '/v1/operator/chat-portfolios',
    { query: { problems: 'true', limit: MAX_PORTFOLIOS } },
    often,
  );
  const down = carriers.data?.carriers.filter(({ state }) => state === 'down') ?? [];
  // Without a trunk, calls are not expected to work.
  const hasNoCalls =
    carriers.data?.calls_problem != null && carriers.data.carriers.some(({ channel }) => channel === 'voice');
  const oldest = Math.max(0, ...(queues.data?.lanes.map((lane) => lane.oldest_seconds) ?? []));
  const alerts = [
    down.length > 0 && { text: t.alerts.down(down.length), href: '/operator/network' },
    hasNoCalls && { text: t.alerts.calls, href: '/operator/network' },
    oldest > MAX_DUE_S && { text: t.alerts.oldest(Math.round(oldest / 60)), href: '/operator/network' },
    low.length > 0 && { text: t.alerts.low(low.length), href: '/operator/accounts' },
    chat.data &&
      chat.data.portfolios.length > 0 && {
        text: t.alerts.chat(chat.data.portfolios.length),
        href: '/operator/chat',
      },
    webhooks.data &&
      webhooks.data.webhooks.length > 0 && {
        text: t.alerts.webhooks(webhooks.data.webhooks.length),
        href: '/operator/webhooks',
      },
    requests.data &&
      requests.data.requests.length > 0 && {
        text: t.alerts.senders(requests.data.requests.length),
        href: '/operator/senders',
      },
  ].filter((alert) => alert !== undefined && alert !== false);
  if (alerts.length === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert />} title={t.alerts.title} role="status">
      <ul className="plain-list">
        {alerts.map(({ text, href }) => (
          <li key={text}>
            <Anchor component={Link} href={href} size="sm" c="inherit" underline="always">
              {text}
            </Anchor>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Accounts({
  title,
  none,
  accounts,
}: {
  readonly title: string;
  readonly none: string;
  readonly accounts: readonly Account[];
}) {
  const { overview: t, common } = useTexts();
  const { accounts: words } = useOperatorTexts();
  const language = useLanguage();
  return (
    <Card title={title}>
      {accounts.length === 0 ? (
        <Muted>{none}</Muted>
      ) : (
        <RowsTable
          caption={title}
          verticalSpacing="sm"
          rows={accounts}
          rowKey={({ account_id: id }) => id}
          columns={[
            {
              title: words.account,
              rowHeader: true,
              cell: ({ account_id: id, username }) => (
                <TextLink href={`/operator/accounts/${id}`} size="sm" fw={600}>
                  <bdi>{username}</bdi>
                </TextLink>
              ),
            },
            {
              title: t.accepted,
              align: 'end',
              wideOnly: true,
              cell: ({ accepted }) => <Count value={accepted} />,
            },
            {
              title: t.deliveryRate,
              align: 'end',
              cell: ({ delivered, read, failed }) =>
                percentOf(delivered + read, delivered + read + failed, language),
            },
            {
              title: common.inCredits(t.spent),
              align: 'end',
              wideOnly: true,
              cell: ({ spent }) => <Amount value={spent} />,
            },
            {
              title: common.inCredits(words.balance),
              align: 'end',
              cell: ({ balance }) => <Amount value={balance} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

function Connections() {
  const { home: t, network } = useOperatorTexts();
  const query = useAnswer('/v1/operator/carriers', {}, { refetchInterval: REFETCH_MS });
  return (
    <Card title={network.carriers} actions={<TextLink href="/operator/network">{t.details}</TextLink>}>
      <Fetched query={query}>
        {({ carriers }) =>
          carriers.length === 0 ? (
            <Muted>{network.noCarriers}</Muted>
          ) : (
            <RowsTable
              caption={network.carriers}
              verticalSpacing="sm"
              rows={carriers}
              rowKey={({ name }) => name}
              columns={[
                { title: t.connection, rowHeader: true, cell: ({ name }) => <bdi dir="ltr">{name}</bdi> },
                {
                  title: t.state,
                  cell: ({ state }) => <StatusBadge tone={tones[state]}>{network[state]}</StatusBadge>,
                },
                {
                  title: t.rate,
                  align: 'end',
                  cell: ({ rate }) => <Count value={Math.round(rate * 10) / 10} />,
                },
              ]}
            />
          )
        }
      </Fetched>
    </Card>
  );
}

function Queues() {
  const { home: t, network } = useOperatorTexts();
  const query = useAnswer('/v1/operator/queues', {}, { refetchInterval: REFETCH_MS });
  return (
    <Card title={network.queues} actions={<TextLink href="/operator/network">{t.details}</TextLink>}>
      <Fetched query={query}>
        {({ lanes }) => (
          <RowsTable
            caption={network.queues}
            verticalSpacing="sm"
            rows={lanes}
            rowKey={({ lane }) => lane}
            columns={[
              { title: network.lane, rowHeader: true, cell: ({ lane }) => network.lanes[lane] ?? lane },
              { title: network.due, align: 'end', cell: ({ due }) => <Count value={due} /> },
              {
                title: network.later,
                align: 'end',
                wideOnly: true,
                cell: ({ later }) => <Count value={later} />,
              },
              { title: network.paused, align: 'end', cell: ({ paused }) => <Count value={paused} /> },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}
