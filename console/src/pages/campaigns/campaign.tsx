import { Button, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { Card } from '../../components/card.tsx';
import { Copy } from '../../components/copy.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { Facts } from '../../components/facts.tsx';
import { HiddenNote, useHides } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Count, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { Legend, outcomesOf, ProgressBar, ProgressText } from '../../features/campaigns/progress.tsx';
import {
  isOpen,
  type Progress,
  type Shipment,
  type ShipmentDetail,
  stateTones,
  totalOf,
} from '../../features/campaigns/shipment.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { ShipmentActions } from './shipment-actions.tsx';
import '../../features/campaigns/campaigns.css';

const OutcomeChart = lazy(() => import('./outcome-chart.tsx'));
const REFETCH_MS = 10_000;

/** One campaign: its progress, the outcomes of its messages, and the reasons of failures. */
export default function Campaign() {
  const { campaigns: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const query = api.useQuery(
    'get',
    '/v1/shipments/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFETCH_MS },
  );
  if (!query.data) {
    return (
      <Page title={t.noName(id)}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  return <Shown key={id} read={query.data} />;
}

function Shown({ read }: { readonly read: ShipmentDetail }) {
  const texts = useTexts();
  const { campaigns: t, messages } = texts;
  const [live, setLive] = useState<{ readonly of: ShipmentDetail; readonly shipment: Shipment }>();
  // What was read last is newer than what the stream told before it.
  const shipment: ShipmentDetail = live?.of === read ? { ...read, ...live.shipment } : read;
  const keep = (told: Shipment) => setLive({ of: read, shipment: told });
  useLive(
    { shipments: isOpen(shipment) ? shipment.id : undefined },
    { shipment: (data) => keep(data as Shipment) },
  );
  const { id, campaign_name, state, channel, progress } = shipment;
  return (
    <Page
      title={campaign_name ?? t.noName(id)}
      lead={
        <Group gap="xs" component="span">
          <StatusBadge tone={stateTones[state]}>{t.states[state]}</StatusBadge>
          <span>{messages.channels[channel]}</span>·
          <Time at={state === 'scheduled' ? shipment.due_at : shipment.accepted_at} />
        </Group>
      }
      actions={
        <>
          <ShipmentActions shipment={shipment} onChange={keep} />
          <Download path={`/v1/shipments/${id}/messages.csv`} size="sm">
            {t.export}
          </Download>
        </>
      }
    >
      <Card title={t.progress} actions={<ProgressText shipment={shipment} />}>
        <ProgressBar shipment={shipment} size="xl" />
        <Group justify="space-between" align="center" gap="xl">
          <Legend parts={outcomesOf(shipment, texts)} />
          {progress !== null && totalOf(shipment) > 0 && (
            <Suspense fallback={<Skeleton circle height={150} />}>
              <OutcomeChart shipment={shipment} />
            </Suspense>
          )}
        </Group>
      </Card>
      {progress !== null && progress.failed > 0 && <Failures shipment={shipment} progress={progress} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="campaign-parts">
        <TextOf shipment={shipment} />
        <Card title={t.details}>
          <Details shipment={shipment} />
        </Card>
      </SimpleGrid>
    </Page>
  );
}

function TextOf({ shipment }: { readonly shipment: ShipmentDetail }) {
  const { campaigns: t } = useTexts();
  const hides = useHides('message-text');
  const { id, text } = shipment;
  return (
    <Card title={t.text}>
      {text ? (
        <p className="campaign-text" dir="auto">
          {text.replace(/\[DYNAMIC_FIELD([1-6])\]/g, (_, number: string) => t.field(number))}
        </p>
      ) : (
        !hides && <Muted>{t.ownTexts}</Muted>
      )}
      <HiddenNote kind="message-text" />
      <Group gap="sm">
        <Button component={Link} href={`/messages?by=shipment&q=${id}`} variant="default" size="xs">
          {t.seeMessages}
        </Button>
        <Button component={Link} href={`/links/${id}`} variant="default" size="xs">
          {t.seeClicks}
        </Button>
      </Group>
    </Card>
  );
}

function Details({ shipment }: { readonly shipment: ShipmentDetail }) {
  const { campaigns: t } = useTexts();
  const { id, source, cost, due_at, accepted_at, valid_until, progress } = shipment;
  const rows: (readonly [string, ReactNode])[] = [
    [t.recipients, <Count key="recipients" value={totalOf(shipment)} />],
    [t.cost, <Amount key="cost" value={cost} />],
    ...(source === null ? [] : [[t.sender, <Phone key="sender" number={source} />] as const]),
    [t.accepted, <Time key="accepted" at={accepted_at} to="second" />],
    [t.begins, <Time key="begins" at={due_at} to="second" />],
    [t.validUntil, <Time key="valid" at={valid_until} />],
    ...(progress === null
      ? []
      : [[t.countedAt, <Time key="counted" at={progress.counted_at} to="second" />] as const]),
    [
      t.id,
      <Group key="id" gap={4} wrap="nowrap">
        <bdi dir="ltr" className="figures">
          {id}
        </bdi>
        <Copy value={id} />
      </Group>,
    ],
  ];
  return <Facts rows={rows} />;
}

function Failures({ shipment, progress }: { readonly shipment: Shipment; readonly progress: Progress }) {
  const { campaigns: t, failures } = useTexts();
  const language = useLanguage();
  const total = totalOf(shipment);
  const percent = (share: number) =>
    share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Card
      title={t.failures}
      actions={
        <TextLink href={`/messages?by=shipment&q=${shipment.id}&state=failed`} size="sm">
          {t.seeMessages}
        </TextLink>
      }
    >
      <RowsTable
        caption={t.failures}
        minWidth={320}
        verticalSpacing="sm"
        rows={progress.failures}
        rowKey={({ status, word, key }) => `${status} ${word} ${key}`}
        columns={[
          {
            title: t.reason,
            cell: ({ key, word }) => (
              <>
                <Text size="sm" fw={500}>
                  {failures.words[key].why}
                </Text>
                {word !== null && (
                  <Muted size="xs">
                    <bdi dir="ltr">{word}</bdi>
                  </Muted>
                )}
                <Muted size="xs" hiddenFrom="sm">
                  {failures.words[key].todo}
                </Muted>
              </>
            ),
          },
          { title: failures.whose, wideOnly: true, cell: ({ fault }) => failures.faults[fault] },
          {
            title: failures.todo,
            wideOnly: true,
            cell: ({ key }) => <Text size="sm">{failures.words[key].todo}</Text>,
          },
          {
            title: t.count,
            align: 'end',
            cell: ({ count }) => (
              <>
                <Count value={count} />
                <Muted size="xs">
                  <bdi dir="ltr">{percent(count / total)}</bdi>
                </Muted>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
