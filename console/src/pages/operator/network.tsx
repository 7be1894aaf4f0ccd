import { Alert, Anchor, Group, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { PhoneOff, Radio } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Count, Phone, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';

type Carriers = paths['/v1/operator/carriers']['get']['responses'][200]['content']['application/json'];
type Carrier = Carriers['carriers'][number];
type Queues = paths['/v1/operator/queues']['get']['responses'][200]['content']['application/json'];
type Lane = Queues['lanes'][number];

const RateChart = lazy(() => import('./rate-chart.tsx'));

const REFRESH_MS = 2_000;
/** Two minutes. */
const KEPT_RATES = 60;
const tones: Readonly<Record<Carrier['state'], Tone>> = { up: 'good', down: 'bad', free: 'warning' };
/** Younger to older. */
const ageColours = ['teal.5', 'petrol.5', 'yellow.5', 'orange.6', 'red.7'];

/** Links to carriers and what waits for them, as they are now. */
export default function Network() {
  const { network: t } = useTexts().operator;
  const carriers = api.useQuery('get', '/v1/operator/carriers', {}, { refetchInterval: REFRESH_MS });
  const queues = api.useQuery('get', '/v1/operator/queues', {}, { refetchInterval: REFRESH_MS });
  const rates = useRates(carriers.data?.carriers, carriers.dataUpdatedAt);
  return (
    <Page title={t.title} lead={t.lead}>
      <Stack gap="sm" component="section">
        <Title order={2} size="h4">
          {t.carriers}
        </Title>
        <Fetched query={carriers}>
          {({ carriers: all }) => {
            const links = all.filter(({ channel }) => channel !== 'voice');
            return links.length === 0 ? (
              <Paper withBorder>
                <Empty icon={Radio} title={t.noCarriers} />
              </Paper>
            ) : (
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
                {links.map((link) => (
                  <LinkCard key={link.name} link={link} rates={rates.get(link.name) ?? []} />
                ))}
              </SimpleGrid>
            );
          }}
        </Fetched>
      </Stack>
      <Stack gap="sm" component="section">
        <div>
          <Title order={2} size="h4">
            {t.trunks}
          </Title>
          <Text size="sm" c="dimmed">
            {t.trunksHint}
          </Text>
        </div>
        <Fetched query={carriers}>{(data) => <Trunks carriers={data} rates={rates} />}</Fetched>
      </Stack>
      <Stack gap="sm" component="section">
        <div>
          <Title order={2} size="h4">
            {t.queues}
          </Title>
          <Text size="sm" c="dimmed">
            {t.queuesHint}
          </Text>
        </div>
        <Fetched query={queues}>{(data) => <Waiting queues={data} />}</Fetched>
      </Stack>
    </Page>
  );
}

/** The rates of each link since the page was opened, the oldest first. */
function useRates(
  carriers: readonly Carrier[] | undefined,
  updatedAt: number,
): ReadonlyMap<string, readonly number[]> {
  const [rates, setRates] = useState<ReadonlyMap<string, readonly number[]>>(new Map());
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

function Trunks({
  carriers: { carriers, calls_problem: problem },
  rates,
}: {
  readonly carriers: Carriers;
  readonly rates: ReadonlyMap<string, readonly number[]>;
}) {
  const { network: t } = useTexts().operator;
  const trunks = carriers.filter(({ channel }) => channel === 'voice');
  return (
    <>
      {problem !== null && trunks.length > 0 && (
        <Alert color="orange" icon={<PhoneOff />} title={t.noCalls}>
          <bdi dir="ltr">{problem}</bdi>
        </Alert>
      )}
      {trunks.length === 0 ? (
        <Paper withBorder>
          <Empty icon={PhoneOff} title={t.noTrunks}>
            {t.noTrunksHint}
          </Empty>
        </Paper>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {trunks.map((trunk) => (
            <LinkCard key={trunk.name} link={trunk} rates={rates.get(trunk.name) ?? []} />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

function LinkCard({ link, rates }: { readonly link: Carrier; readonly rates: readonly number[] }) {
  const { network: t } = useTexts().operator;
  const language = useLanguage();
  const digits = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 1 });
  return (
    <Paper withBorder p="md" component="article" aria-label={link.name}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          <bdi dir="ltr">{link.name}</bdi>
        </Text>
        <StatusBadge tone={tones[link.state]}>{t[link.state]}</StatusBadge>
      </Group>
      {link.problem && (
        <Alert color="red" mt="xs" p="xs" title={t.tlsProblems[link.problem.reason]}>
          <Text size="xs">
            <bdi dir="ltr">{link.problem.detail}</bdi>
          </Text>
        </Alert>
      )}
      <Text size="1.75rem" fw={650} lh={1.2} mt="xs">
        <bdi dir="ltr" className="figures">
          {digits(link.rate)}
        </bdi>{' '}
        <Text span size="sm" fw={400} c="dimmed">
          {link.trunk ? t.answeredPerSecond : t.perSecond}
        </Text>
      </Text>
      <div role="img" aria-label={t.rateChart(link.name)} dir="ltr" className="rate-chart">
        {rates.length > 1 && (
          <Suspense fallback={null}>
            <RateChart rates={rates} />
          </Suspense>
        )}
      </div>
      <Group justify="space-between" mt="xs" gap="0 0.75rem">
        <Text size="xs" c="dimmed">
          {link.trunk ? t.calls : t.inFlight}:{' '}
          <bdi>{t.ofWindow(digits(link.in_flight), digits(link.window))}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {link.trunk ? t.answered : t.taken}: <Count value={link.taken} />
        </Text>
      </Group>
      {link.trunk && (
        <Group justify="space-between" gap="0 0.75rem">
          <Text size="xs" c="dimmed">
            {t.callerId} <Phone number={link.trunk.caller_id} />
          </Text>
          <Text size="xs" c="dimmed">
            {t.newCalls}:{' '}
            {link.trunk.calls_per_second === 0 ? (
              t.unlimited
            ) : (
              <bdi>{digits(link.trunk.calls_per_second)}</bdi>
            )}
          </Text>
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {t.told} <Time at={link.told_at} to="second" />
      </Text>
    </Paper>
  );
}

function Waiting({ queues }: { readonly queues: Queues }) {
  const { network: t } = useTexts().operator;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {queues.lanes.map((lane) => (
          <LaneCard key={lane.lane} lane={lane} />
        ))}
      </SimpleGrid>
      {queues.accounts.length > 0 && (
        <Paper withBorder className="table-card">
          <Table.ScrollContainer minWidth={320}>
            <Table verticalSpacing="xs" horizontalSpacing="md" captionSide="top">
              <Table.Caption>{t.accounts}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t.account}</Table.Th>
                  <Table.Th scope="col">{t.lane}</Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.due}
                  </Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.oldest}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {queues.accounts.map((row) => (
                  <Table.Tr key={`${row.account_id}-${row.lane}`}>
                    <Table.Td>
                      <Anchor component={Link} href={`/operator/accounts/${row.account_id}`} size="sm">
                        <bdi dir="ltr">{row.username}</bdi>
                      </Anchor>
                    </Table.Td>
                    <Table.Td>{t.lanes[row.lane] ?? row.lane}</Table.Td>
                    <Table.Td ta="end">
                      <Count value={row.due} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Age seconds={row.oldest_seconds} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Stack>
  );
}

function LaneCard({ lane }: { readonly lane: Lane }) {
  const { network: t } = useTexts().operator;
  const name = t.lanes[lane.lane] ?? lane.lane;
  const total = lane.by_age.reduce((sum, count) => sum + count, 0);
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Text fw={600}>{name}</Text>
      <Group gap="lg" mt="xs" align="flex-end">
        <div>
          <Text size="xs" c="dimmed">
            {t.due}
          </Text>
          <Text size="1.5rem" fw={650} lh={1.2}>
            <Count value={lane.due} />
          </Text>
        </div>
        <div>
          <Text size="xs" c="dimmed">
            {t.oldest}
          </Text>
          <Text fw={600}>{lane.due === 0 ? '–' : <Age seconds={lane.oldest_seconds} />}</Text>
        </div>
        <div>
          <Text size="xs" c="dimmed">
            {t.later}
          </Text>
          <Text fw={600}>
            <Count value={lane.later} />
          </Text>
        </div>
        {lane.paused > 0 && (
          <div>
            <Text size="xs" c="dimmed">
              {t.paused}
            </Text>
            <Text fw={600}>
              <Count value={lane.paused} />
            </Text>
          </div>
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
        <Text size="xs" c="dimmed" mt="xs">
          {t.empty}
        </Text>
      ) : (
        <Group gap="sm" mt="xs" component="ul" className="plain-list" aria-label={t.byAge}>
          {lane.by_age.map((count, age) =>
            count === 0 ? null : (
              <Text key={ageColours[age]} size="xs" c="dimmed" component="li">
                <Text span inherit c={ageColours[age]!} aria-hidden>
                  ●
                </Text>{' '}
                {t.ages[age]}: <Count value={count} />
              </Text>
            ),
          )}
        </Group>
      )}
    </Paper>
  );
}

function Age({ seconds }: { readonly seconds: number }) {
  const { network: t } = useTexts().operator;
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
