import { Group, Paper, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Card } from '../components/card.tsx';
import { BarChart } from '../components/charts/bar-chart.tsx';
import { RingChart } from '../components/charts/ring-chart.tsx';
import { Sparkline } from '../components/charts/sparkline.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { DataTable, RowsTable } from '../components/data-table.tsx';
import { Facts, Id } from '../components/facts.tsx';
import { Empty } from '../components/states.tsx';
import { Named, Tile } from '../components/text.tsx';
import { Address, Amount, Count, Phone, StatusBadge, Time, type Tone } from '../components/values.tsx';
import { useDesignTexts } from './texts.ts';

const AT = '2036-11-23T06:00:00.000Z';
const ID = '1774337460000002';
const tones: readonly Tone[] = ['good', 'busy', 'neutral', 'warning', 'bad'];
const colors = ['canvas', 'sheet', 'raised', 'sunken', 'hover', 'pressed', 'line', 'ink', 'ink-2', 'ink-3'];
const charts = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6'];
const statuses = ['accent', 'good', 'busy', 'wait', 'bad'];

export function Colors() {
  const t = useDesignTexts();
  return (
    <Card title={t.colors}>
      {[colors, statuses, charts].map((names) => (
        <Group key={names[0]} gap="xs">
          {names.map((name) => (
            <Stack key={name} gap={2}>
              <Paper withBorder w={72} h={40} style={{ background: `var(--${name})` }} />
              <Text size="xs" dir="ltr">
                {name}
              </Text>
            </Stack>
          ))}
        </Group>
      ))}
    </Card>
  );
}

export function Statuses() {
  const t = useDesignTexts();
  return (
    <Card title={t.status}>
      <Group gap="xl">
        {tones.map((tone) => (
          <StatusBadge key={tone} tone={tone}>
            {t.tones[tone]}
          </StatusBadge>
        ))}
      </Group>
    </Card>
  );
}

export function Values() {
  const t = useDesignTexts();
  return (
    <Card title={t.values}>
      <Facts
        rows={[
          [t.recipients, <Count key="count" value={1204} />],
          [t.price, <Amount key="price" value="1204.5" unit />],
          [t.phone, <Phone key="phone" number="972521230001" />],
          [t.at, <Time key="at" at={AT} to="second" />],
          [t.request, <Id key="id" value={ID} />],
          [t.text, <Address key="address" url="https://shop.example/winter?from=sms" />],
        ]}
      />
      <CodeBlock code={`{ "id": "${ID}" }`} label={t.request} />
    </Card>
  );
}

interface Row {
  readonly id: string;
  readonly tone: Tone;
  readonly count: number;
  readonly price: string;
}

const rows: readonly Row[] = tones.map((tone, index) => ({
  id: `${Number(ID) + index}`,
  tone,
  count: 1204 * (index + 1),
  price: `${120.4 * (index + 1)}`,
}));

export function Tables() {
  const t = useDesignTexts();
  const pages = {
    error: null,
    fetching: false,
    busy: false,
    fetchingMore: false,
    shorten: undefined,
    retry() {},
  };
  const table = {
    rowKey: ({ id }: Row) => id,
    columns: [
      {
        title: t.campaign,
        rowHeader: true,
        onPhone: 'title' as const,
        cell: ({ id }: Row) => (
          <Named name={t.written}>
            <bdi dir="ltr">{id}</bdi>
          </Named>
        ),
      },
      {
        title: t.state,
        onPhone: 'text' as const,
        cell: ({ tone }: Row) => <StatusBadge tone={tone}>{t.tones[tone]}</StatusBadge>,
      },
      {
        title: t.recipients,
        align: 'end' as const,
        onPhone: 'end' as const,
        cell: ({ count }: Row) => <Count value={count} />,
      },
      {
        title: t.price,
        align: 'end' as const,
        cell: ({ price }: Row) => <Amount value={price} />,
      },
    ],
    empty: <Empty title={t.none} hint={t.noneHint} />,
  };
  return (
    <Card title={t.tables}>
      <DataTable caption={t.tables} {...table} opened={rows[1]!.id} pages={{ ...pages, rows, more() {} }} />
      <DataTable caption={t.loading} {...table} pages={{ ...pages, rows: undefined, more: undefined }} />
      <DataTable caption={t.empty} {...table} pages={{ ...pages, rows: [], more: undefined }} />
      <RowsTable caption={t.blank} rows={[]} rowKey={table.rowKey} columns={table.columns} empty={t.blank} />
    </Card>
  );
}

const days = ['17', '18', '19', '20', '21', '22', '23'];

export function Charts() {
  const t = useDesignTexts();
  const bars = days.map((label, index) => ({
    label,
    values: { delivered: 480 + index * 30, failed: 24 - index * 2 },
  }));
  return (
    <Card title={t.charts}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Tile label={t.recipients}>
          <Count value={12_040} />
        </Tile>
        <Tile label={t.price}>
          <Amount value="1204.5" />
        </Tile>
        <Paper withBorder p="md">
          <Sparkline values={[3, 5, 4, 8, 7, 12, 11]} height={48} />
        </Paper>
      </SimpleGrid>
      <VisuallyHidden>{t.chartText}</VisuallyHidden>
      <BarChart
        bars={bars}
        series={[
          { name: 'delivered', label: t.delivered, color: 'good' },
          { name: 'failed', label: t.failed, color: 'bad' },
        ]}
        height={180}
        whole
      />
      <Group>
        <RingChart
          parts={[
            { text: t.delivered, value: 84, color: 'good' },
            { text: t.waiting, value: 10, color: 'wait' },
            { text: t.failed, value: 6, color: 'bad' },
          ]}
        />
        <RingChart parts={charts.map((color, index) => ({ text: color, value: 6 - index, color }))} />
      </Group>
    </Card>
  );
}
