import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { CircleCheck, RotateCcw, Webhook as Webhooks } from 'lucide-react';
import { useState } from 'react';
import { atLeast } from '../../../../server/api/access/roles.ts';
import { byId, client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { choicesOf } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useFilters } from '../../components/filters.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Empty } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { attemptsOf, DeliveryDetails } from './delivery-details.tsx';
import { ReplayForm } from './replay-many.tsx';
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
  const [looked, setLooked] = useState<WebhookEvent>();
  const { open } = useDialogs();
  const maySend = atLeast(role, 'sender') && webhook.state === 'active';
  async function replay({ event_id, delivery }: WebhookEvent) {
    await attempt(async () => {
      await client.POST('/v1/webhooks/{id}/replay', { ...byId(webhook.id), body: { event_id } });
      await done(t.replayed);
      // It has a delivery only from now on, which the list shows.
      if (delivery === null) setLooked(undefined);
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
        <AllEvents webhook={webhook} onLook={setLooked} />
      ) : (
        <DeliveriesIn state={state as State} webhook={webhook} onLook={setLooked} />
      )}
      <DeliveryDetails
        event={looked}
        onClose={() => setLooked(undefined)}
        {...(maySend && { onReplay: replay })}
      />
    </Section>
  );
}

interface TableProps {
  readonly webhook: Webhook;
  readonly onLook: (event: WebhookEvent) => void;
}

function AllEvents({ webhook, onLook }: TableProps) {
  const t = useWebhookTexts();
  const pages = useList(EVENTS, ({ events }) => events, {
    path: { id: webhook.id },
    query: { limit: ROWS },
    refetchMs: REFRESH_MS,
  });
  return (
    <DataTable
      caption={t.deliveries}
      pages={pages}
      rowKey={(row) => row.event_id}
      columns={useColumns(onLook)}
      empty={<Empty icon={Webhooks} title={t.noEvents} hint={t.noEventsHint} />}
    />
  );
}

function DeliveriesIn({ state, webhook, onLook }: TableProps & { readonly state: State }) {
  const t = useWebhookTexts();
  const pages = useList(DELIVERIES, ({ deliveries }) => deliveries.map(eventOf), {
    query: { limit: ROWS, endpoint: webhook.id, state },
    refetchMs: REFRESH_MS,
  });
  return (
    <DataTable
      caption={t.deliveries}
      pages={pages}
      rowKey={(row) => row.delivery!.id}
      columns={useColumns(onLook)}
      empty={<Empty icon={CircleCheck} title={t.noDeliveries} />}
    />
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
      cell: (row) => (
        <Text size="sm" span lineClamp={1} className="break-anywhere">
          {row.delivery ? (
            <bdi dir="ltr">{row.delivery.answer.http_status ?? row.delivery.answer.error ?? t.noAnswer}</bdi>
          ) : (
            row.state === 'delivered' && t.accepted
          )}
        </Text>
      ),
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
