import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { CircleCheck, RotateCcw, Webhook as Webhooks } from 'lucide-react';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { byId, client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { choicesOf } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Empty } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useOpened } from '../../components/use-opened.ts';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { attemptsOf, DeliveryPanel, type Replay } from './delivery-details.tsx';
import { ReplayForm } from './replay-many.tsx';
import { useMilliseconds } from './use-milliseconds.ts';
import {
  DELIVERIES,
  type Delivery,
  EVENTS,
  eventOf,
  eventTones,
  useEventName,
  type Webhook,
  type WebhookEvent,
} from './webhook.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

type State = Delivery['state'];

const ROWS = 25;
const REFRESH_MS = 5_000;

/** Events of an endpoint, or those not accepted at the first attempt, by state. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const t = useWebhookTexts();
  const { filters: words } = useTexts();
  const attempt = useAttempt();
  const { role } = useSession();
  const done = useDone();
  const refresh = useRefresh();
  const filters = useFilters(['state']);
  const { state } = filters.values;
  const { open } = useDialogs();
  const maySend = atLeast(role, 'sender') && webhook.state === 'active';
  async function replay({ event_id }: WebhookEvent) {
    await attempt(async () => {
      await client.POST('/v1/webhooks/{id}/replay', { ...byId(webhook.id), body: { event_id } });
      await done(t.replayed);
    });
    await refresh(DELIVERIES, EVENTS);
  }
  return (
    <Section
      title={t.deliveries}
      hint={t.deliveriesHint}
      actions={
        <Group gap="sm" align="flex-end">
          <NativeSelect
            aria-label={t.deliveryState}
            value={state}
            onChange={(event) => filters.set('state', event.currentTarget.value)}
            data={[{ value: '', label: words.all }, ...choicesOf(t.deliveryStates)]}
          />
          {maySend && (
            <Action
              icon={RotateCcw}
              mirrored
              variant="default"
              onClick={() => open(t.replayTitle, <ReplayForm webhook={webhook} />)}
            >
              {t.replayAll}
            </Action>
          )}
        </Group>
      }
    >
      {state === '' ? (
        <AllEvents webhook={webhook} onReplay={maySend ? replay : undefined} />
      ) : (
        <DeliveriesIn state={state as State} webhook={webhook} onReplay={maySend ? replay : undefined} />
      )}
    </Section>
  );
}

interface TableProps {
  readonly webhook: Webhook;
  readonly onReplay: Replay | undefined;
}

function AllEvents({ webhook, onReplay }: TableProps) {
  const t = useWebhookTexts();
  const pages = useList(EVENTS, ({ events }) => events, {
    path: { id: webhook.id },
    query: { limit: ROWS },
    refetchMs: REFRESH_MS,
  });
  const opened = useOpened(pages.rows, (row) => row.event_id);
  return (
    <>
      <DataTable
        caption={t.deliveries}
        pages={pages}
        rowKey={(row) => row.event_id}
        opened={opened.key}
        columns={useColumns(opened.open)}
        empty={<Empty icon={Webhooks} title={t.noEvents} hint={t.noEventsHint} />}
      />
      <DeliveryPanel opened={opened} onReplay={onReplay} />
    </>
  );
}

function DeliveriesIn({ state, webhook, onReplay }: TableProps & { readonly state: State }) {
  const t = useWebhookTexts();
  const pages = useList(DELIVERIES, ({ deliveries }) => deliveries.map(eventOf), {
    query: { limit: ROWS, endpoint: webhook.id, state },
    refetchMs: REFRESH_MS,
  });
  const opened = useOpened(pages.rows, (row) => row.delivery!.id);
  return (
    <>
      <DataTable
        caption={t.deliveries}
        pages={pages}
        rowKey={(row) => row.delivery!.id}
        opened={opened.key}
        columns={useColumns(opened.open)}
        empty={<Empty icon={CircleCheck} title={t.noDeliveries} />}
      />
      <DeliveryPanel opened={opened} onReplay={onReplay} />
    </>
  );
}

function useColumns(onLook: (event: WebhookEvent) => void): Column<WebhookEvent>[] {
  const t = useWebhookTexts();
  const eventName = useEventName();
  return [
    {
      title: t.event,
      cell: (row) => (
        <>
          <Text size="sm" fw={600}>
            {eventName(row.type)}
          </Text>
          <Muted size="xs" component="div">
            <Time at={row.happened_at} to="second" />
          </Muted>
          <Muted size="xs" component="div" className="break-anywhere">
            <bdi dir="ltr">{row.event_id}</bdi>
          </Muted>
        </>
      ),
    },
    {
      title: t.state,
      cell: (row) => <StatusBadge tone={eventTones[row.state]}>{t.states[row.state]}</StatusBadge>,
    },
    {
      title: t.attempts,
      align: 'end',
      cell: (row) => <Count value={attemptsOf(row)} />,
      wideOnly: true,
    },
    {
      title: t.answer,
      cell: (row) => <AnswerCell event={row} />,
      wideOnly: true,
    },
    {
      key: 'details',
      title: '',
      align: 'end',
      cell: (row) => (
        <Button
          size="xs"
          variant="subtle"
          aria-label={`${t.show}: ${eventName(row.type)} ${row.event_id}`}
          onClick={() => onLook(row)}
        >
          {t.show}
        </Button>
      ),
    },
  ];
}

/** Status and duration of the last attempt; the status of an event that was accepted without a record is not known. */
function AnswerCell({ event: { state, delivery, recorded_attempts } }: { readonly event: WebhookEvent }) {
  const t = useWebhookTexts();
  const ms = useMilliseconds();
  const [last] = recorded_attempts;
  const { http_status = null, error = null } = last ?? delivery?.answer ?? {};
  const known = http_status ?? error;
  if (known === null && state === 'waiting') return null;
  return (
    <Text size="sm" span lineClamp={1} className="break-anywhere">
      <bdi dir="ltr">{known ?? (state === 'delivered' ? t.accepted : t.noAnswer)}</bdi>
      {last && <> · {ms(last.duration_ms)}</>}
    </Text>
  );
}
