import { Anchor, Group, SimpleGrid, Stack, Table, Text, Timeline } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  Ban,
  Bell,
  CalendarClock,
  Check,
  CheckCheck,
  Clock,
  Inbox,
  type LucideIcon,
  MousePointerClick,
  RadioTower,
  Undo2,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { Card } from '../../components/card.tsx';
import { Copy } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { HiddenNote, useHides } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Amount, Count, Phone, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { Linked } from '../../handset/linked.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { durationText } from './duration.ts';
import { FailureNote } from './failure.tsx';
import './message.css';
import { MessageStateBadge } from './state.tsx';
import type { Step, Story } from './types.ts';

/** Clicks and pushes come after the end, and no stream tells of them. */
const REFETCH_MS = 5_000;

/** The whole way of one message. */
export default function OneMessage() {
  const { messages: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const queryClient = useQueryClient();
  const query = api.useQuery(
    'get',
    '/v1/messages/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFETCH_MS },
  );
  useLive(
    { messages: id },
    {
      message() {
        void queryClient.invalidateQueries({ queryKey: ['get', '/v1/messages/{id}'] });
      },
    },
  );
  if (!query.data) {
    return (
      <Page title={t.oneTitle}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    );
  }
  return <Shown story={query.data} />;
}

function Shown({ story }: { readonly story: Story }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Page
      title={t.title(story.phone)}
      lead={
        <Group gap="xs" component="span">
          <MessageStateBadge state={story.state} />
          <span>{messages.channels[story.channel]}</span>·<Time at={story.accepted_at} to="second" />
        </Group>
      }
    >
      {story.failure && <FailureNote failure={story.failure} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          <Card title={t.way}>
            <Way story={story} />
          </Card>
          <TextCard story={story} />
        </Stack>
        <Stack gap="lg">
          <Card title={t.details}>
            <Details story={story} />
          </Card>
          {(story.link !== null || story.word !== null) && (
            <Card title={t.carrier}>
              <Carrier story={story} />
            </Card>
          )}
        </Stack>
      </SimpleGrid>
      {story.clicks.length > 0 && <Clicks clicks={story.clicks} />}
      {story.pushes.length > 0 && <Pushes pushes={story.pushes} />}
    </Page>
  );
}

const icons: Readonly<Record<Step, LucideIcon>> = {
  accepted: Inbox,
  scheduled: CalendarClock,
  waiting: Clock,
  handed_over: RadioTower,
  delivered: Check,
  failed: X,
  cancelled: Ban,
  given_back: Undo2,
  read: CheckCheck,
  clicked: MousePointerClick,
  pushed: Bell,
};
const colours: Partial<Readonly<Record<Step, string>>> = {
  delivered: 'teal.8',
  read: 'teal.8',
  failed: 'red.8',
  cancelled: 'orange.9',
  waiting: 'gray.6',
  scheduled: 'gray.6',
};

function Way({ story }: { readonly story: Story }) {
  const texts = useTexts();
  const t = texts.messages.one;
  const language = useLanguage();
  const { steps, waiting, accepted_at } = story;
  // Where a message waits is told below: a time in the future is no step yet, and that of what is paused says nothing.
  const done = steps.filter(({ step }) => step !== 'waiting');
  const begun = Date.parse(accepted_at);
  return (
    <div aria-live="polite">
      <Timeline active={done.length - 1} bulletSize={28} lineWidth={2} color="petrol.7">
        {done.map(({ step, at }, index) => {
          const Icon = icons[step];
          const since = Date.parse(at) - begun;
          // A trunk tells of a call when that is over: when it was answered is not known.
          const isAnswer = story.channel === 'voice' && step === 'handed_over';
          return (
            <Timeline.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: steps of one message have their order, and come twice
              key={index}
              bullet={<Icon size={15} aria-hidden />}
              title={stepText(step, story, t)}
              color={colours[step] ?? 'petrol.7'}
            >
              <Text size="sm" c="dimmed">
                {!isAnswer && <Time at={at} to="second" />}
                {!isAnswer && step !== 'accepted' && step !== 'scheduled' && since >= 0 && (
                  <> · {t.after(durationText(since, texts))}</>
                )}
                {(step === 'delivered' || step === 'failed') && typeof story.call?.seconds === 'number' && (
                  <> · {t.heardFor(story.call.seconds.toLocaleString(language))}</>
                )}
              </Text>
            </Timeline.Item>
          );
        })}
        {waiting && (
          <Timeline.Item
            bullet={<Clock size={15} aria-hidden />}
            title={stepText('waiting', story, t)}
            lineVariant="dashed"
            color="gray.6"
          >
            <Text size="sm" c="dimmed">
              {waitingText(waiting, story.channel === 'voice' ? { ...t, waitsSince: t.callWaits } : t)}
              {!waiting.paused && !waiting.in_hand && (
                <>
                  {' '}
                  <Time at={waiting.due_at} to="second" />
                </>
              )}
              {waiting.attempts > 0 && !waiting.paused && <> {t.attempts(waiting.attempts)}</>}
              {waiting.attempts > 0 && story.call && (
                <>
                  {' '}
                  {t.lastTry}: {t.callSteps.failed[story.call.outcome] ?? t.callSteps.failed.other}
                </>
              )}
            </Text>
          </Timeline.Item>
        )}
      </Timeline>
    </div>
  );
}

/** A step in words; of a call in those of the telephone. */
function stepText(
  step: Step,
  { channel, call }: Story,
  { steps, callSteps }: Dictionary['messages']['one'],
): string {
  if (channel !== 'voice') return steps[step];
  if (step === 'waiting' || step === 'handed_over' || step === 'delivered') return callSteps[step];
  if (step === 'failed') return (call && callSteps.failed[call.outcome]) ?? steps.failed;
  return steps[step];
}

function waitingText(
  { paused, in_hand, due_at }: NonNullable<Story['waiting']>,
  t: {
    readonly paused: string;
    readonly inHand: string;
    readonly waitsSince: string;
    readonly waitsUntil: string;
  },
): string {
  if (paused) return t.paused;
  if (in_hand) return t.inHand;
  return Date.parse(due_at) > Date.now() ? t.waitsUntil : t.waitsSince;
}

function TextCard({ story }: { readonly story: Story }) {
  const { messages: t } = useTexts();
  if (useHides('message-text')) {
    return (
      <Card title={t.text}>
        <HiddenNote kind="message-text" />
      </Card>
    );
  }
  return (
    <Card title={t.text}>
      {story.text ? (
        <p className="message-text" dir="auto">
          <Linked text={story.text} />
        </p>
      ) : (
        <Text size="sm" c="dimmed">
          {t.noText}
        </Text>
      )}
    </Card>
  );
}

function Id({ value, href }: { readonly value: string; readonly href?: string }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {href === undefined ? (
        <bdi dir="ltr" className="figures">
          {value}
        </bdi>
      ) : (
        <Anchor component={Link} href={href} size="sm">
          <bdi dir="ltr" className="figures">
            {value}
          </bdi>
        </Anchor>
      )}
      <Copy value={value} />
    </Group>
  );
}

function Details({ story }: { readonly story: Story }) {
  const { messages } = useTexts();
  const t = messages.one;
  const rows: [string, ReactNode][] = [
    [messages.to, <Phone key="to" number={story.phone} />],
    [t.sender, <Phone key="sender" number={story.source} />],
    [t.id, <Id key="id" value={story.id} />],
    [t.shipment, <Id key="shipment" value={story.shipment_id} href={`/campaigns/${story.shipment_id}`} />],
  ];
  if (story.campaign_name !== null) rows.push([t.campaign, <bdi key="campaign">{story.campaign_name}</bdi>]);
  if (story.external_id !== null) rows.push([t.externalId, <Id key="own" value={story.external_id} />]);
  if (typeof story.call?.seconds === 'number') {
    rows.push([t.heard, t.seconds(String(story.call.seconds))]);
  }
  if (story.channel === 'sms') rows.push([t.parts, <Count key="parts" value={story.parts} />]);
  rows.push([
    messages.price,
    <span key="price">
      <Amount value={story.price} />
      {story.given_back !== null && <> · {t.givenBack}</>}
    </span>,
  ]);
  if (story.valid_until !== null && story.ended_at === null)
    rows.push([t.validUntil, <Time key="valid" at={story.valid_until} />]);
  return <Facts rows={rows} />;
}

function Carrier({ story }: { readonly story: Story }) {
  const { messages } = useTexts();
  const t = messages.one;
  const { link, word, status, status_text, carrier_ids } = story;
  const rows: [string, ReactNode][] = [];
  if (link !== null) rows.push([t.link, <bdi key="link">{link}</bdi>]);
  if (word !== null) rows.push([t.word, <bdi key="word">{word}</bdi>]);
  rows.push([
    t.statusCode,
    <bdi key="status" dir="ltr">
      {status} · {status_text}
    </bdi>,
  ]);
  for (const { part, id } of carrier_ids)
    rows.push([
      part === 0 ? t.carrierIds : `${t.carrierIds} · ${t.part(part)}`,
      <Id key={part} value={id} />,
    ]);
  return <Facts rows={rows} />;
}

function Clicks({ clicks }: { readonly clicks: Story['clicks'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.clicks}>
      <HiddenNote kind="link-target" />
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs">
          <Table.Tbody>
            {clicks.map((click) => (
              <Table.Tr key={`${click.at} ${click.url}`}>
                <Table.Td>
                  <Time at={click.at} to="second" />
                </Table.Td>
                <Table.Td>{t.visitors[click.visitor] ?? click.visitor}</Table.Td>
                <Table.Td>
                  <Text size="sm" className="breakable">
                    <bdi dir="ltr">{click.url ?? click.key}</bdi>
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

const pushTones: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'neutral',
  retrying: 'warning',
  failed: 'bad',
};

function Pushes({ pushes }: { readonly pushes: Story['pushes'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.pushes}>
      <HiddenNote kind="webhook-url" />
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.pushWhat}</Table.Th>
              <Table.Th scope="col">{t.pushTo}</Table.Th>
              <Table.Th scope="col">{t.pushState}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pushes.map((push) => (
              <Table.Tr key={`${push.event_id} ${push.endpoint_id}`}>
                <Table.Td>
                  <bdi dir="ltr">{push.type}</bdi>
                  <Text size="xs" c="dimmed">
                    <Time at={push.at} to="second" />
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" className="breakable">
                    <bdi dir="ltr">{push.url}</bdi>
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StatusBadge tone={pushTones[push.state] ?? 'neutral'}>
                    {t.pushStates[push.state] ?? push.state}
                  </StatusBadge>
                  {(push.last_status !== null || push.last_error !== null) && (
                    <Text size="xs" c="dimmed">
                      <bdi dir="ltr">{push.last_error ?? `HTTP ${push.last_status}`}</bdi>
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
