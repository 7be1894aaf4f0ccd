import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Copy, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import type { MessageDetail } from '../../api/message-types.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Count, Phone, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { ContentCard } from '../../features/messages/content.tsx';
import { MessageTimeline } from '../../features/messages/message-timeline.tsx';
import { MessageStateBadge } from '../../features/messages/state.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { FailureNote } from './failure.tsx';
import './message.css';

/** Clicks and pushes arrive after the final status, and the live stream does not report them. */
const REFETCH_MS = 5_000;
/** Placeholder of the service for a secret. */
const HIDDEN = '••••••';

/** One message with its timeline. */
export default function OneMessage() {
  const { messages: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const refresh = useRefresh();
  const query = useAnswer('/v1/messages/{id}', byId(id), { refetchInterval: REFETCH_MS });
  useLive(
    { messages: id },
    {
      message() {
        void refresh('/v1/messages/{id}');
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
  return <Shown message={query.data} />;
}

function Shown({ message }: { readonly message: MessageDetail }) {
  const { messages } = useTexts();
  const nameOf = useChannelName();
  const t = messages.one;
  return (
    <Page
      title={t.title(message.phone)}
      lead={
        <Group gap="xs" component="span">
          <MessageStateBadge state={message.state} channel={message.channel} />
          <span>{nameOf(message.channel)}</span>·<Time at={message.accepted_at} to="second" />
        </Group>
      }
      actions={<Actions message={message} />}
    >
      {message.failure && <FailureNote failure={message.failure} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          <Card title={t.timeline}>
            <MessageTimeline message={message} />
          </Card>
          <Content message={message} />
        </Stack>
        <Stack gap="lg">
          <Card title={t.details}>
            <Details message={message} />
          </Card>
          {(message.link !== null || message.carrier_status !== null) && (
            <Card title={t.carrier}>
              <Carrier message={message} />
            </Card>
          )}
        </Stack>
      </SimpleGrid>
      {message.clicks.length > 0 && <Clicks clicks={message.clicks} />}
      {message.pushes.length > 0 && <Pushes pushes={message.pushes} />}
    </Page>
  );
}

/** Actions: retry a waiting message immediately; send a text, buttons or a carousel again from the composer. */
function Actions({ message: { id, channel, text, waiting } }: { readonly message: MessageDetail }) {
  const t = useTexts().messages.one;
  const maySend = useMay('sender');
  const attempt = useAttempt();
  const done = useDone();
  const { busy, run } = useTask(() =>
    attempt(async () => {
      await client.POST('/v1/messages/{id}/retry', byId(id));
      await done(t.retried, '/v1/messages/{id}');
    }),
  );
  const content = useAnswer('/v1/messages/{id}/content', byId(id), {
    enabled: channel === 'chat',
  });
  if (!maySend) return null;
  const again =
    channel === 'sms' && text !== null && !text.includes(HIDDEN)
      ? `/send?again=${id}`
      : ['buttons', 'carousel'].includes(content.data?.chat?.kind ?? '')
        ? `/send?channel=chat&again=${id}`
        : undefined;
  const retries = waiting && waiting.attempts > 0 && !waiting.paused && !waiting.held && !waiting.in_hand;
  return (
    <>
      {retries && Date.parse(waiting.due_at) > Date.now() && (
        <Action icon={RotateCcw} mirrored loading={busy} onClick={() => void run()}>
          {t.retryNow}
        </Action>
      )}
      {again !== undefined && (
        <Action icon={Copy} variant="default" href={again}>
          {t.sendAgain}
        </Action>
      )}
    </>
  );
}

/** Content of the message as received, or as it will be received while the message waits. */
function Content({ message: { id, source } }: { readonly message: MessageDetail }) {
  const query = useAnswer('/v1/messages/{id}/content', byId(id));
  return <ContentCard query={query} sender={source} />;
}

function Details({ message }: { readonly message: MessageDetail }) {
  const { messages } = useTexts();
  const t = messages.one;
  const rows: [string, ReactNode][] = [
    [
      messages.to,
      <TextLink key="to" href={`/recipients/${encodeURIComponent(message.phone)}`}>
        <Phone number={message.phone} />
      </TextLink>,
    ],
    [t.sender, <Phone key="sender" number={message.source} />],
    [t.id, <Id key="id" value={message.id} />],
    [
      t.shipment,
      <Id key="shipment" value={message.shipment_id} href={`/campaigns/${message.shipment_id}`} />,
    ],
  ];
  if (message.campaign_name !== null)
    rows.push([t.campaign, <bdi key="campaign">{message.campaign_name}</bdi>]);
  if (message.external_id !== null) rows.push([t.externalId, <Id key="own" value={message.external_id} />]);
  if (typeof message.call?.seconds === 'number') {
    rows.push([t.heard, t.seconds(String(message.call.seconds))]);
  }
  if (message.channel === 'sms') rows.push([t.parts, <Count key="parts" value={message.parts} />]);
  rows.push([
    messages.price,
    <span key="price">
      <Amount value={message.price} unit />
      {message.given_back !== null && <> · {t.givenBack}</>}
    </span>,
  ]);
  if (message.valid_until !== null && message.ended_at === null)
    rows.push([t.validUntil, <Time key="valid" at={message.valid_until} />]);
  return <Facts rows={rows} />;
}

function Carrier({ message }: { readonly message: MessageDetail }) {
  const { messages } = useTexts();
  const t = messages.one;
  const { link, carrier_status: carrierStatus, status, status_text, carrier_ids } = message;
  const rows: [string, ReactNode][] = [];
  if (link !== null) rows.push([t.link, <bdi key="link">{link}</bdi>]);
  if (carrierStatus !== null) rows.push([t.carrierStatus, <bdi key="carrier-status">{carrierStatus}</bdi>]);
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

function Clicks({ clicks }: { readonly clicks: MessageDetail['clicks'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.clicks}>
      <HiddenNote kind="link-target" />
      <RowsTable
        caption={t.clicks}
        minWidth={320}
        rows={clicks}
        rowKey={({ at, url }) => `${at} ${url}`}
        hiddenHead
        columns={[
          { title: t.clickedAt, cell: ({ at }) => <Time at={at} to="second" /> },
          { title: t.visitor, cell: ({ visitor }) => t.visitors[visitor] ?? visitor },
          {
            title: t.address,
            cell: ({ url, key }) => (
              <Text size="sm" className="breakable">
                <bdi dir="ltr">{url ?? key}</bdi>
              </Text>
            ),
          },
        ]}
      />
    </Card>
  );
}

const pushTones: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'neutral',
  retrying: 'warning',
  failed: 'bad',
};

function Pushes({ pushes }: { readonly pushes: MessageDetail['pushes'] }) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <Card title={t.pushes}>
      <HiddenNote kind="webhook-url" />
      <RowsTable
        caption={t.pushes}
        minWidth={420}
        rows={pushes}
        rowKey={({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`}
        columns={[
          {
            title: t.pushWhat,
            cell: ({ type, at }) => (
              <>
                <bdi dir="ltr">{type}</bdi>
                <Muted size="xs">
                  <Time at={at} to="second" />
                </Muted>
              </>
            ),
          },
          {
            title: t.pushTo,
            cell: ({ url }) => (
              <Text size="sm" className="breakable">
                <bdi dir="ltr">{url}</bdi>
              </Text>
            ),
          },
          { title: t.pushState, cell: (push) => <PushState push={push} /> },
        ]}
      />
    </Card>
  );
}

function PushState({ push }: { readonly push: MessageDetail['pushes'][number] }) {
  const t = useTexts().messages.one;
  const { state, last_status, last_error } = push;
  return (
    <>
      <StatusBadge tone={pushTones[state] ?? 'neutral'}>{t.pushStates[state] ?? state}</StatusBadge>
      {(last_status !== null || last_error !== null) && (
        <Muted size="xs">
          <bdi dir="ltr">{last_error ?? `HTTP ${last_status}`}</bdi>
        </Muted>
      )}
    </>
  );
}
