import { Alert, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { PhoneOff, Radio } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Figure, Muted, Section, TextLink } from '../../components/text.tsx';
import { Count, Phone, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useOperatorTexts } from './texts.ts';

type CarrierList = Answer<'/v1/operator/carriers'>;
type Carrier = CarrierList['carriers'][number];
type Queues = Answer<'/v1/operator/queues'>;
type Lane = Queues['lanes'][number];

const REFRESH_MS = 2_000;
/** Two minutes. */
const KEPT_RATES = 60;
const tones: Readonly<Record<Carrier['state'], Tone>> = { up: 'good', down: 'bad', free: 'warning' };
/** Younger to older. */
const ageColours = ['teal.5', 'verdigris.5', 'yellow.5', 'orange.6', 'red.7'];

/** Carrier connections and their queues, as they are now. */
export default function Network() {
  const { network: t } = useOperatorTexts();
  const carriers = useAnswer('/v1/operator/carriers', {}, { refetchInterval: REFRESH_MS });
  const queues = useAnswer('/v1/operator/queues', {}, { refetchInterval: REFRESH_MS });
  const rates = useRates(carriers.data?.carriers, carriers.dataUpdatedAt);
  return (
    <Page lead={t.lead}>
      <Section title={t.carriers}>
        <Fetched query={carriers}>
          {({ carriers: all }) => (
            <Carriers carriers={all.filter(({ channel }) => channel !== 'voice')} rates={rates}>
              <Empty icon={Radio} title={t.noCarriers} />
            </Carriers>
          )}
        </Fetched>
      </Section>
      <Section title={t.trunks} hint={t.trunksHint}>
        <Fetched query={carriers}>{(data) => <Trunks answer={data} rates={rates} />}</Fetched>
      </Section>
      <Section title={t.queues} hint={t.queuesHint}>
        <Fetched query={queues}>{(data) => <Waiting queues={data} />}</Fetched>
      </Section>
    </Page>
  );
}

/** The rates of each connection since the page was opened, the oldest first. */
function useRates(carriers: readonly Carrier[] | undefined, updatedAt: number): Rates {
  const [rates, setRates] = useState<Rates>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is one point, also one that is the same
  useEffect(() => {
    if (!carriers) return;
    setRates(
      (before) =>
        new Map(
          carriers.map(({ name, rate }) => [name, [...(before.get(name) ?? []), rate].slice(-KEPT_RATES)]),
        ),
    );
  }, [updatedAt]);
  return rates;
}

type Rates = ReadonlyMap<string, readonly number[]>;

/** A card for each connection; `children` without connections. */
function Carriers({
  carriers,
  rates,
  children,
}: {
  readonly carriers: readonly Carrier[];
  readonly rates: Rates;
  readonly children: ReactNode;
}) {
  if (carriers.length === 0) return <Paper withBorder>{children}</Paper>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {carriers.map((carrier) => (
        <CarrierCard key={carrier.name} carrier={carrier} rates={rates.get(carrier.name) ?? []} />
      ))}
    </SimpleGrid>
  );
}

function Trunks({ answer, rates }: { readonly answer: CarrierList; readonly rates: Rates }) {
  const { network: t } = useOperatorTexts();
  const trunks = answer.carriers.filter(({ channel }) => channel === 'voice');
  return (
    <>
      {answer.calls_problem !== null && trunks.length > 0 && (
        <Alert color="orange" icon={<PhoneOff />} title={t.noCalls}>
          <bdi dir="ltr">{answer.calls_problem}</bdi>
        </Alert>
      )}
      <Carriers carriers={trunks} rates={rates}>
        <Empty icon={PhoneOff} title={t.noTrunks} hint={t.noTrunksHint} />
      </Carriers>
    </>
  );
}

function CarrierCard({ carrier, rates }: { readonly carrier: Carrier; readonly rates: readonly number[] }) {
  const { network: t } = useOperatorTexts();
  const language = useLanguage();
  const digits = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 1 });
  return (
    <Paper withBorder p="md" component="article" aria-label={carrier.name}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          <bdi dir="ltr">{carrier.name}</bdi>
        </Text>
        <StatusBadge tone={tones[carrier.state]}>{t[carrier.state]}</StatusBadge>
      </Group>
      {carrier.problem && (
        <Alert color="red" mt="xs" p="xs" title={t.problems[carrier.problem.reason]}>
          <Text size="xs">
            <bdi dir="ltr">{carrier.problem.detail}</bdi>
          </Text>
        </Alert>
      )}
      <Text size="1.75rem" fw={650} lh={1.2} mt="xs">
        <bdi dir="ltr" className="figures">
          {digits(carrier.rate)}
        </bdi>{' '}
        <Muted span fw={400}>
          {carrier.trunk ? t.answeredPerSecond : t.perSecond}
        </Muted>
      </Text>
      <div role="img" aria-label={t.rateChart(carrier.name)} dir="ltr" className="rate-chart">
        {rates.length > 1 && <Sparkline values={rates} height={44} />}
      </div>
      <Group justify="space-between" mt="xs" gap="0 0.75rem">
        <Muted size="xs">
          {carrier.trunk ? t.calls : t.inFlight}:{' '}
          <bdi>{t.ofWindow(digits(carrier.in_flight), digits(carrier.window))}</bdi>
        </Muted>
        <Muted size="xs">
          {carrier.trunk ? t.answered : t.taken}: <Count value={carrier.taken} />
        </Muted>
      </Group>
      {carrier.trunk && (
        <Group justify="space-between" gap="0 0.75rem">
          <Muted size="xs">
            {t.callerId} <Phone number={carrier.trunk.caller_id} />
          </Muted>
          <Muted size="xs">
            {t.newCalls}:{' '}
            {carrier.trunk.calls_per_second === 0 ? (
              t.unlimited
            ) : (
              <bdi>{digits(carrier.trunk.calls_per_second)}</bdi>
            )}
          </Muted>
        </Group>
      )}
      <Muted size="xs">
        {t.told} <Time at={carrier.told_at} to="second" />
      </Muted>
    </Paper>
  );
}

function Waiting({ queues }: { readonly queues: Queues }) {
  const { network: t } = useOperatorTexts();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {queues.lanes.map((lane) => (
          <LaneCard key={lane.lane} lane={lane} />
        ))}
      </SimpleGrid>
      {queues.accounts.length > 0 && (
        <Paper withBorder className="table-card">
          <RowsTable
            caption={t.accounts}
            captionSide="top"
            horizontalSpacing="md"
            rows={queues.accounts}
            rowKey={(row) => `${row.account_id}-${row.lane}`}
            columns={[
              {
                title: t.account,
                cell: (row) => (
                  <TextLink href={`/operator/accounts/${row.account_id}`} size="sm">
                    <bdi dir="ltr">{row.username}</bdi>
                  </TextLink>
                ),
              },
              { title: t.lane, cell: (row) => t.lanes[row.lane] ?? row.lane },
              { title: t.due, align: 'end', cell: (row) => <Count value={row.due} /> },
              { title: t.oldest, align: 'end', cell: (row) => <Age seconds={row.oldest_seconds} /> },
            ]}
          />
        </Paper>
      )}
    </Stack>
  );
}

function LaneCard({ lane }: { readonly lane: Lane }) {
  const { network: t } = useOperatorTexts();
  const name = t.lanes[lane.lane] ?? lane.lane;
  const total = lane.by_age.reduce((sum, count) => sum + count, 0);
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Text fw={600}>{name}</Text>
      <Group gap="lg" mt="xs" align="flex-end">
        <Figure label={t.due}>
          <Count value={lane.due} />
        </Figure>
        <Figure label={t.oldest} size="md">
          {lane.due === 0 ? '–' : <Age seconds={lane.oldest_seconds} />}
        </Figure>
        <Figure label={t.later} size="md">
          <Count value={lane.later} />
        </Figure>
        {lane.paused > 0 && (
          <Figure label={t.paused} size="md">
            <Count value={lane.paused} />
          </Figure>
        )}
        {lane.held > 0 && (
          <Figure label={t.held} size="md">
            <Count value={lane.held} />
          </Figure>
        )}
      </Group>
      <Progress.Root size="lg" mt="md" aria-hidden>
        {lane.by_age.map((count, age) => (
          <Progress.Section
            key={ageColours[age]}
            value={total === 0 ? 0 : (count / total) * 100}
            color={ageColours[age]!}
          />
        ))}
      </Progress.Root>
      {total === 0 ? (
        <Muted size="xs" mt="xs">
          {t.empty}
        </Muted>
      ) : (
        <Group gap="sm" mt="xs" component="ul" className="plain-list" aria-label={t.byAge}>
          {lane.by_age.map((count, age) =>
            count === 0 ? null : (
              <Muted key={ageColours[age]} size="xs" component="li">
                <Text span inherit c={ageColours[age]!} aria-hidden>
                  ●
                </Text>{' '}
                {t.ages[age]}: <Count value={count} />
              </Muted>
            ),
          )}
        </Group>
      )}
    </Paper>
  );
}

function Age({ seconds }: { readonly seconds: number }) {
  const { network: t } = useOperatorTexts();
  const language = useLanguage();
  const digits = (value: number) =>
    value.toLocaleString(language, { maximumFractionDigits: value < 10 ? 1 : 0 });
  const text =
    seconds < 90
      ? t.seconds(digits(seconds))
      : seconds < 5_400
        ? t.minutes(digits(seconds / 60))
        : t.hours(digits(seconds / 3_600));
  return <bdi className="figures nowrap">{text}</bdi>;
}
