import { Button, Group, Paper, SegmentedControl, Stack } from '@mantine/core';
import { ChartColumn } from 'lucide-react';
import { Link } from 'wouter';
import { useAnswer } from '../../api/queries.ts';
import { useMay, useSession, useTimeZone } from '../../api/session-context.ts';
import { DayFilters, useTimeSpan } from '../../components/day-filters.tsx';
import { Page } from '../../components/page.tsx';
import { Script } from '../../components/script.ts';
import { Scripted } from '../../components/scripted.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { WhenNear } from '../../components/when-near.tsx';
import { channelsWith, useChannelName } from '../../features/messages/channels.ts';
import { AskZone } from '../../features/preferences/ask-zone.tsx';
import { spanOf } from '../../features/traffic/span.ts';
import { type Overview as Data, isLookedAt, pointsOf } from '../../features/traffic/totals.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { CampaignsNow } from './campaigns-now.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Queue } from './queue.tsx';
import { RecentFailures } from './recent-failures.tsx';
import { Charts, Strip } from './sums.tsx';
import './overview.css';

const REFETCH_MS = 10_000;
const lower = new Script(() => import('./lower.tsx'));

/**
 * First page of an account: balance and how long it lasts, traffic compared with the earlier period, failures, the queue,
 * and setup steps.
 */
export default function Overview() {
  const { overview: t } = useTexts();
  const nameOf = useChannelName();
  const { account } = useSession();
  const language = useLanguage();
  const filters = useFilters(['from', 'until', 'channel']);
  const { channel } = filters.values;
  const zone = useTimeZone();
  const span = spanOf(useTimeSpan(filters.values), Date.now(), zone);
  const keepBefore = { placeholderData: (before: Data | undefined) => before };
  const overview = useAnswer(
    '/v1/overview',
    { query: span.query },
    { refetchInterval: REFETCH_MS, ...keepBefore },
  );
  const before = useAnswer('/v1/overview', { query: span.before }, keepBefore);
  const isChosen = isLookedAt(channel);
  const figures = overview.data && {
    totals: overview.data.totals.filter(isChosen),
    before: before.data?.totals.filter(isChosen),
    points: pointsOf(overview.data, span.step, channel, zone, language),
    span,
  };
  const hasMessages = figures !== undefined && figures.totals.length > 0;
  return (
    <Page
      lead={t.lead(account?.name ?? '')}
      actions={
        <Group gap="sm" align="flex-end">
          <SegmentedControl
            size="sm"
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
          <DayFilters filters={filters} none={t.lastDay} />
        </Group>
      }
    >
      <AskZone />
      <Fetched query={overview} lines={3}>
        {() => figures && <Strip {...figures} />}
      </Fetched>
      <div className="home">
        <Stack gap="lg" className="home-main">
          <Fetched query={overview} lines={8}>
            {() => (hasMessages ? <Charts {...figures} /> : <NoMessages />)}
          </Fetched>
          <RecentFailures />
        </Stack>
        <Stack gap="lg" className="home-side">
          <CampaignsNow />
          <FirstSteps />
          <Queue />
        </Stack>
        <Stack gap="lg" className="home-lower">
          {hasMessages && (
            <WhenNear>
              {() => (
                <Scripted
                  script={lower}
                  props={{
                    points: figures.points,
                    countedAt: overview.data?.counted_at ?? null,
                    span,
                    chosen: channel,
                  }}
                  fallback={null}
                />
              )}
            </WhenNear>
          )}
        </Stack>
      </div>
    </Page>
  );
}

function NoMessages() {
  const { overview: t } = useTexts();
  const maySend = useMay('sender');
  return (
    <Paper withBorder>
      <Empty
        icon={ChartColumn}
        title={t.none}
        hint={t.noneHint}
        action={
          maySend && (
            <Button component={Link} href="/send">
              {t.send}
            </Button>
          )
        }
      />
    </Paper>
  );
}
