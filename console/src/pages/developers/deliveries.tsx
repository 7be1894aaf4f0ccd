import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { CircleCheck, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { useList } from '../../api/pages.ts';
import { useRefresh } from '../../api/refresh.ts';
import { atLeast } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useFilters } from '../../components/filters.tsx';
import { choicesOf } from '../../components/form.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Empty } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { Count, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { ReplayForm } from './replay-many.tsx';
import { DELIVERIES, type Delivery, useEventName, type Webhook } from './webhook.tsx';

type State = Delivery['state'];

const ROWS = 25;
const REFRESH_MS = 5_000;
const tones: Readonly<Record<State, Tone>> = { retrying: 'busy', failed: 'bad', done: 'good' };

/** What an address did not take at the first attempt. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: t, filters: words } = useTexts();
  const attempt = useAttempt();
  const { role } = useSession();
  const done = useDone();
  const refresh = useRefresh();
  const filters = useFilters(['state']);
  const { state } = filters.values;
  const [looked, setLooked] = useState<Delivery>();
  const { open } = useDialogs();
  const maySend = atLeast(role, 'sender') && webhook.state === 'active';
  const pages = useList('/v1/webhook-deliveries', ({ deliveries }) => deliveries, {
    query: { limit: ROWS, endpoint: webhook.id, state: state as State | '' },
    refetchMs: REFRESH_MS,
  });
  async function replay(delivery: Delivery) {
    const replayed = await attempt(async () => {
      await client.POST('/v1/webhook-deliveries/{id}/replay', byId(delivery.id));
      await done(t.replayed);
    });
    if (replayed) setLooked(undefined);
    await refresh(DELIVERIES);
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
            data={[{ value: '', label: words.all }, ...choicesOf(t.states)]}
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
      <DataTable
        caption={t.deliveries}
        pages={pages}
        rowKey={(row) => row.id}
        columns={useColumns(setLooked)}
        empty={
          <Empty filters={filters} icon={CircleCheck} title={t.noDeliveries} hint={t.noDeliveriesHint} />
        }
      />
      <DeliveryDetails
        delivery={looked}
        onClose={() => setLooked(undefined)}
        {...(maySend && { onReplay: replay })}
      />
    </Section>
  );
}

function useColumns(onLook: (delivery: Delivery) => void): Column<Delivery>[] {
  const { webhooks: t } = useTexts();
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
        </>
      ),
    },
    {
      title: t.state,
      cell: (row) => <StatusBadge tone={tones[row.state]}>{t.states[row.state]}</StatusBadge>,
    },
    { title: t.attempts, align: 'end', cell: (row) => <Count value={row.attempts} />, wideOnly: true },
    {
      title: t.answer,
      cell: (row) => (
        <Text size="sm" span lineClamp={1} className="break-anywhere">
          <bdi dir="ltr">{row.answer.http_status ?? row.answer.error ?? t.noAnswer}</bdi>
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
