import { Paper, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { KeyRound, Send } from 'lucide-react';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Tile } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { CodesChart } from './codes-chart.tsx';
import { Applications, Prefixes } from './conversion.tsx';
import { Blocks } from './fraud-blocks.tsx';
import { useCodeTexts } from './texts.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const days = { day: 1, week: 7, month: 31 } as const;
type Range = keyof typeof days;
const ranges = Object.keys(days) as Range[];

/** One-time codes: sent, used, stopped. */
export default function Codes() {
  const t = useCodeTexts();
  const maySend = useMay('sender');
  const [search, setSearch] = useSearchParams();
  const asked = search.get('range');
  const range: Range = ranges.find((one) => one === asked) ?? 'day';
  // Rounded to the minute, so that the key of the query stays the same.
  const span = useMemo(() => {
    const to = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    return {
      from: new Date(to - days[range] * DAY_MS).toISOString(),
      to: new Date(to).toISOString(),
    };
  }, [range]);
  const hourly = useAnswer('/v1/otp/hours', { query: span });
  return (
    <Page
      lead={t.lead}
      actions={
        <>
          <SegmentedControl
            aria-label={t.range}
            value={range}
            onChange={(value) => setSearch({ range: value }, { replace: true })}
            data={ranges.map((value) => ({ value, label: t.ranges[value] }))}
          />
          {maySend && (
            <Action icon={Send} mirrored href="/send?channel=code">
              {t.sendCode}
            </Action>
          )}
        </>
      }
    >
      <Fetched query={hourly}>
        {({ hours: rows }) =>
          rows.length === 0 ? (
            <Paper withBorder>
              <Empty icon={KeyRound} title={t.none} hint={t.noneHint} />
            </Paper>
          ) : (
            <Stack gap="lg">
              <Totals rows={rows} />
              <Card title={t.chart}>
                <CodesChart rows={rows} from={span.from} to={span.to} byDay={range !== 'day'} />
              </Card>
            </Stack>
          )
        }
      </Fetched>
      <Applications span={span} />
      <Prefixes span={span} />
      <Blocks span={span} />
    </Page>
  );
}

interface HourlyCounts {
  readonly sent: number;
  readonly verified: number;
  readonly stopped: number;
}

function Totals({ rows }: { readonly rows: readonly HourlyCounts[] }) {
  const t = useCodeTexts();
  const language = useLanguage();
  const sum = (of: keyof HourlyCounts) => rows.reduce((total, row) => total + row[of], 0);
  const [sent, used, stopped] = [sum('sent'), sum('verified'), sum('stopped')];
  const share = sent === 0 ? '–' : percentOf(used, sent, language);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <Tile label={t.sent}>
        <Count value={sent} />
      </Tile>
      <Tile label={t.used}>
        <Count value={used} />
      </Tile>
      <Tile label={t.share}>
        <bdi dir="ltr">{share}</bdi>
      </Tile>
      <Tile label={t.stopped}>
        <Count value={stopped} />
      </Tile>
    </SimpleGrid>
  );
}
