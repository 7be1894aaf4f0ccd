import { Group, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { byId } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import type { MessageDetail } from '../../api/message-types.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Card } from '../../components/card.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { TextLink } from '../../components/text.tsx';
import { Amount, Count, Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useChannelName } from './channels.ts';
import { ContentCard } from './content.tsx';
import { FailureNote } from './failure.tsx';
import { Clicks, Pushes } from './message-events.tsx';
import { MessageTimeline } from './message-timeline.tsx';
import { OtherMessage, useOtherTexts } from './other-message.tsx';
import { MessageStateBadge } from './state.tsx';

/** Clicks and pushes arrive after the final status, and the live stream does not report them. */
const REFETCH_MS = 5_000;

/** A message with its timeline, up to date while it is on the screen. */
export function useMessage(id: string) {
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
  return query;
}

/** State, channel and time of a message, below its title. */
export function MessageLead({ message }: { readonly message: MessageDetail }) {
  const nameOf = useChannelName();
  return (
    <Group gap="xs" component="span">
      <MessageStateBadge state={message.state} channel={message.channel} />
      <span>{nameOf(message.channel)}</span>·<Time at={message.accepted_at} to="second" />
    </Group>
  );
}

/** A message with its timeline, content and details, in two columns by default. */
export function MessageView({
  message,
  isNarrow = false,
}: {
  readonly message: MessageDetail;
  readonly isNarrow?: boolean;
}) {
  const { messages } = useTexts();
  const t = messages.one;
  return (
    <>
      {message.failure && <FailureNote failure={message.failure} />}
      <SimpleGrid cols={isNarrow ? 1 : { base: 1, md: 2 }} spacing="lg">
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
  const { replaces } = useOtherTexts();
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
  if (message.fallback_for)
    rows.push([replaces, <OtherMessage key="replaces" other={message.fallback_for} />]);
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
