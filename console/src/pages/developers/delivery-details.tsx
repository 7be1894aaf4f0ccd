import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { Figure, Muted } from '../../components/text.tsx';
import type { Opened } from '../../components/use-opened.ts';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { bodyText } from './bodies.ts';
import { useMilliseconds } from './use-milliseconds.ts';
import {
  type Attempt,
  DELIVERIES,
  eventOf,
  eventTones,
  useEventName,
  type WebhookEvent,
} from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

const REFRESH_MS = 2_000;

export type Replay = (event: WebhookEvent) => Promise<void>;

/** Number of attempts. An event accepted at the first attempt has no delivery row. */
export const attemptsOf = ({ state, delivery }: WebhookEvent): number =>
  delivery?.attempts ?? (state === 'delivered' ? 1 : 0);

/** The open event of a list, in the side panel: its request and the answers of the endpoint. */
export function DeliveryPanel({
  opened,
  onReplay,
}: {
  readonly opened: Opened<WebhookEvent>;
  /** Absent for those who may not. */
  readonly onReplay: Replay | undefined;
}) {
  return opened.row ? <Shown row={opened.row} opened={opened} onReplay={onReplay} /> : null;
}

function Shown({
  row,
  opened,
  onReplay,
}: {
  readonly row: WebhookEvent;
  readonly opened: Opened<WebhookEvent>;
  readonly onReplay: Replay | undefined;
}) {
  const eventName = useEventName();
  const event = useLatest(row);
  return (
    <SidePanel
      opened={opened}
      title={eventName(event.type)}
      id={event.event_id}
      json={event}
      foot={onReplay && event.state !== 'waiting' && <SendAgain event={event} onReplay={onReplay} />}
    >
      <Details event={event} />
    </SidePanel>
  );
}

/** Current state of an event: its delivery is refreshed while it is open on the screen. */
function useLatest(event: WebhookEvent): WebhookEvent {
  const { delivery } = event;
  // The first one before the next id is the delivery itself.
  const query = { limit: 1, ...(delivery && { after: String(Number(delivery.id) + 1) }) };
  const { data } = useAnswer(
    DELIVERIES,
    { query },
    { enabled: delivery !== undefined && delivery !== null, refetchInterval: REFRESH_MS },
  );
  const latest = data?.deliveries.find(({ id }) => id === delivery?.id);
  return latest ? eventOf(latest) : event;
}

function Details({ event }: { readonly event: WebhookEvent }) {
  const t = useWebhookTexts();
  const { state, request, delivery } = event;
  return (
    <Stack>
      <SimpleGrid cols={2} spacing="sm">
        <Figure size="sm" label={t.state}>
          <StatusBadge tone={eventTones[state]}>{t.states[state]}</StatusBadge>
        </Figure>
        <Figure size="sm" label={t.happened}>
          <Time at={event.happened_at} to="second" />
        </Figure>
        <Figure size="sm" label={t.attempts}>
          <Count value={attemptsOf(event)} />
        </Figure>
        {delivery?.state === 'retrying' && (
          <>
            <Figure size="sm" label={t.nextAttempt}>
              <Time at={delivery.next_at} to="second" />
            </Figure>
            <Figure size="sm" label={t.giveUp}>
              <Time at={delivery.give_up_at} />
            </Figure>
          </>
        )}
      </SimpleGrid>
      <HiddenNote kind="webhook-url" />
      <HiddenNote kind="delivery-content" />
      <Title order={3} size="h5">
        {t.request}
      </Title>
      <Text size="sm">
        <bdi dir="ltr" className="break-anywhere">
          {request.method} {request.url}
        </bdi>
      </Text>
      <CodeBlock code={bodyText(request)} label={t.request} />
      <Answers event={event} />
    </Stack>
  );
}

/** The answers of the endpoint: all recorded attempts, otherwise the last answer of the delivery. */
function Answers({ event: { state, delivery, recorded_attempts } }: { readonly event: WebhookEvent }) {
  const t = useWebhookTexts();
  if (recorded_attempts.length > 0) {
    return (
      <>
        <Title order={3} size="h5">
          {t.answers}
        </Title>
        {recorded_attempts.map((attempt) => (
          <RecordedAttempt key={attempt.at} attempt={attempt} />
        ))}
      </>
    );
  }
  if (delivery) return <LastAnswer delivery={delivery} />;
  return state === 'delivered' && <Muted>{t.acceptedHint}</Muted>;
}

function RecordedAttempt({ attempt }: { readonly attempt: Attempt }) {
  const { at, duration_ms, http_status, error, body } = attempt;
  const ms = useMilliseconds();
  // The status says the same.
  const words = error === null || error === `answered ${http_status}` ? undefined : error;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        <bdi dir="ltr">{http_status === null ? words : `HTTP ${http_status}`}</bdi> · {ms(duration_ms)}
        <Muted size="xs" component="div">
          <Time at={at} to="second" />
        </Muted>
      </Text>
      {http_status !== null && words !== undefined && (
        <Muted size="xs">
          <bdi dir="ltr">{words}</bdi>
        </Muted>
      )}
      {body !== null && body !== '' && <CodeBlock code={body} label={at} />}
    </div>
  );
}

function SendAgain({ event, onReplay }: { readonly event: WebhookEvent; readonly onReplay: Replay }) {
  const t = useWebhookTexts();
  const [busy, setBusy] = useState(false);
  return (
    <Action
      icon={RotateCcw}
      mirrored
      loading={busy}
      onClick={() => {
        setBusy(true);
        void onReplay(event).finally(() => setBusy(false));
      }}
    >
      {event.state === 'retrying' ? t.retryNow : t.replay}
    </Action>
  );
}

function LastAnswer({ delivery: { answer } }: { readonly delivery: NonNullable<WebhookEvent['delivery']> }) {
  const t = useWebhookTexts();
  return (
    <>
      <Title order={3} size="h5">
        {t.lastAnswer}
      </Title>
      <Text size="sm">
        <bdi dir="ltr">
          {answer.http_status !== null && `HTTP ${answer.http_status} · `}
          {answer.error}
        </bdi>
      </Text>
      {answer.body ? (
        <CodeBlock code={answer.body} label={t.lastAnswer} />
      ) : (
        <Muted>{answer.http_status === null ? t.noAnswer : t.emptyAnswer}</Muted>
      )}
    </>
  );
}
