import { Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Id } from '../../components/facts.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Figure, Muted } from '../../components/text.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { bodyText } from './bodies.ts';
import {
  DELIVERIES,
  type Delivery,
  eventOf,
  eventTones,
  useEventName,
  type WebhookEvent,
} from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

const REFRESH_MS = 2_000;

type Replay = (event: WebhookEvent) => Promise<void>;

/** Number of attempts. An event accepted at the first attempt has no delivery row. */
export const attemptsOf = ({ state, delivery }: WebhookEvent): number =>
  delivery?.attempts ?? (state === 'delivered' ? 1 : 0);

/** Request of an event, and the result of its last attempt. */
export function DeliveryDetails({
  event,
  onClose,
  onReplay,
}: {
  readonly event: WebhookEvent | undefined;
  readonly onClose: () => void;
  /** Absent for those who may not. */
  readonly onReplay?: Replay;
}) {
  const eventName = useEventName();
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={event && eventName(event.type)}
    >
      {event && <Details event={event} onReplay={onReplay} />}
    </Drawer>
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

function Details({
  event: looked,
  onReplay,
}: {
  readonly event: WebhookEvent;
  readonly onReplay: Replay | undefined;
}) {
  const t = useWebhookTexts();
  const event = useLatest(looked);
  const { state, request, delivery } = event;
  return (
    <Stack>
      <SimpleGrid cols={2} spacing="sm">
        <Figure size="sm" label={t.state}>
          <StatusBadge tone={eventTones[state]}>{t.states[state]}</StatusBadge>
        </Figure>
        <Figure size="sm" label={t.attempts}>
          <Count value={attemptsOf(event)} />
        </Figure>
        <Figure size="sm" label={t.eventId}>
          <Id value={event.event_id} />
        </Figure>
        <Figure size="sm" label={t.happened}>
          <Time at={event.happened_at} to="second" />
        </Figure>
        {delivery && (
          <Figure size="sm" label={t.lastAttempt}>
            <Time at={delivery.answer.at} to="second" />
          </Figure>
        )}
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
          POST {request.url}
        </bdi>
      </Text>
      <CodeBlock code={bodyText(request)} label={t.request} />
      {delivery && <LastAnswer delivery={delivery} />}
      {state === 'delivered' && <Muted>{t.acceptedHint}</Muted>}
      {onReplay && state !== 'waiting' && <SendAgain event={event} onReplay={onReplay} />}
    </Stack>
  );
}

function SendAgain({ event, onReplay }: { readonly event: WebhookEvent; readonly onReplay: Replay }) {
  const t = useWebhookTexts();
  const [busy, setBusy] = useState(false);
  return (
    <Group>
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
    </Group>
  );
}

function LastAnswer({ delivery: { answer } }: { readonly delivery: Delivery }) {
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
